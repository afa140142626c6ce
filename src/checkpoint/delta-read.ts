import { scanBlocks, scanSections } from "../markdown/index.ts";
import { visible } from "../text/index.ts";
import { type FrontMatter, namedFields, readFrontMatter } from "./front-matter.ts";
import { oneLine } from "./table.ts";

/** Info string of the machine block's fence. */
export const BLOCK_INFO = "espalier-delta";

/** A delta document, read. Any text is one; `checkDelta` tells what is amiss. */
export interface DeltaDocument {
  readonly front: FrontMatter;
  readonly delta?: string;
  readonly created?: string;
  readonly from?: string;
  readonly to?: string;
  readonly fromHash?: string;
  readonly toHash?: string;
  readonly seal?: string;
  /** Its one sentence; empty without one. */
  readonly summary: string;
  /** Headings it has, by what they mean, with their 1-based lines. */
  readonly headings: ReadonlyMap<DeltaPart, number>;
  /** The update message of its machine block; undefined for a delta that only describes. */
  readonly block?: string;
}

export type DeltaPart =
  | "summary"
  | "changes"
  | "added"
  | "modified"
  | "removed"
  | "transitions"
  | "instructions";

const TITLES: readonly (readonly [string, DeltaPart])[] = [
  ["summary", "summary"],
  ["resumen", "summary"],
  ["요약", "summary"],
  ["changes", "changes"],
  ["added", "added"],
  ["new", "added"],
  ["modified", "modified"],
  ["minor changes", "modified"],
  ["removed", "removed"],
  ["status transitions", "transitions"],
  ["status changes", "transitions"],
  ["merge instructions", "instructions"],
];

/** Reads a delta document; linear in its length, for any text. */
export function readDelta(text: string): DeltaDocument {
  const lines = text.split("\n");
  const blocks = scanBlocks(lines);
  const front = readFrontMatter(text);
  const headings = new Map<DeltaPart, number>();
  let summary = "";
  for (const { title, level, line, bodyLine, endLine } of scanSections(blocks, lines.length)) {
    const part = level === 0 ? undefined : deltaPartOf(title);
    if (part === undefined || headings.has(part)) continue;
    headings.set(part, line + 1);
    if (part === "summary") summary = oneLine(lines.slice(bodyLine, endLine).join("\n"), 1_000);
  }
  if (!headings.has("summary")) summary = boldSummary(lines);
  const block = machineBlock(lines, blocks);
  return { front, ...named(front), summary, headings, ...(block === undefined ? {} : { block }) };
}

function deltaPartOf(title: string): DeltaPart | undefined {
  const words = title.toLowerCase();
  return TITLES.find(
    ([known]) => words === known || words.startsWith(`${known} `) || words.startsWith(`${known}:`),
  )?.[1];
}

/** The head of a delta document alone, for listing many. */
export function named(
  front: FrontMatter,
): Pick<DeltaDocument, "delta" | "created" | "from" | "to" | "fromHash" | "toHash" | "seal"> {
  return namedFields(front, {
    delta: "delta",
    created: "created",
    from: "from",
    to: "to",
    fromHash: "from_hash",
    toHash: "to_hash",
    seal: "seal",
  });
}

/** The older form: a paragraph that begins with `**Summary:**`. */
function boldSummary(lines: readonly string[]): string {
  for (const line of lines) {
    for (const mark of ["**Summary:**", "**Resumen:**", "**요약:**"])
      if (line.startsWith(mark)) return visible(line.slice(mark.length).trim(), 1_000);
  }
  return "";
}

/** The last fence that holds an update message. */
function machineBlock(lines: readonly string[], blocks: ReturnType<typeof scanBlocks>): string | undefined {
  const fence = blocks.findLast(
    ({ kind, line }) => kind === "fence" && lines[line + 1]?.startsWith("[CONTEXT-UPDATE]") === true,
  );
  return fence === undefined ? undefined : lines.slice(fence.line + 1, fence.endLine - 1).join("\n");
}

/** A `## Delta: <time>` section inside a checkpoint: what its author noted of a change, not carried out by anyone. */
export interface InlineDelta {
  readonly time: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** The inline deltas of a checkpoint, in order. */
export function inlineDeltas(text: string): InlineDelta[] {
  const lines = text.split("\n");
  return scanSections(scanBlocks(lines), lines.length).flatMap(({ title, line, bodyLine, treeEnd }) => {
    const colon = title.indexOf(":");
    if (colon < 0 || title.slice(0, colon).trim().toLowerCase() !== "delta") return [];
    const body = lines.slice(bodyLine, treeEnd).join("\n").trim();
    return [{ time: title.slice(colon + 1).trim(), line: line + 1, text: body }];
  });
}
