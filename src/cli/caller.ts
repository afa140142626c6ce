import type { Approvable } from "../host/approval/approvable.ts";
import { approvalWords } from "../host/approval/approval-words.ts";
import type { ApprovalDialog, Caller } from "../host/caller.ts";
import { type Locale, visible } from "../text/index.ts";
import { type Io, isInteractive, say, warn } from "./io.ts";
import { personAt } from "./person.ts";

/** Lines shown of one command; an approval counts for all of it. */
const SHOWN_LINES = 40;

function show(io: Io, wanted: readonly Approvable[], locale: Locale): void {
  const words = approvalWords(locale);
  warn(io, words.shown);
  for (const item of wanted) {
    const { where, text } = item.told?.(words) ?? item;
    const lines = text.split("\n").map(line => visible(line));
    warn(io, `  ${visible(where)}:`);
    for (const line of lines.slice(0, SHOWN_LINES)) warn(io, `    ${line}`);
    if (lines.length > SHOWN_LINES) warn(io, `    ${words.moreLines(lines.length - SHOWN_LINES)}`);
  }
}

async function ask(io: Io, wanted: readonly Approvable[], locale: Locale): Promise<boolean> {
  const words = approvalWords(locale);
  const person = await personAt(io, locale);
  if ((await person.yes(words.question(wanted.length), false)) !== true) return false;
  say(io, words.approved);
  return true;
}

/** A person is shown everything on standard error, and asked where both ends are a terminal. */
function dialog(io: Io): ApprovalDialog {
  return {
    show: (wanted, locale) => show(io, wanted, locale),
    ...(isInteractive(io) ? { ask: (wanted, locale) => ask(io, wanted, locale) } : {}),
  };
}

/** Whoever called this command. */
export function callerOf(io: Io): Caller {
  return {
    cwd: io.cwd,
    env: io.env,
    isTerminal: isInteractive(io),
    approval: dialog(io),
    ...(isInteractive(io) ? { ring: (bytes: string) => void io.stdout.write(bytes) } : {}),
    tell: line => warn(io, line),
  };
}
