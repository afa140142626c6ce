import { type Told, told, toldText, visible } from "../text/index.ts";
import { bodyOfPart, type Checkpoint, conflictLine, parseCheckpoint, rowTest } from "./document.ts";
import type { FrontMatter } from "./front-matter.ts";
import { isIsoTime } from "./iso-time.ts";
import { isCheckpointId } from "./names.ts";
import { PARTS, type Part, ruleOf } from "./parts.ts";
import { readTables } from "./table.ts";

/** One way in which a document departs from the specification. */
export interface Departure {
  /** Stable, e.g. `MISSING_SECTION`. */
  readonly code: string;
  /** An error breaks what others rely on; a warning is a departure that everything here copes with. */
  readonly severity: "error" | "warning";
  /** 1-based; 0 when it concerns the whole document. */
  readonly line: number;
  /** In English. */
  readonly message: string;
  /** The same with its values apart, for other languages. */
  readonly said: Told;
}

/** Statuses a checkpoint may have. */
export const STATUSES: readonly string[] = ["current", "active", "superseded", "archived", "completed"];

/** An error at a line. */
export function error(code: string, line: number, said: Told): Departure {
  return { code, severity: "error", line, message: toldText(said), said };
}

/** A warning at a line. */
export function warning(code: string, line: number, said: Told): Departure {
  return { code, severity: "warning", line, message: toldText(said), said };
}

/** A foreign text within a message. */
export function shown(text: string): string {
  return `"${visible(text, 60)}"`;
}

/** Everything in which a checkpoint departs from the specification, by line. */
export function checkCheckpoint(text: string): Departure[] {
  const checkpoint = parseCheckpoint(text);
  return [
    ...checkMerge(checkpoint),
    ...checkHead(checkpoint.front),
    ...checkParts(checkpoint),
    ...checkTables(checkpoint),
  ].sort((a, b) => a.line - b.line);
}

function checkMerge(checkpoint: Checkpoint): Departure[] {
  const at = conflictLine(checkpoint);
  if (at === undefined) return [];
  return [error("CONFLICT_MARKERS", at + 1, told`An unfinished merge left both of its sides here`)];
}

/** Departures that documents of both kinds share: fields twice, lines that are none, fields missing. */
export function checkFront(front: FrontMatter, required: readonly string[]): Departure[] {
  const found: Departure[] = front.broken.map(line =>
    error("BAD_FRONT_MATTER", line, told`This line of the front matter is no \`key: value\``),
  );
  const seen = new Set<string>();
  for (const { key, line } of front.fields) {
    if (seen.has(key))
      found.push(error("DUPLICATE_FIELD", line, told`The field ${shown(key)} stands here again`));
    seen.add(key);
  }
  for (const key of required) {
    if (!front.fields.some(field => field.key === key && field.value !== ""))
      found.push(error("MISSING_FIELD", 1, told`The front matter lacks \`${key}:\``));
  }
  return found;
}

/** A document without front matter, or with one that is never closed. */
export function noFront({ unclosed }: FrontMatter, lacks: Told): Departure {
  if (unclosed !== true) return warning("NO_FRONT_MATTER", 1, told`No front matter: ${lacks}`);
  return error("BAD_FRONT_MATTER", 1, told`The front matter begins here and is never closed by \`---\``);
}

/** A field that must hold a date, and is there. */
export function checkDate(front: FrontMatter, key: string): Departure[] {
  const field = front.fields.find(one => one.key === key && one.value !== "");
  if (field === undefined || isIsoTime(field.value)) return [];
  const message = told`\`${key}:\` is ${shown(field.value)}, not an ISO-8601 date such as 2026-01-31T09:30:00Z`;
  return [error("BAD_DATE", field.line, message)];
}

/** A field that must hold a checkpoint's id, and is there. */
export function checkId(front: FrontMatter, key: string): Departure[] {
  const field = front.fields.find(one => one.key === key && one.value !== "");
  if (field === undefined || isCheckpointId(field.value)) return [];
  const message = told`\`${key}:\` is ${shown(field.value)}; ids have letters, digits, "_", "." and "-" only, 64 at most`;
  return [error("BAD_ID", field.line, message)];
}

