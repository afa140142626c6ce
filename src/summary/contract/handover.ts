import { contentStart, isBlank, keyOf, lineShape } from "../../markdown/index.ts";
import { LONGEST_VALUE } from "./values.ts";

/** What an agent hands over to whoever works next, in the order in which it is asked for. */
export type HandoverField = "decisions" | "mustKnow" | "doNot" | "open" | "interfaces";

/** One field as its agent wrote it; a field that says nothing is none. */
export interface HandoverPart {
  readonly field: HandoverField;
  /** Its name in the agent's spelling. */
  readonly label: string;
  /** Statements on the label's own line, and those below it. Foreign text, one line each. */
  readonly inline: readonly string[];
  readonly below: readonly string[];
}

/** The short section at the end of an answer that its prompt asks for. */
export type Handover = readonly HandoverPart[];

const TITLES: ReadonlySet<string> = new Set([
  "handover",
  "handoff",
  "hand over",
  "contract",
  "인계",
  "인수인계",
  "계약",
]);

const NAMES: Readonly<Record<HandoverField, readonly string[]>> = {
  decisions: ["decisions", "decision", "결정", "결정 사항"],
  mustKnow: ["must know", "must knows", "필수", "필수 사항", "알아야 할 것"],
  doNot: ["do not", "don't", "금지", "금지 사항", "하지 말 것"],
  open: ["open", "open questions", "미결", "미결 사항", "남은 일"],
  interfaces: ["interfaces", "interface", "인터페이스"],
};

const BY_NAME: ReadonlyMap<string, HandoverField> = new Map(
  Object.entries(NAMES).flatMap(([field, names]) => names.map(name => [name, field as HandoverField])),
);

/** What stands where there is nothing to say. */
const NOTHING: ReadonlySet<string> = new Set(["", "-", "–", "—", "none", "none.", "n/a", "nothing", "없음"]);

/** Fields that a section must name to be one: `## Contract` is a heading of other things, too. */
const LEAST_NAMED = 2;
/** Lines of a section and statements of a field that are read. */
const MOST_LINES = 80;
const MOST_STATEMENTS = 20;
const LONGEST_LINE = 4000;

/** Characters that may follow a section at the end: a closing word, a signal. What stands before more is an example of one. */
const MOST_BEHIND = 400;

/** An answer apart from what it hands over. */
export interface WithHandover {
  /** Undefined where the answer has no such section. */
  readonly handover: Handover | undefined;
  /** The answer without the section. */
  readonly rest: string;
}

/** Finds the section at the end of an answer that hands over, in English or Korean, whatever marks stand around its names. Linear. */
export function withoutHandover(text: string): WithHandover {
  for (let end = text.length; end > 0; ) {
    const from = text.lastIndexOf("\n", end - 1) + 1;
    if (isTitle(text.slice(from, Math.min(end, from + LONGEST_LINE)))) {
      const found = sectionAt(text, end + 1);
      if (found !== undefined && text.slice(found.end).trim().length > MOST_BEHIND) break;
      if (found !== undefined)
        return { handover: found.parts, rest: `${text.slice(0, from)}${text.slice(found.end)}` };
    }
    end = from - 1;
  }
  return { handover: undefined, rest: text };
}

function bare(line: string): string {
  return line
    .slice(contentStart(line))
    .replace(/[*_`~:#：\r]/g, " ")
    .replaceAll("-", " ")
    .split(" ")
    .filter(Boolean)
    .join(" ")
    .toLowerCase();
}

function isTitle(line: string): boolean {
  return line.length <= 40 && TITLES.has(bare(line));
}

/** The field that a line names: by a label before a colon, or by nothing but its name. */
function fieldAt(
  line: string,
): { readonly field: HandoverField; readonly label: string; readonly value: string } | undefined {
  const key = keyOf(line) ?? (line.length <= 40 ? line.slice(contentStart(line)).trim() : undefined);
  const field = key === undefined ? undefined : BY_NAME.get(bare(key));
  if (key === undefined || field === undefined) return undefined;
  let from = line.indexOf(":", contentStart(line)) + 1;
  while (from > 0 && "*_`".includes(line[from] ?? "x")) from++;
  return { field, label: key, value: from === 0 ? "" : line.slice(from).trim() };
}

/** The section below a title; undefined where it names too little to be one. */
function sectionAt(
  text: string,
  start: number,
): { readonly parts: Handover; readonly end: number } | undefined {
  const parts = new Map<HandoverField, { label: string; inline: string[]; below: string[] }>();
  let open: { label: string; inline: string[]; below: string[] } | undefined;
  let afterBlank = false;
  let at = start;
  for (let lines = 0; at < text.length && lines < MOST_LINES; lines++) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, Math.min(end, at + LONGEST_LINE)).trimEnd();
    const named = fieldAt(line);
    if (named !== undefined) {
      open = parts.get(named.field) ?? { label: named.label, inline: [], below: [] };
      parts.set(named.field, open);
      for (const one of named.value.split("; ")) add(open.inline, one);
    } else if (!isBlank(line)) {
      const { marker, content, indent } = lineShape(line);
      // A heading, a fence or prose behind a blank line is no part of it any more.
      if (line.startsWith("#") || line.startsWith("```") || open === undefined) break;
      if (marker === "" && indent === 0 && afterBlank) break;
      add(open.below, line.slice(content));
    }
    afterBlank = isBlank(line);
    at = end + 1;
  }
  if (parts.size < LEAST_NAMED) return undefined;
  const said = [...parts].flatMap(([field, part]) =>
    part.inline.length + part.below.length === 0 ? [] : [{ field, ...part }],
  );
  return { parts: said, end: Math.min(at, text.length) };
}

function add(list: string[], said: string): void {
  const words = said.trim();
  const statement = words.length > LONGEST_VALUE ? `${words.slice(0, LONGEST_VALUE).toWellFormed()}…` : words;
  if (list.length < MOST_STATEMENTS && !NOTHING.has(statement.toLowerCase())) list.push(statement);
}

/** A handover as it was written, in the order of its fields. */
export function handoverText(handover: Handover): string {
  return handover
    .map(({ label, inline, below }) =>
      [`- ${label}: ${inline.join("; ")}`.trimEnd(), ...below.map(one => `  - ${one}`)].join("\n"),
    )
    .join("\n");
}

/** As much of a handover as fits, each field's first statement before any field's second one; the longest that `fits`. */
export function handoverWithin(handover: Handover, fits: (text: string) => boolean): string {
  const whole = handoverText(handover);
  if (fits(whole)) return whole;
  const sizes = handover.map(({ inline, below }) => inline.length + below.length);
  const order = Array.from({ length: Math.max(0, ...sizes) }, (_, round) =>
    sizes.flatMap((size, at) => (round < size ? [at] : [])),
  ).flat();
  const cut = (statements: number): string => {
    const taken = sizes.map(() => 0);
    for (const at of order.slice(0, statements)) taken[at]!++;
    return handoverText(
      handover.flatMap((part, at) => {
        const inline = part.inline.slice(0, taken[at]);
        const below = part.below.slice(0, Math.max(0, taken[at]! - part.inline.length));
        return taken[at] === 0 ? [] : [{ ...part, inline, below }];
      }),
    );
  };
  let [least, most] = [0, order.length - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(cut(middle))) least = middle;
    else most = middle - 1;
  }
  return least === 0 ? "" : cut(least);
}
