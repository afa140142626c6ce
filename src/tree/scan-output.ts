import type { BlockProblem } from "../ports/index.ts";
import { idProblem, LONGEST_ID, nodeName } from "./ids.ts";
import { type MessageLine, type MessageWalk, walkMessage } from "./lines.ts";

/** How much one message may add to the tree, in UTF-16 code units. */
export interface ScanLimits {
  readonly blockLength: number;
  readonly blocks: number;
  /** Of all accepted blocks together. */
  readonly totalLength: number;
  readonly requests: number;
}

/** The limits used where none are given. */
export const SCAN_LIMITS: ScanLimits = {
  blockLength: 65_536,
  blocks: 20,
  totalLength: 262_144,
  requests: 5,
};

/** A block that a message adds to a node. Its text is foreign. */
export interface Addition {
  /** The node's id, in normal form. */
  readonly node: string;
  readonly text: string;
  /** 1-based line of the opening tag. */
  readonly line: number;
  /** Where the block stands in the message, tags and lines included. */
  readonly from: number;
  readonly to: number;
}

/** Why a block is refused. */
export type RefusalReason = BlockProblem;

/** A block that was left where it stood, whole. */
export interface Refusal {
  /** As written, at most 64 characters. */
  readonly node: string;
  readonly line: number;
  readonly why: RefusalReason;
  /** Where it stands, tags and lines included. */
  readonly from: number;
  readonly to: number;
  /** What it holds; absent where another one begins in it. Foreign. */
  readonly text?: string;
}

/** What a message holds besides its words. */
export interface OutputScan {
  readonly additions: readonly Addition[];
  /** The first of what was refused; `refused` counts all. */
  readonly refusals: readonly Refusal[];
  readonly refused: number;
  /** Questions that `[SPAWN:research]` asks; foreign, one line each. */
  readonly requests: readonly string[];
  /** The message without the blocks that can be taken in, and without requests. */
  readonly rest: string;
}

const OPEN = "[ADD_CONTEXT:";
/** What a tag begins with that is no tag: one that names no node, or stands in marks. */
const NEARLY = "[ADD_CONTEXT";
const CLOSE = "[/ADD_CONTEXT]";
const SPAWN = "[SPAWN:research]";
const QUERY = "Query:";
/** What all tags begin with. */
const BRACKET = 91;
/** Of code and emphasis. */
const MARKS: ReadonlySet<number> = new Set([42, 95, 96]);
/** Refusals that are listed; the others are only counted. */
const MOST_REFUSALS = 10;
/** Characters of a question. */
const LONGEST_REQUEST = 1000;

/** What gathers up while a message is walked through. */
interface Findings {
  readonly text: string;
  readonly limits: ScanLimits;
  readonly additions: Addition[];
  readonly refusals: Refusal[];
  readonly requests: string[];
  refused: number;
  total: number;
  /** Parts of the message that stay, and where the next one begins. */
  readonly kept: string[];
  keptFrom: number;
}

/**
 * Reads `[ADD_CONTEXT:node] … [/ADD_CONTEXT]` and `[SPAWN:research] question` out of a message: tags begin a line outside of
 * code fences, a block ends where a line outside of fences ends with the closing tag. Nothing that a block holds is read
 * further. Linear in the message, whatever it holds.
 */
export function scanOutput(text: string, limits: ScanLimits = SCAN_LIMITS): OutputScan {
  const found: Findings = {
    text,
    limits,
    additions: [],
    refusals: [],
    requests: [],
    refused: 0,
    total: 0,
    kept: [],
    keptFrom: 0,
  };
  const walk = walkMessage(text);
  const { line } = walk;
  for (let number = 1; walk.step(); number++) {
    if (line.fenced) continue;
    if (begins(text, line, OPEN)) number += readBlock(walk, number, found);
    else if (begins(text, line, SPAWN)) readRequest(line, found);
    else {
      const node = nearlyTagged(text, line);
      if (node !== undefined)
        refuse(found, { node, line: number, why: "bad-tag", from: line.start, to: line.next, text: "" });
    }
  }
  found.kept.push(text.slice(found.keptFrom));
  const { additions, refusals, refused, requests, kept } = found;
  return { additions, refusals, refused, requests, rest: kept.join("") };
}

/** Whether a line of its own would open a block, were it in no code. */
export function opensBlock(line: string): boolean {
  const body = line.trimStart();
  return body.startsWith(OPEN) && line.length - body.length < 4;
}

