import type { Command, Option } from "commander";
import { readTaskBytes } from "../../host/project/plan-file.ts";
import { findTaskFile } from "../../host/project/project.ts";
import { readPlan } from "../../plan/index.ts";
import { AGENT_NAMES, EspalierError, EXIT } from "../../ports/index.ts";
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
compdef _espalier espalier`,
  fish: `complete -c espalier -a '(espalier completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};

/** Arguments and options whose values are task ids. */
const IDS = /^(?:ids?|task|task\|phase|only)$/;
/** Ids that no shell reads as anything else. */
const PLAIN = /^[\p{L}\p{N}._~:#@%+-]{1,80}$/u;

/** What can be said at the end of a command line: `words` are those before, `current` is the one being typed. */
export function candidates(
  program: Command,
  words: readonly string[],
  current: string,
  ids: () => readonly string[],
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
  if (asking !== undefined) return fitting(valuesOf(asking, ids));
  if (current.startsWith("-"))
    return fitting([...command.options.flatMap(({ long }) => long ?? []), "--help"]);
  if (command.commands.length > 0) return fitting(command.commands.map(one => one.name()));
  const [argument] = command.registeredArguments;
  if (argument === undefined) return [];
  return fitting(argument.argChoices ?? (IDS.test(argument.name()) ? ids() : []));
}

function valuesOf(option: Option, ids: () => readonly string[]): readonly string[] {
  if (option.argChoices !== undefined) return option.argChoices;
  if (option.name() === "agent") return [...AGENT_NAMES, "auto"];
  return IDS.test(option.name()) ? ids() : [];
}

/** The ids of the task file here; none where there is none that can be read. */
function idsHere(io: Io): readonly string[] {
  try {
    const file = findTaskFile(projectOf(io), io.cwd, undefined);
    const { plan } = readPlan(readTaskBytes(file), { path: file.display });
    return plan.tasks.map(({ id }) => id).filter(id => PLAIN.test(id) && !id.startsWith("-"));
  } catch (error) {
    if (error instanceof EspalierError) return [];
    throw error;
  }
}

/** `espalier completion SHELL`: the script of a shell; with `words`, what it asks for. */
export function completion(io: Io, shell: string, line: readonly string[], program: Command): number {
  const script = SCRIPTS[shell as keyof typeof SCRIPTS];
  if (script !== undefined) say(io, script);
  else
    for (const word of candidates(program, line.slice(0, -1), line.at(-1) ?? "", () => idsHere(io)))
      say(io, word);
  return EXIT.done;
}
