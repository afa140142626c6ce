import { visible } from "../../../text/index.ts";
import { type Look, line } from "../look.ts";
import { clusters, textWidth } from "../terminal/width.ts";

/** Characters of what may be typed: as many as an agent is told at once. */
const MOST = 4000;

/** What a person is typing to the agent of a task. */
export interface Typed {
  readonly task: string;
  readonly text: string;
}

/** What became of it by what a terminal sent: it is still being typed, is to be sent, or was left. */
export type Typing =
  | { readonly kind: "open"; readonly text: string }
  | { readonly kind: "send"; readonly text: string }
  | { readonly kind: "leave" };

function withoutLast(text: string): string {
  const last = [...clusters().segment(text)].at(-1);
  return last === undefined ? "" : text.slice(0, last.index);
}

function firstOf(text: string): string {
  const [first] = clusters().segment(text);
  return first?.segment ?? "";
}

/** Types on: text is taken as it comes, what moves a cursor is passed over. Enter sends, Escape and Ctrl+C leave. */
export function typeOn(before: string, keys: string): Typing {
  // A key alone: within a text that was pasted the same byte begins a sequence.
  if (keys === "\u001b") return { kind: "leave" };
  let text = before;
  const plain = keys.replaceAll(/\u001b(?:\[[0-9;?]{0,16}[ -/]{0,2}[@-~]|O.|.)/gu, "");
  for (const key of plain) {
    if (key === "\u0003" || key === "\u0004") return { kind: "leave" };
    if (key === "\r" || key === "\n") return { kind: "send", text: text.trim() };
    if (key === "\u007f" || key === "\b") text = withoutLast(text);
    else if (key === "\u0015") text = "";
    else if (key >= " " && text.length + key.length <= MOST) text += key;
  }
  return { kind: "open", text };
}

/** The line it is typed in: its end where it is too long. */
export function typedLine({ task, text }: Typed, look: Look): string {
  const head = ` ${visible(task, 60)} ← `;
  const room = look.width - textWidth(head) - 2;
  let shown = visible(text, MOST).slice(-4 * Math.max(1, room));
  while (shown !== "" && textWidth(shown) > room) shown = shown.slice(firstOf(shown).length);
  return line(look, { text: head, style: "cyan" }, { text: `${shown}▏` });
}
