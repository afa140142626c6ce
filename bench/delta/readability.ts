import { baseOf } from "../../src/delta/message/base.ts";
import { readHeader } from "../../src/delta/message/header.ts";
import { operationsAt, partAt, splitBody } from "../../src/delta/message/parts.ts";
import { raised } from "../../src/delta/message/raised.ts";
import { readReplacement } from "../../src/delta/message/read-change.ts";
import { readHead } from "../../src/delta/message/read-head.ts";
import { readPieces } from "../../src/delta/message/read-pieces.ts";
import { seenBy } from "../../src/delta/message/throughout.ts";
import { joinsPrevious, sentenceGoesOn } from "./sentences.ts";

/** A change of a message that reads as a patch, and why. */
export interface Flag {
  readonly change: string;
  readonly reason: "half an old side" | "half a new side" | "a line by its number" | "half a sentence";
}

const MOST_ITEMS = 50_000;

/**
 * The changes of a message whose old or new side is no whole clause, item, cell, value or sentence of its document, and
 * those whose line is named by its number. It judges what the operations do to the base, not how the encoder came to
 * them: it shares no rule of wording with it. A whole document or section has none.
 */
export function unreadable(message: string, old: string): Flag[] {
  const header = readHeader(message.split("\n", 1)[0]!);
  if (header === undefined) throw new Error("Not an update message");
  const rest = message.slice(message.indexOf("\n") + 1);
  const [part, full] = [operationsAt(rest), partAt(rest, "## Full")];
  if (part === undefined || (full !== undefined && full.heading < part.heading)) return [];
  const written = splitBody(rest.slice(part.start)).operations;
  const risen = raised(old, header.label, header.from, header.to);
  const seen = seenBy(risen, written);
  if ("kind" in seen) throw new Error(`${seen.reason}: ${seen.operation}`);
  const { operations } = seen;
  const base = baseOf(seen.text);
  const { lines } = base.view;
  const flags = ofThroughout(written.slice(0, written.length - operations.length), risen);
  let ref = "";
  for (const operation of grouped(operations)) {
    const { kind, ref: named, text } = readHead(operation[0]!)!;
    if (named !== undefined) ref = ` §${named}`;
    const own = named === undefined && ref !== "" ? withRef(operation, kind, ref, text) : operation;
    for (const unit of kind === "CHANGED" ? each(own, kind, ref, text) : [own]) {
      const read = readPieces(base, unit, MOST_ITEMS);
      if ("kind" in read) throw new Error(`${read.reason}: ${unit.join("\n")}`);
      const change = unit.at(-1)!.trim();
      flags.push(...ofSpans(lines, read.edits.spans, change));
      if (kind === "REWRAPPED") flags.push(...ofRewrapped(lines, read.edits.lines[0]!, unit[0]!));
      else if (kind !== "CHANGED")
        for (const edit of read.edits.lines) flags.push(...ofLines(lines, edit, unit[0]!));
    }
  }
  return flags;
}

/** Words that change wherever they stand: each is a whole word there, with no letter or digit beside it. */
function ofThroughout(said: readonly string[], old: string): Flag[] {
  return said.flatMap((line): Flag[] => {
    const change = readReplacement(
      line
        .replace(/^- CHANGED throughout:/, "")
        .trim()
        .replace(/ \(\d+ times\)$/, ""),
    );
    if (change === undefined) return [];
    const half = isHalfWord(old, change.old);
    return half ? [{ change: line.trim(), reason: "half an old side" }] : [];
  });
}

function isHalfWord(text: string, words: string): boolean {
  const isLetter = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char);
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [first, last] = [words[0], words.at(-1)];
    if (isLetter(first) && isLetter(text[at - 1])) return true;
    if (isLetter(last) && isLetter(text[at + words.length])) return true;
  }
  return false;
}

type Operation = readonly [string, ...string[]];

