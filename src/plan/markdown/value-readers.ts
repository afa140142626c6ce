import { agentCalled, MOST_TRIES } from "../../ports/index.ts";
import { type Told, told } from "../../text/index.ts";
import { idProblem, nodeName } from "../../tree/index.ts";
import { NODE_ID_HINT } from "../context/report-nodes.ts";
import type { Report } from "../report.ts";
import { isWord } from "../syntax/chars.ts";
import type { TaskKind, Valued, ValueKind, ValueKinds } from "../syntax/field-row.ts";
import { fieldName, type ValueKey } from "../syntax/fields.ts";
import { fileList } from "../syntax/file-list.ts";
import { spans } from "../syntax/paths.ts";
import type { Field } from "./document.ts";
import { opensBlock } from "./field-reader.ts";

/** A field of a task that says something. */
export interface Said {
  readonly key: ValueKey;
  readonly row: Valued;
  /** The one that counts: of one key the first of the shallowest. */
  readonly field: Field;
  /** All of its key, in order of authority. */
  readonly all: readonly Field[];
  readonly report: Report;
}

/** Text without bold, backticks and quotes around it. */
export function stripped(value: string): string {
  return value.replace(/[*`"']/g, "").trim();
}

const NONE = new Set([
  "",
  "-",
  "–",
  "—",
  "없음",
  "none",
  "n/a",
  "na",
  "null",
  "tbd",
  "미정",
  "なし",
  "无",
  "불필요",
]);

function isNone(value: string): boolean {
  const word = stripped(value).toLowerCase();
  return NONE.has(word) || NONE.has(word.split(/[\s(（]/, 1)[0]!);
}

/** The role as written, remarks in parentheses left off. */
export function roleOf(field: Field): string | undefined {
  const value = field.text !== "" ? field.text : (field.below[0]?.text ?? "");
  if (isNone(value)) return undefined;
  const clean = stripped(withoutStruck(value));
  let start = 0;
  while (start < clean.length && !isWord(clean.charCodeAt(start))) start++;
  const stop = clean.slice(start).search(/[(（|·;\]}<>]|\s[-–—]\s|, ?\d/);
  const said = stop > 0 ? clean.slice(start, start + stop) : clean.slice(start);
  let end = said.length;
  while (end > 0 && !isWord(said.charCodeAt(end - 1))) end--;
  return end === 0 ? undefined : said.slice(0, end);
}

/** A value without `~~what no longer holds~~`. */
function withoutStruck(value: string): string {
  const parts = value.split("~~");
  return parts.length % 2 === 0 ? value : parts.filter((_, index) => index % 2 === 0).join("");
}

function tellBad({ field, report }: Pick<Said, "field" | "report">, message: Told, hint: Told): void {
  report.add("warning", "BAD_FIELD", placeOf(field), message, hint);
}

/** As `isNone`; but what stands in parentheses counts by itself: a command in a subshell, a word that is none of a choice. */
function isNothing(value: string): boolean {
  if (!value.startsWith("(")) return isNone(value);
  let [from, to] = [0, value.length];
  while (from < to && "( ".includes(value[from]!)) from++;
  while (from < to && ") ".includes(value[to - 1]!)) to--;
  return isNone(value.slice(from, to));
}

/**
 * A command: the fence below the field, or a value that is one code span; behind our own lower-case field names also a
 * span with a remark, or plain words. Prose is never taken for a command; what could be meant as one is told.
 */
function commandOf({ key, field, report }: Said): string | undefined {
  const value = field.text.trim();
  if (field.code !== undefined && field.code.trim() !== "") {
    if (field.plain && !introducesCode(value))
      tellBad(
        { field, report },
        told`what stands behind ${fieldName(key)} on its line is not executed: the fence below is the command`,
        told`write the command in one of the two places; above a fence that is none of it, put a line of text`,
      );
    return field.code;
  }
  const code = spans(value);
  const whole = code.length === 1 && value === `\`${code[0]}\``;
  const leading = field.plain && code.length > 0 && value.startsWith("`");
  if (whole || leading) return code[0]!.trim() || undefined;
  if (!field.plain || value === "" || isNothing(value) || opensBlock(value)) return undefined;
  if (code.length > 0) {
    tellBad(
      { field, report },
      told`${fieldName(key)} is not read as a command: a code span stands among other words`,
      told`put all of the command into a shell fence below the field`,
    );
    return undefined;
  }
  return withoutQuotes(value);
}

/** Whether a value leaves the command to what stands below it: nothing, `|`, or words without code that end in a colon. */
function introducesCode(value: string): boolean {
  const leadsOver = /[:：]$/.test(value) && spans(value).length === 0;
  return value === "" || opensBlock(value) || isNothing(value) || leadsOver;
}

/** A value that stands in one pair of quotes, without them. */
function withoutQuotes(value: string): string {
  const quote = value[0]!;
  const isQuoted = (quote === '"' || quote === "'") && value.indexOf(quote, 1) === value.length - 1;
  return isQuoted && value.length > 2 ? value.slice(1, -1) : value;
}

/** A single word of name characters, or undefined for prose. */
function nameOf(field: Field): string | undefined {
  const word = stripped(field.text);
  return /^[\p{L}\p{N}_.:-]{1,200}$/u.test(word) ? word : undefined;
}

/** `[db, port:3000]`: names, each once. What is none is told behind our own spelling; behind another it makes all of it prose. */
function namesOf({ key, row, field, report }: Said): readonly string[] | undefined {
  const items = [field, ...field.below]
    .flatMap(piece => piece.text.replaceAll(/[[\]]/g, " ").split(","))
    .map(stripped)
    .filter(item => item !== "" && !isNothing(item));
  const names = items.filter(item => /^[\p{L}\p{N}_][\p{L}\p{N}_.:/=-]{0,99}$/u.test(item));
  const other = items.find(item => !names.includes(item));
  if (other !== undefined && !field.plain) return undefined;
  if (other !== undefined)
    tellBad(
      { field, report },
      told`${fieldName(key)} "${other}" is no name`,
      told`write ${row.taught?.example.replaceAll("`", "") ?? fieldName(key)}`,
    );
  return names.length === 0 ? undefined : [...new Set(names)];
}

/** The context node a field names. Prose about context is none; what is meant as an id and cannot be one is told. */
function nodeOf({ key, field, report }: Said): string | undefined {
  const id = stripped(field.text);
  if (idProblem(nodeName(id)) === undefined) return id;
  const isMeant = id.startsWith("ctx-") || (key === "fills" && field.plain && id !== "" && !id.includes(" "));
  if (isMeant)
    report.add("error", "BAD_NODE", placeOf(field), told`"${id}" cannot name a context node`, NODE_ID_HINT);
  return undefined;
}

function filesOf(fields: readonly Field[]): string[] {
  const files = new Set<string>();
  for (const field of fields) {
    for (const piece of [field, ...field.below]) for (const path of fileList(piece.text)) files.add(path);
  }
  return [...files];
}

function worktreeOf(field: Field): string | undefined {
  const made = field.code?.indexOf("git worktree add ") ?? -1;
  if (field.code !== undefined && made >= 0)
    return field.code
      .slice(made + 17)
      .trim()
      .split(/\s/, 1)[0];
  const value = field.text.trim();
  const command = stripped(value);
  if (command.startsWith("git worktree add ")) return command.slice(17).trim().split(/\s/, 1)[0];
  const [span] = spans(value);
  const word = span?.trim() ?? stripped(value).split(/[\s(（]/, 1)[0]!;
  return isNone(word) || !/[A-Za-z]/.test(word) ? undefined : word;
}

const YES = new Set("yes true y 예 네 필수 적용 required on はい 是".split(" "));
const NO = new Set("no false n 아니오 아니요 불필요 미적용 none 없음 n/a off いいえ 否 -".split(" "));

function yesNoOf({ key, field, report }: Said): boolean | undefined {
  const word = firstWord(field);
  if (NO.has(word) || YES.has(word)) return YES.has(word);
  if (field.plain && !isNothing(stripped(field.text)))
    tellBad(
      { field, report },
      told`${fieldName(key)} "${stripped(field.text)}" is neither yes nor no`,
      told`write ${fieldName(key)}: yes or ${fieldName(key)}: no`,
    );
  return undefined;
}

/** The first word of a value, in lower case. */
function firstWord(field: Field): string {
  return stripped(field.text)
    .toLowerCase()
    .split(/[\s(（,]/, 1)[0]!;
}

function textOf(field: Field): string | undefined {
  const text = stripped(field.text);
  return isNone(text) ? undefined : text;
}

/** What one of the words of a choice means; behind our own spelling of the name any other word is told. */
function choiceOf({ key, row, field, report }: Said): string | undefined {
  const word = firstWord(field);
  const { choices = {} } = row;
  const meant = Object.hasOwn(choices, word) ? choices[word] : undefined;
  const shown = word === "" ? stripped(field.text) : word;
  if (meant === undefined && field.plain && shown !== "") {
    const known = [...new Set(Object.values(choices))];
    tellBad(
      { field, report },
      told`${fieldName(key)} "${shown}" is none of ${known.join(", ")}`,
      told`write ${fieldName(key)}: ${known.slice(0, -1).join(", ")} or ${known.at(-1)}`,
    );
  }
  return meant;
}

function kindOf({ field, report }: Said): TaskKind | undefined {
  const word = stripped(field.text).toLowerCase().replaceAll("_", "-");
  if (word === "worker" || word === "context-fill") return word;
  if (field.plain)
    tellBad(
      { field, report },
      told`kind "${word}" is neither worker nor context-fill`,
      told`write kind: worker or kind: context-fill`,
    );
  return undefined;
}

/** An agent's name, or `no`; only behind our own spelling: real files hold remarks about reviews. */
function reviewerOf({ field, report }: Said): string | undefined {
  if (!field.plain || field.text === "") return undefined;
  const word = stripped(field.text).toLowerCase();
  if (NO.has(word) || isNone(field.text)) return "no";
  const name = YES.has(word) ? undefined : nameOf(field);
  if (name !== undefined) return agentCalled(name) ?? name;
  tellBad(
    { field, report },
    told`review "${stripped(field.text)}" names no agent`,
    told`write review: no, or the name of an agent; review: of espalier.yaml says who reviews every task`,
  );
  return undefined;
}

export function placeOf(field: Field): { line: number; column: number; length: number } {
  return { line: field.line, column: field.column, length: Math.max(1, field.text.length) };
}

function expectationOf(field: Field): readonly string[] | undefined {
  const pieces = [field, ...field.below].map(piece => stripped(piece.text)).join(",");
  const words = pieces.split(/[,\s]+/).filter(word => word !== "");
  return words.length > 0 ? words : undefined;
}

/** The names of a list of agents: one in brackets, or one of agents that are all known; undefined for any other value. */
function agentList({ text }: Field): readonly string[] | undefined {
  const value = stripped(text);
  const isBracketed = value.startsWith("[") && value.endsWith("]");
  const names = (isBracketed ? value.slice(1, -1) : value).split(",").map(one => one.trim());
  const isEach = (holds: (name: string) => boolean) => names.length > 1 && names.every(holds);
  const isList = isBracketed
    ? isEach(name => /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u.test(name))
    : isEach(name => agentCalled(name) !== undefined);
  return isList ? names.map(name => agentCalled(name) ?? name) : undefined;
}

/** In real files `agent:` mostly names a role, so a name that is none of ours stands here only until that is settled. */
function agentOf({ field, key, report }: Said): string | readonly string[] | undefined {
  const several = agentList(field);
  if (several !== undefined && several.length > MOST_TRIES)
    tellMost({ field, key, report }, told`${several.length} names`, MOST_TRIES);
  if (several !== undefined) return several.slice(0, MOST_TRIES);
  const name = roleOf(field);
  return name === undefined ? undefined : (agentCalled(name) ?? name);
}

function tellMost(
  { key, field, report }: Pick<Said, "key" | "field" | "report">,
  what: string | Told,
  most: number,
) {
  const name = fieldName(key);
  tellBad(
    { field, report },
    told`${name}: ${what} where 1 to ${most} are allowed`,
    told`write ${name}: with 1 to ${most}`,
  );
}

/** A whole number within its limits; behind our own spelling of the name anything else is told. */
function countOf(said: Said): number | undefined {
  const { row, field } = said;
  const { most = Number.MAX_SAFE_INTEGER } = row;
  const word = stripped(field.text);
  const count = /^[0-9]{1,9}$/.test(word) ? Number(word) : 0;
  if (count >= 1 && count <= most) return count;
  if (field.plain && word !== "") tellMost(said, `"${word}"`, most);
  return undefined;
}

/** How a value of each kind is read; undefined where the field says nothing of that kind. */
export const READERS: { readonly [K in ValueKind]: (said: Said) => ValueKinds[K] | undefined } = {
  agent: agentOf,
  choice: choiceOf,
  command: commandOf,
  count: countOf,
  folder: ({ field }) => worktreeOf(field),
  kind: kindOf,
  name: ({ field }) => (field.plain ? nameOf(field) : undefined),
  names: namesOf,
  node: nodeOf,
  paths: ({ all }) => filesOf(all),
  reviewer: reviewerOf,
  role: ({ field }) => roleOf(field),
  text: ({ field }) => textOf(field),
  words: ({ field }) => expectationOf(field),
  yesNo: yesNoOf,
};
