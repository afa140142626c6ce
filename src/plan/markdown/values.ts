import { agentCalled } from "../../ports/index.ts";
import { idProblem, nodeName } from "../../tree/index.ts";
import { NODE_ID_HINT } from "../context/report-nodes.ts";
import { NOWHERE, type Report } from "../report.ts";
import { readBox } from "../syntax/box.ts";
import { isAlnum, isWord } from "../syntax/chars.ts";
import type { FieldKey } from "../syntax/fields.ts";
import { fileList } from "../syntax/file-list.ts";
import { leadingState, type State } from "../syntax/marks.ts";
import { spans } from "../syntax/paths.ts";
import type { Task, TaskKind } from "../types.ts";
import type { Field } from "./document.ts";
import { opensBlock } from "./field-reader.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The parts of a task that its fields say, dependencies aside. */
export type Values = Mutable<
  Pick<Task, "kind" | "files"> &
    Partial<
      Pick<
        Task,
        | "specialist"
        | "worktree"
        | "verify"
        | "run"
        | "test"
        | "agent"
        | "role"
        | "contextRef"
        | "fills"
        | "expects"
        | "risk"
        | "tdd"
      >
    >
> & { state?: State };

/** Text without bold, backticks and quotes around it. */
function stripped(value: string): string {
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
function roleOf(field: Field): string | undefined {
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

/** A status may be a box of its own: `[x] 완료`. */
function statusOf(value: string): State | undefined {
  const text = stripped(value);
  return readBox(text, 0, text.length)?.state ?? leadingState(text);
}

/**
 * A command: the fence below the field, or a value that is one code span; behind our own lower-case field names also a
 * span with a remark, or plain words. Prose is never taken for a command.
 */
function commandOf(field: Field): string | undefined {
  if (field.code !== undefined && field.code.trim() !== "") return field.code;
  const value = field.text.trim();
  const code = spans(value);
  const whole = code.length === 1 && value === `\`${code[0]}\``;
  const leading = field.plain && code.length > 0 && value.startsWith("`");
  if (whole || leading) return code[0]!.trim() || undefined;
  if (!field.plain || code.length > 0 || value === "" || isNone(value) || opensBlock(value)) return undefined;
  return withoutQuotes(value);
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
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (!isAlnum(code) && code !== 45 && code !== 46 && code !== 95 && code !== 58) return undefined;
  }
  return word === "" || word.length > 200 ? undefined : word;
}

/** The context node a field names. Prose about context is none; what is meant as an id and cannot be one is told. */
function nodeOf(field: Field | undefined, what: "contextRef" | "fills", report: Report): string | undefined {
  if (field === undefined) return undefined;
  const id = stripped(field.text);
  if (idProblem(nodeName(id)) === undefined) return id;
  const isMeant =
    id.startsWith("ctx-") || (what === "fills" && field.plain && id !== "" && !id.includes(" "));
  if (isMeant)
    report.add("error", "BAD_NODE", placeOf(field), `"${id}" cannot name a context node`, NODE_ID_HINT);
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

function tddOf(field: Field): boolean | undefined {
  const value = stripped(field.text).toLowerCase();
  const word = value.split(/[\s(（,]/, 1)[0]!;
  if (NO.has(word)) return false;
  return YES.has(word) || (value.includes("red") && value.includes("green")) ? true : undefined;
}

const RISKS = new Map<string, "low" | "medium" | "critical">([
  ["low", "low"],
  ["낮음", "low"],
  ["medium", "medium"],
  ["중간", "medium"],
  ["보통", "medium"],
  ["high", "critical"],
  ["높음", "critical"],
  ["critical", "critical"],
]);

function placeOf(field: Field): { line: number; column: number; length: number } {
  return { line: field.line, column: field.column, length: Math.max(1, field.text.length) };
}

/** What the fields of one task say. `fields` stand in order of authority: the first of a key counts. */
export function readValues(fields: readonly Field[], report: Report): Values {
  const values: Values = { kind: "worker", files: filesOf(fields.filter(field => field.key === "files")) };
  const first = (key: FieldKey) => {
    let best: Field | undefined;
    for (const field of fields)
      if (field.key === key && (best === undefined || field.depth < best.depth)) best = field;
    return best;
  };
  const take = <K extends keyof Values>(name: K, value: Values[K] | undefined) => {
    if (value !== undefined) values[name] = value;
  };
  for (const key of ["run", "verify", "test"] as const) {
    const field = first(key);
    take(key, field === undefined ? undefined : commandOf(field));
  }
  const specialist = first("specialist");
  take("specialist", specialist === undefined ? undefined : roleOf(specialist));
  const role = first("role");
  take("role", role?.plain === true ? nameOf(role) : undefined);
  if (values.specialist === undefined && role !== undefined) take("specialist", values.role ?? roleOf(role));
  const agent = first("agent");
  if (agent !== undefined) {
    const name = roleOf(agent);
    // In real files `agent:` mostly names a role: only a name we know, or one beside a role, is an agent.
    const known = name === undefined ? undefined : agentCalled(name);
    if (known !== undefined || values.specialist !== undefined) take("agent", known ?? name);
    else take("specialist", name);
  }
  const worktree = first("worktree");
  take("worktree", worktree === undefined ? undefined : worktreeOf(worktree));
  take("contextRef", nodeOf(first("context"), "contextRef", report));
  take("fills", nodeOf(first("fills"), "fills", report));
  const tdd = first("tdd");
  take("tdd", tdd === undefined ? undefined : tddOf(tdd));
  const status = first("status");
  take("state", status === undefined ? undefined : statusOf(status.text));
  const expects = first("expects");
  if (expects !== undefined) take("expects", expectationOf(expects));
  readRisk(first("risk"), values, report);
  readKind(first("kind"), values, report);
  return values;
}

function expectationOf(field: Field): readonly string[] | undefined {
  const pieces = [field, ...field.below].map(piece => stripped(piece.text)).join(",");
  const words = pieces.split(/[,\s]+/).filter(word => word !== "");
  return words.length > 0 ? words : undefined;
}

function readRisk(field: Field | undefined, values: Values, report: Report): void {
  if (field === undefined) return;
  const word = stripped(field.text)
    .toLowerCase()
    .split(/[\s(（]/, 1)[0]!;
  const risk = RISKS.get(word);
  if (risk !== undefined) values.risk = risk;
  else if (field.plain && word !== "")
    report.add(
      "warning",
      "BAD_FIELD",
      placeOf(field),
      `risk "${word}" is none of low, medium, critical`,
      "write risk: low, medium or critical",
    );
}

function readKind(field: Field | undefined, values: Values, report: Report): void {
  if (values.fills !== undefined) values.kind = "context-fill";
  if (field === undefined) return;
  const word = stripped(field.text).toLowerCase().replaceAll("_", "-");
  if (word === "worker" || word === "context-fill") values.kind = word satisfies TaskKind;
  else if (field.plain)
    report.add(
      "warning",
      "BAD_FIELD",
      placeOf(field),
      `kind "${word}" is neither worker nor context-fill`,
      "write kind: worker or kind: context-fill",
    );
  if (values.kind === "context-fill" && values.fills === undefined) {
    report.add(
      "error",
      "NO_TARGET",
      field === undefined ? NOWHERE : placeOf(field),
      "a context-fill task must say which node it fills",
      "add fills: ctx-…",
    );
  }
}