/** An operation that names no section, with the one it belongs to. */
function withRef(
  [line, ...below]: Operation,
  kind: string,
  ref: string,
  text: string | undefined,
): Operation {
  const inline = (kind === "CHANGED" || kind === "REMOVED") && text !== undefined && text !== "";
  return [inline ? `- ${kind}${ref}: ${text}` : line.replace(kind, kind + ref), ...below];
}

/** A list of changes, each as an operation of its own. */
function each(operation: Operation, kind: string, ref: string, text: string | undefined): Operation[] {
  const [, ...below] = operation;
  if (text !== "" || below.length === 0) return [operation];
  const listed = below.filter(line => line.trim() !== "");
  return listed.map(line => [ref === "" ? `- ${kind}:` : `- ${kind}${ref}:`, line]);
}

function* grouped(operations: readonly string[]): Generator<Operation> {
  let open: [string, ...string[]] | undefined;
  for (const line of operations) {
    if (/^- (?:ADDED|CHANGED|REMOVED|REPLACED|MOVED|REWRAPPED)(?![A-Za-z])/.test(line)) {
      if (open !== undefined) yield open;
      open = [line];
    } else open?.push(line);
  }
  if (open !== undefined) yield open;
}

/** A paragraph that breaks elsewhere: what its words become, judged as those of one line. Without any, nothing is half. */
function ofRewrapped(
  lines: readonly string[],
  { from, to }: { from: number; to: number },
  operation: string,
): Flag[] {
  const { text } = readHead(operation)!;
  if (text === undefined) return [];
  const paragraph = lines
    .slice(from, to)
    .map(line => line.trim())
    .join(" ");
  const read = readPieces(baseOf(paragraph), [`- CHANGED: ${text}`], MOST_ITEMS);
  if ("kind" in read) throw new Error(`${read.reason}: ${operation}`);
  const edges = { cutBefore: sentenceGoesOn(lines, from), cutAfter: sentenceGoesOn(lines, to) };
  return ofSpans([paragraph], read.edits.spans, operation, edges);
}