function checkHead(front: FrontMatter): Departure[] {
  if (front.lines === 0) return [noFront(front, told`the checkpoint names neither itself nor its parent`)];
  const found = [
    ...checkFront(front, ["checkpoint", "created"]),
    ...checkId(front, "checkpoint"),
    ...checkId(front, "parent"),
    ...checkDate(front, "created"),
  ];
  const value = (key: string) => front.fields.find(one => one.key === key);
  const parent = value("parent");
  if (parent !== undefined && parent.value !== "" && parent.value === value("checkpoint")?.value)
    found.push(error("OWN_PARENT", parent.line, told`The checkpoint names itself as its parent`));
  const status = value("status");
  if (status !== undefined && status.value !== "" && !STATUSES.includes(status.value)) {
    const message = told`\`status:\` is ${shown(status.value)}; known are ${STATUSES.join(", ")}`;
    found.push(warning("BAD_STATUS", status.line, message));
  }
  return found;
}

function checkParts(checkpoint: Checkpoint): Departure[] {
  const found: Departure[] = [];
  const first = new Map<Part, number>();
  const seen = new Set<string>();
  const titles = new Set<string>();
  for (const [index, { part, section }] of checkpoint.tiles.entries()) {
    const line = section.line + 1;
    // Below another heading the same title is another section: each dated delta has what changed.
    const place = part === undefined ? `${section.parent} ${section.title}` : section.title;
    const again = part === undefined ? seen.has(place) : section.ordinal > 1;
    seen.add(place);
    if (section.level > 0 && section.level < 4 && again && !titles.has(place)) {
      titles.add(place);
      found.push(error("DUPLICATE_SECTION", line, told`A second section ${shown(section.title)}`));
    }
    if (part === undefined) continue;
    const before = first.get(part);
    if (before === undefined) first.set(part, index);
    else if (checkpoint.tiles[before]!.section.title !== section.title && section.level <= 3) {
      const message = told`${shown(section.title)} and ${shown(checkpoint.tiles[before]!.section.title)} both mean ${ruleOf(part).title}`;
      found.push(warning("DUPLICATE_SECTION", line, message));
    }
  }
  const essential = first.get("essential");
  for (const { part, title, level, required } of PARTS) {
    const at = first.get(part);
    if (at === undefined) {
      if (required)
        found.push(error("MISSING_SECTION", 0, told`No section "${`${"#".repeat(level)} ${title}`}"`));
      continue;
    }
    const { section } = checkpoint.tiles[at]!;
    if (required && part !== "essential" && isBlankBody(bodyOfPart(checkpoint, part)))
      found.push(error("EMPTY_SECTION", section.line + 1, told`${shown(section.title)} says nothing`));
    if (level === 3 && essential !== undefined && !isWithin(checkpoint, at, essential)) {
      const message = told`${shown(section.title)} stands outside of ${shown(checkpoint.tiles[essential]!.section.title)}`;
      found.push(warning("MISPLACED_SECTION", section.line + 1, message));
    }
  }
  return found;
}

function isBlankBody(lines: readonly string[] | undefined): boolean {
  return lines === undefined || lines.every(line => line.trim() === "");
}

function isWithin({ tiles }: Checkpoint, index: number, tree: number): boolean {
  return index > tree && index < tiles[tree]!.treeEnd;
}

function checkTables(checkpoint: Checkpoint): Departure[] {
  const tables = readTables(checkpoint.lines, 0, checkpoint.lines.length, rowTest(checkpoint));
  return tables.flatMap(({ titles, rows, broken }) =>
    broken.map(index => {
      const { cells, line } = rows[index]!;
      const [has, should] = [cells.length, titles.length];
      const message =
        has > should
          ? told`A row of ${has} cells in a table of ${should} columns (a "|" within a cell is written "\\|")`
          : told`A row of ${has} cells in a table of ${should} columns`;
      return error("BROKEN_ROW", line + 1, message);
    }),
  );
}
