import { readField, readFields } from "../syntax/field.ts";
import { fieldKey } from "../syntax/field-key.ts";
import { IN_TITLE } from "../syntax/fields.ts";
import { saysWait, waitAtEnd } from "../syntax/waits.ts";
import type { Field } from "./document.ts";

/** Phrases that begin a dependency inside a title: `(depends on T012)`. */
const PHRASES = [
  "depends on",
  "dependent on",
  "depends:",
  "dep:",
  "deps:",
  "blocked by",
  "requires",
  "after",
  "needs",
  "의존",
  "선행",
  "依存",
  "依赖",
];

/** A role by its name: `(backend-specialist)`, `@test-engineer`. */
const ROLE =
  /^@?[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*-(?:specialist|agent|engineer|developer|designer|tester|reviewer|architect)$/;

/** A title without any of these says nothing but what it is called. */
const MAY_SAY = /[([{（@:：]|depend|block|wait|after|need|require|의존|선행|필요|후|뒤|다음/i;

function dependsOn(text: string, line: number, column: number): Field {
  return { key: "depends", text, line, column, plain: false, depth: 0, below: [] };
}

/** What parentheses in a title say: dependencies, or fields as in `(담당: x, 의존: T1.1)`. */
export function titleFields(title: string, line: number, column: number): Field[] {
  if (!MAY_SAY.test(title)) return [];
  const fields: Field[] = [];
  for (let open = nextOpen(title, 0); open >= 0; open = nextOpen(title, open + 1)) {
    const close = matching(title, open);
    if (close < 0) break;
    const inner = title.slice(open + 1, close);
    const lower = inner.trimStart().toLowerCase();
    const lead = inner.length - inner.trimStart().length;
    const phrase = PHRASES.find(candidate => lower.startsWith(candidate));
    const at = { line, column: column + open + 1 };
    if (phrase === undefined && saysWait(inner)) fields.push(dependsOn(inner, at.line, at.column));
    else if (phrase !== undefined && /\d/.test(inner)) {
      const value = inner.slice(lead + phrase.length).replace(/^\s*[:：]?\s*/, "");
      const valueColumn = at.column + inner.length - value.length;
      fields.push(dependsOn(value, line, valueColumn));
    } else if (lower.startsWith("blocks ") && /\d/.test(inner)) {
      fields.push({ key: "blocks", text: inner.slice(lead + 7), ...at, plain: false, depth: 0, below: [] });
    } else if (ROLE.test(inner.trim()))
      fields.push({ key: "specialist", text: inner.trim(), ...at, plain: false, depth: 0, below: [] });
    else fields.push(...labelled(inner, at));
    open = close;
  }
  if (fields.length === 0) fields.push(...loose(title, line, column));
  const waits = fields.some(field => field.key === "depends") ? -1 : waitAtEnd(title);
  if (waits >= 0) fields.push(dependsOn(title.slice(waits), line, column + waits));
  const last = title.slice(title.lastIndexOf(" ") + 1);
  if (last.startsWith("@") && ROLE.test(last))
    fields.push({ key: "specialist", text: last, line, column, plain: false, depth: 0, below: [] });
  return fields;
}

function nextOpen(text: string, from: number): number {
  for (let i = from; i < text.length; i++) if ("([{（".includes(text[i]!)) return i;
  return -1;
}

function matching(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const mark = text[i]!;
    if ("([{（".includes(mark)) depth++;
    else if (")]}）".includes(mark) && --depth === 0) return i;
  }
  return -1;
}

/** Fields behind a separator in the open title: `Login | 담당: x | 의존: T1.1`. */
function loose(title: string, line: number, column: number): Field[] {
  return readFields(title, 0, title.length)
    .filter(hit => hit.nameStart > 0 && IN_TITLE.has(hit.key))
    .map(hit => ({
      key: hit.key,
      text: title.slice(hit.valueStart, hit.valueEnd),
      line,
      column: column + hit.valueStart,
      plain: false,
      depth: 0,
      below: [],
    }));
}

function labelled(inner: string, at: { line: number; column: number }): Field[] {
  const fields: Field[] = [];
  let from = 0;
  for (const part of inner.split(/[,;|]/)) {
    const hit = readField(part, 0, part.length);
    if (hit !== undefined && IN_TITLE.has(hit.key)) {
      fields.push({
        key: hit.key,
        text: part.slice(hit.valueStart, hit.valueEnd),
        line: at.line,
        column: at.column + from + hit.valueStart,
        plain: false,
        depth: 0,
        below: [],
      });
    } else if (fields.length > 0 && fieldKey(part.split(/[:：]/, 1)[0]!) === undefined) {
      const last = fields[fields.length - 1]!;
      fields[fields.length - 1] = { ...last, text: `${last.text},${part}` };
    }
    from += part.length + 1;
  }
  return fields;
}
