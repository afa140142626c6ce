import { type Notifier, ok } from "../../ports/index.ts";
import { type Locale, noticeParts, visible } from "../../text/index.ts";

/** Terminals that show a notice of their own for OSC 9; others may print its text. */
const KNOWN: ReadonlySet<string> = new Set(["iTerm.app", "WezTerm", "ghostty"]);
/** Characters of a notice that a terminal has room for. */
const ROOM = 200;

function knowsNotices(env: NodeJS.ProcessEnv): boolean {
  const { TERM_PROGRAM: program = "", TERM: term = "", WT_SESSION: windows = "" } = env;
  return KNOWN.has(program) || term === "xterm-kitty" || term === "xterm-ghostty" || windows !== "";
}

/** Rings the bell of the terminal that a person sits at, with the text where it can show one. */
export function createTerminalNotifier(
  write: (bytes: string) => void,
  env: NodeJS.ProcessEnv,
  locale: Locale,
): Notifier {
  return {
    portVersion: 2,
    name: "terminal",
    async notify(message) {
      const { title, body } = noticeParts(message, locale);
      // Nothing in it ends the sequence: a control character is shown as an escape.
      const text = visible(`${title}: ${body.split("\n").at(-1)}`, ROOM);
      write(knowsNotices(env) ? `\u001b]9;${text}\u0007\u0007` : "\u0007");
      return ok(undefined);
    },
  };
}