interface Spliced {
  readonly line: number;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

type Edges = Parameters<typeof isWhole>[3];

function ofSpans(lines: readonly string[], spans: readonly Spliced[], change: string, known?: Edges): Flag[] {
  const said = change.split(" → ", 1)[0]!.replace(/^- CHANGED (?:§[^:]*?(?:: |\.))?/, "");
  if (/^L\d+(?:, [^:]*)?: /.test(said)) return [{ change, reason: "a line by its number" }];
  const keyed = said.includes(": ") || said.endsWith(":") || said.startsWith("[");
  for (const line of new Set(spans.map(span => span.line))) {
    const own = spans.filter(span => span.line === line).sort((a, b) => a.from - b.from);
    const old = lines[line]!;
    let shift = 0;
    let next = old;
    const sides = own.map(({ from, to, text }) => {
      const at = from + shift;
      next = next.slice(0, at) + text + next.slice(at + to - from);
      shift += text.length - (to - from);
      return { old: { from, to }, next: { from: at, to: at + text.length } };
    });
    const edges = known ?? {
      cutBefore: sentenceGoesOn(lines, line),
      cutAfter: sentenceGoesOn(lines, line + 1),
    };
    for (const side of sides) {
      const value =
        keyed && isValue(old, side.old.from, side.old.to) && isValue(next, side.next.from, side.next.to);
      if (value) continue;
      if (!isWhole(old, side.old.from, side.old.to, edges)) return [{ change, reason: "half an old side" }];
      if (!isWhole(next, side.next.from, side.next.to, edges)) return [{ change, reason: "half a new side" }];
    }
  }
  return [];
}

/** Lines that come, go or give way: neither may end amid a sentence that goes on in lines that stay. */
function ofLines(
  lines: readonly string[],
  { from, to, lines: added }: { from: number; to: number; lines: readonly string[] },
  change: string,
): Flag[] {
  if (from === to && added.length === 0) return [];
  const after = [...lines.slice(Math.max(0, from - 1), from), ...added, ...lines.slice(to, to + 1)];
  const start = from === 0 ? 0 : 1;
  const oldCut = to > from && (joins(lines, from) || joins(lines, to));
  const nextCut = added.length > 0 && (joins(after, start) || joins(after, start + added.length));
  return oldCut || nextCut ? [{ change, reason: "half a sentence" }] : [];
  function joins(list: readonly string[], at: number): boolean {
    if (list === lines) return sentenceGoesOn(lines, at);
    const fenced =
      from > 0 && !joinsPrevious(lines, from) && lines[from - 1]!.trim() !== "" && inFence(lines, from);
    return !fenced && sentenceGoesOn(list, at);
  }
}

function inFence(lines: readonly string[], at: number): boolean {
  let open = false;
  for (let line = 0; line < at; line++) if (/^\s*(?:```|~~~)/.test(lines[line]!)) open = !open;
  return open;
}

const OPENING = /(?:^|[|([{“‘「（"]|[,;.!?:](?=[\s*_~])|[。、，：；！？]| [–—→]| -{1,2}| ->|\s\+)[\s*_~]*$/u;
const CLOSING =
  /^[*_~]*(?:\s*(?:$|\|)|[)\]}”’」）"]|[,;.!?:](?:[\s*_~)\]"]|$)|[。、，：；！？]|\s+(?:[–—→([{「（]|-{1,2} |->|\+ ))/u;

/** Whether a piece of a line is set off on both sides by what ends a clause, a cell or an item, with its marks in pairs. */
export function isWhole(
  line: string,
  from: number,
  to: number,
  { cutBefore, cutAfter }: { readonly cutBefore: boolean; readonly cutAfter: boolean },
): boolean {
  const text = line.slice(from, to);
  if (text.trim() === "" || isEnclosed(text.trim())) return true;
  const content = /^\s*(?:(?:[-*+>]|\d+[.)]|#{1,6})\s+)*(?:\[.\]\s+)?/.exec(line)![0].length;
  const before = line.slice(0, from);
  const after = line.slice(to);
  const left =
    from <= content
      ? !cutBefore
      : OPENING.test(before.slice(content) + (/^\s/.test(text) ? " " : "")) || /[.!?:;,—–-]$/.test(text[0]!);
  const right = after.trim() === "" ? !cutAfter : CLOSING.test(after) || /[.!?:;,]\s*$/.test(text);
  return left && right && isPaired(text);
}

/** What one pair of brackets holds, or one code span: a parenthesis is a whole. */
function isEnclosed(text: string): boolean {
  return /^(?:\([^()]*\)|\{[^{}]*\}|（[^（）]*）|「[^「」]*」|\[[^[\]]*\](?:\([^()]*\))?|`[^`]+`)$/.test(
    text,
  );
}

/** Brackets, stars and backticks come in pairs. */
function isPaired(text: string): boolean {
  const count = (mark: string): number => text.split(mark).length - 1;
  return (
    count("(") === count(")") && count("[") === count("]") && count("`") % 2 === 0 && count("**") % 2 === 0
  );
}

/** Whether a piece of a line is one whole value: a number with its unit, a date, a path, a code span, a word in capitals, a box. */
function isValue(line: string, from: number, to: number): boolean {
  const text = line.slice(from, to);
  const free =
    /(?:^|[\s(["'`*_|:~])$/u.test(line.slice(0, from)) &&
    /^(?:$|[\s)\]"'`*_|~]|[,;.:!?](?:\s|$|[*_]))/u.test(line.slice(to));
  if (!free) return false;
  if (/^`[^`]+`$|^\[.\]$|^\[[^\]]+\]\([^)]*\)$|^\*\*[^*]+\*\*$/u.test(text)) return true;
  // A mark: an emoji, a dash, an arrow.
  if (/^(?:\p{Extended_Pictographic}️?|[–—→↔✓✗]|<?-{1,2}>?)$/u.test(text)) return true;
  return !/\s/.test(text) && (/\d/.test(text) || /^[\p{Lu}_-]{2,}$/u.test(text)) && isPaired(text);
}