/** The opening tag on a line: the node it names, and where what it holds begins. */
function readTag(text: string, line: MessageLine): { node: string; closed: boolean; end: number } {
  const inside = text.slice(line.body + OPEN.length, line.end);
  const length = inside.indexOf("]");
  return length < 0
    ? { node: inside.trim(), closed: false, end: line.end }
    : { node: inside.slice(0, length).trim(), closed: true, end: line.body + OPEN.length + length + 1 };
}

/** Reads a block whose opening line the walk stands on, up to its closing line; says how many lines further that is. */
function readBlock(walk: MessageWalk, number: number, found: Findings): number {
  const { text } = found;
  const { line } = walk;
  const { start } = line;
  const tag = readTag(text, line);
  let depth = 1;
  let lines = 0;
  let nested = false;
  for (;;) {
    if (!line.fenced) {
      if (lines > 0 && begins(text, line, OPEN)) {
        depth++;
        nested = true;
      }
      if (endsWith(text, line, CLOSE, tag.end) && --depth === 0) break;
    }
    if (!walk.step()) {
      const place = { node: tag.node, line: number, from: start, to: text.length };
      if (nested) refuse(found, { ...place, why: "nested" });
      else refuse(found, { ...place, why: "unterminated", text: text.slice(tag.end).trim() });
      return lines;
    }
    lines++;
  }
  const body = text.slice(tag.end, line.end - CLOSE.length).trim();
  const place = { line: number, from: start, to: line.next };
  const why = nested ? "nested" : obstacle(found, tag, body);
  if (why !== undefined) refuse(found, { node: tag.node, ...place, why, ...(nested ? {} : { text: body }) });
  else {
    cut(found, start, line.next);
    found.additions.push({ node: nodeName(tag.node), text: body, ...place });
    found.total += body.length;
  }
  return lines;
}

/** What stands against a block that is whole. */
function obstacle(
  { additions, total, limits }: Findings,
  tag: { node: string; closed: boolean },
  body: string,
): RefusalReason | undefined {
  if (!tag.closed || tag.node.length > LONGEST_ID || idProblem(nodeName(tag.node)) !== undefined)
    return "bad-id";
  if (body === "") return "empty";
  if (body.length > limits.blockLength) return "too-long";
  if (additions.length >= limits.blocks) return "too-many";
  return total + body.length > limits.totalLength ? "too-much" : undefined;
}

function refuse(found: Findings, refusal: Refusal): void {
  found.refused++;
  if (found.refusals.length < MOST_REFUSALS)
    found.refusals.push({ ...refusal, node: refusal.node.slice(0, LONGEST_ID) });
}

/** What a line names as a node that would open a block, did it name one behind a colon, and no marks stood around it. */
function nearlyTagged(text: string, line: MessageLine): string | undefined {
  let from = line.body;
  while (from < line.end && MARKS.has(text.charCodeAt(from))) from++;
  if (!text.startsWith(NEARLY, from) || line.body - line.start > 3) return undefined;
  let to = line.end;
  while (to > from && MARKS.has(text.charCodeAt(to - 1))) to--;
  const inside = text.slice(from + NEARLY.length, to);
  const isTag = inside.indexOf("]") === inside.length - 1 && [":", " ", "]"].includes(inside[0]!);
  return isTag ? inside.slice(0, -1).replace(":", "").trim() : undefined;
}

/** Takes lines out of what stays of the message. */
function cut(found: Findings, from: number, to: number): void {
  found.kept.push(found.text.slice(found.keptFrom, from));
  found.keptFrom = to;
}

function readRequest(line: MessageLine, found: Findings): void {
  const { text, requests, limits } = found;
  cut(found, line.start, line.next);
  const said = text.slice(line.body + SPAWN.length, line.end).trim();
  const question = (said.startsWith(QUERY) ? said.slice(QUERY.length) : said)
    .trim()
    .slice(0, LONGEST_REQUEST);
  if (question !== "" && requests.length < limits.requests) requests.push(question);
}

/** Whether a line begins with a tag, indented by less than what would make it code. */
function begins(text: string, line: MessageLine, tag: string): boolean {
  return line.first === BRACKET && line.body - line.start < 4 && text.startsWith(tag, line.body);
}

/** Whether a line ends with a tag that stands behind `from`. */
function endsWith(text: string, line: MessageLine, tag: string, from: number): boolean {
  const at = line.end - tag.length;
  return at >= from && at >= line.body && text.startsWith(tag, at);
}
