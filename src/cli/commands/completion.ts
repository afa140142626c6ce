import type { Command, Option } from "commander";
import { readTaskBytes } from "../../host/project/plan-file.ts";
import { findTaskFile } from "../../host/project/project.ts";
import { readPlan } from "../../plan/index.ts";
import { AGENT_NAMES, EspalierError, EXIT } from "../../ports/index.ts";
import { topicNames } from "../help/topics.ts";
import { type Io, say } from "../io.ts";
import { projectOf } from "../project.ts";

/** What each shell reads; all ask this program for the words, and none lets its shell expand what it answers. */
const SCRIPTS: Readonly<Record<"bash" | "zsh" | "fish", string>> = {
  bash: `_espalier() {
  mapfile -t COMPREPLY < <(espalier completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _espalier espalier`,
  zsh: `#compdef espalier
_espalier() {
  local -a found
  found=("\${(@f)$(espalier completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then
  _espalier "$@"
elif (( $+functions[compdef] )); then
  compdef _espalier espalier
else
  # What comes after this in .zshrc may set completion up, and would forget what was told before.
  _espalier_later() {
    add-zsh-hook -d precmd _espalier_later
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
    compdef _espalier espalier
  }
  autoload -Uz add-zsh-hook && add-zsh-hook precmd _espalier_later
fi`,
  fish: `function __espalier
  set -l found (espalier completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if set -q found[1]; string join -- \\n $found; else; __fish_complete_path (commandline -ct); end
end
complete -c espalier -f -a '(__espalier)'`,
};

/** What the project here offers; each is asked only where it is completed. */
export interface Here {
  ids(): readonly string[];
  phases(): readonly string[];
  agents(): readonly string[];
  topics(): readonly string[];
}

/** Whose values an argument or an option takes, by its name. */
const VALUES: Readonly<Record<string, (here: Here) => readonly string[]>> = {
  id: here => here.ids(),
  ids: here => here.ids(),
  task: here => here.ids(),
  attempt: here => here.ids(),
  only: here => here.ids(),
  phase: here => here.phases(),
  "force-phase": here => here.phases(),
  "task|phase": here => [...here.ids(), ...here.phases()],
  agent: here => [...new Set([...here.agents(), ...AGENT_NAMES, "auto"])],
};
/** Ids that no shell reads as anything else. */
const PLAIN = /^[\p{L}\p{N}._~:#@%+-]{1,80}$/u;

/** What can be said at the end of a command line: `words` are those before, `current` is the one being typed. */
export function candidates(
  program: Command,
  words: readonly string[],
  current: string,
  here: Here,
): readonly string[] {
  let command = program;
  let asking: Option | undefined;
  for (const word of words) {
    if (asking !== undefined) asking = undefined;
    else if (word.startsWith("-")) {
      const found = [...command.options, ...program.options].find(
        one => one.long === word || one.short === word,
      );
      asking = found?.required === true ? found : undefined;
    } else command = command.commands.find(one => one.name() === word) ?? command;
  }
  const fitting = (all: readonly string[]) => all.filter(word => word.startsWith(current));
  if (asking !== undefined) return fitting(asking.argChoices ?? VALUES[asking.name()]?.(here) ?? []);
  if (current.startsWith("-"))
    return fitting([...command.options.flatMap(({ long }) => long ?? []), "--help"]);
  const topics = command === program && words[0] === "help" ? ["topics", ...here.topics()] : [];
  if (command.commands.length > 0)
    return fitting([...new Set([...command.commands.map(one => one.name()), ...topics])]);
  const [argument] = command.registeredArguments;
  if (argument === undefined) return [];
  return fitting(argument.argChoices ?? VALUES[argument.name()]?.(here) ?? []);
}

/** What stands here; nothing where there is nothing that can be read. */
function placeOf(io: Io): Here {
  const read = (names: () => readonly string[]) => {
    try {
      return names().filter(name => PLAIN.test(name) && !name.startsWith("-"));
    } catch (error) {
      if (error instanceof EspalierError) return [];
      throw error;
    }
  };
  const planOf = () => {
    const file = findTaskFile(projectOf(io), io.cwd, undefined);
    return readPlan(readTaskBytes(file), { path: file.display }).plan;
  };
  return {
    ids: () => read(() => planOf().tasks.map(({ id }) => id)),
    phases: () => read(() => planOf().phases.map(({ phase }) => String(phase))),
    agents: () => read(() => Object.keys(projectOf(io).config.agents)),
    topics: topicNames,
  };
}

/** `espalier completion SHELL`: the script of a shell; with `words`, what it asks for. */
export function completion(io: Io, shell: string, line: readonly string[], program: Command): number {
  const script = SCRIPTS[shell as keyof typeof SCRIPTS];
  if (script !== undefined) say(io, script);
  else
    for (const word of candidates(program, line.slice(0, -1), line.at(-1) ?? "", placeOf(io))) say(io, word);
  return EXIT.done;
}
