/** Words that run what stands behind them, or open a compound command. */
const BEFORE = new Set(
  "if then else elif do while until ! { time command builtin exec nohup env sudo doas nice ionice setsid stdbuf timeout busybox".split(
    " ",
  ),
);
/** Words that run what is written in their arguments. */
const OPAQUE = new Set(["eval", "xargs", "parallel", "source", "."]);
const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "fish", "ash"]);
/** Options of those before a command, and of git before its own, that take another word. */
const TAKES = new Set(
  "-u -g -h -p -U -C -D -R -T -n -c -s -k -i -o -e --user --group --unset --chdir --signal".split(" "),
);
const GIT_TAKES = new Set("-C -c --git-dir --work-tree --namespace --exec-path --config-env".split(" "));
/** Words that are taken off the beginning of a command at most. */
const MOST_BEFORE = 20;
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
const NUMBER = /^[\d.]+[smhd]?$/;

/**
 * What a simple command of a line of shell may also be called, for those who forbid it by name: without quotes and escapes, without
 * variables and words before it (`env`, `sudo -u x`, `time`), its program without its folder. Undefined where what runs stands in a
 * variable, or in an argument (`eval`, `sh -c`, `xargs`), or too far behind.
 */
export function formsOf(command: string): readonly string[] | undefined {
  const words = command.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g) ?? [];
  const forms = [command];
  let rest = words.map(bare);
  for (let before = 0; before < MOST_BEFORE; before++) {
    const begin = rest.findIndex(word => !ASSIGNMENT.test(word));
    if (begin < 0) return forms;
    rest = rest.slice(begin);
    const [first, ...others] = rest;
    if (first === undefined) return forms;
    const program = first.slice(first.lastIndexOf("/") + 1);
    if (first.includes("$") || OPAQUE.has(program)) return undefined;
    if (SHELLS.has(program) && others.some(word => /^-\w*c/.test(word))) return undefined;
    if (program === "find" && others.some(word => /^-(?:exec|ok)/.test(word))) return undefined;
    forms.push(rest.join(" "), [program, ...others].join(" "));
    if (program === "git") forms.push(["git", ...behindOptions(others, GIT_TAKES)].join(" "));
    if (!BEFORE.has(program)) return forms;
    rest = behindOptions(others, TAKES);
  }
  return undefined;
}

/** What stands behind options, their words and numbers. */
function behindOptions(words: readonly string[], takes: ReadonlySet<string>): string[] {
  let at = 0;
  while (at < words.length && (words[at]!.startsWith("-") || NUMBER.test(words[at]!)))
    at += takes.has(words[at]!) ? 2 : 1;
  return words.slice(at);
}

/** A word as the program sees it. */
function bare(word: string): string {
  return word.replace(/\\(.)|["']/gs, "$1");
}
