import { isBlank, scanMarkdown } from "../markdown/index.ts";
import { type Locale, type Told, told, toldText } from "../text/index.ts";
import { type Checkpoint, endOfPart, indexOfPart, parseCheckpoint, type Tile } from "./document.ts";
import { accumulate, recount, replaceFields } from "./merge-lists.ts";
import { mergeRows } from "./merge-rows.ts";
import type { MergeConflict, Merged } from "./merged.ts";
import { PARTS, type Part, ruleOf } from "./parts.ts";
import { deltaWords } from "./words.ts";
import type { Identity } from "./work.ts";

/** What decides where the policy asks. */
export interface MergeOptions {
  /** Front matter of the result; without it the checkpoint's own stays. */
  readonly identity?: Identity;
  /** The goal shifted: a new Session Intent replaces the old one. */
  readonly shift?: boolean;
  /** Entries of the Play-By-Play that stay as they are; older ones become one line. */
  readonly recent?: number;
  /** Language of the line that counts older steps. */
  readonly locale?: Locale;
}

/** The checkpoint with new work merged in. */
export interface MergedCheckpoint {
  readonly text: string;
  readonly conflicts: readonly MergeConflict[];
}

/** Play-by-play entries that are kept word for word. */
export const RECENT_STEPS = 20;

/**
 * Merges new work into a checkpoint, section by section and without summarising again: Decisions accumulate; Technical
 * Context and the Artifact Trail are updated by name; Play-By-Play keeps what is recent; Current State and Next Actions
 * are replaced; Problem, User Rules and sections of the author's own are copied. What the policy does not touch stays
 * byte for byte.
 */
export function mergeCheckpoint(base: string, work: string, options: MergeOptions = {}): MergedCheckpoint {
  const before = parseCheckpoint(base);
  const news = parseCheckpoint(work);
  const conflicts: MergeConflict[] = [];
  const texts = before.tiles.map(({ text }) => text);
  const inserted = new Map<number, string[]>();
  const used = new Set<number>();
  const byTitle = new Map(before.tiles.map((tile, index) => [titleKey(tile), index]));
  for (const [index, tile] of news.tiles.entries()) {
    if (used.has(index) || tile.section.level === 0 || tile.part === "essential") continue;
    const end = tile.part === undefined ? index + 1 : endOfPart(news, index);
    for (let at = index; at < end; at++) used.add(at);
    const fresh = joined(news.tiles, index, end);
    const at = tile.part === undefined ? (byTitle.get(titleKey(tile)) ?? -1) : indexOfPart(before, tile.part);
    if (at < 0) {
      const place = placeFor(before, tile.part);
      inserted.set(place, [...(inserted.get(place) ?? []), fresh]);
      continue;
    }
    const until = tile.part === undefined ? at + 1 : endOfPart(before, at);
    const old = joined(before.tiles, at, until);
    const merged = mergePart(tile.part, old, fresh, options);
    if (merged.conflicts !== undefined)
      conflicts.push(
        ...merged.conflicts.map(({ why, ...both }) => ({
          section: tile.section.title,
          ...both,
          why: toldText(why, options.locale),
        })),
      );
    if (merged.text === old) continue;
    texts[at] = merged.text;
    for (let gone = at + 1; gone < until; gone++) texts[gone] = "";
  }
  const play = before.tiles.findIndex(({ part }) => part === "play");
  if (play >= 0 && options.recent !== undefined && !news.tiles.some(({ part }) => part === "play"))
    texts[play] = recount(texts[play]!, "", options.recent, deltaWords(options.locale ?? "en")).text;
  const out: string[] = [];
  for (let at = 0; at <= texts.length; at++) {
    for (const text of inserted.get(at) ?? []) out.push(apart(out.at(-1)), text);
    if (at < texts.length) out.push(inserted.has(at) ? apart(out.at(-1)) : "", texts[at]!);
  }
  const text = out.join("");
  return { text: options.identity === undefined ? text : withIdentity(text, options.identity), conflicts };
}

function joined(tiles: readonly Tile[], from: number, to: number): string {
  return tiles
    .slice(from, to)
    .map(({ text }) => text)
    .join("");
}

/** Blank line between what is put together. */
function apart(before: string | undefined): string {
  if (before === undefined || before === "" || before.endsWith("\n\n")) return "";
  return before.endsWith("\n") ? "\n" : "\n\n";
}

function titleKey({ section: { title, ordinal } }: Tile): string {
  return `${ordinal}\0${title}`;
}

/** Where a section that is new goes: before the first known one that follows it in the specification, or to the end. */
function placeFor({ tiles }: Checkpoint, part: Part | undefined): number {
  if (part === undefined) return tiles.length;
  const order = PARTS.map(rule => rule.part);
  const rank = order.indexOf(part);
  const next = tiles.findIndex(tile => tile.part !== undefined && order.indexOf(tile.part) > rank);
  return next < 0 ? tiles.length : next;
}

/** One section of both: the policy. */
function mergePart(part: Part | undefined, old: string, fresh: string, options: MergeOptions): Merged {
  switch (part) {
    case "state":
    case "next":
    case "completion":
      return { text: replaceBody(old, fresh) };
    case "intent":
      return options.shift === true
        ? { text: replaceBody(old, fresh) }
        : copied(old, fresh, told`the goal changes only where a shift is declared`);
    case "decisions":
      return accumulate(old, fresh);
    case "technical":
      return replaceFields(old, fresh);
    case "breadcrumbs":
    case "artifacts":
      return mergeRows(old, fresh);
    case "play":
      return recount(old, fresh, options.recent ?? RECENT_STEPS, deltaWords(options.locale ?? "en"));
    case "problem":
    case "rules":
      return copied(old, fresh, told`${ruleOf(part).title} is copied forward`);
    case "essential":
    case undefined:
      return copied(old, fresh, told`a section of the author's own is copied forward`);
    default: {
      const never: never = part;
      throw new Error(`unknown part ${String(never)}`);
    }
  }
}

/** The old text; a new one that says something else is a conflict. */
function copied(old: string, fresh: string, why: Told): Merged {
  const [kept, refused] = [bodyOf(old), bodyOf(fresh)];
  if (refused === "" || refused === kept) return { text: old };
  if (kept === "") return { text: replaceBody(old, fresh) };
  return { text: old, conflicts: [{ kept, refused, why }] };
}

/** Everything below the heading, without blank ends. */
function bodyOf(text: string): string {
  return text.slice(headingEnd(text)).trim();
}

function headingEnd(text: string): number {
  const first = scanMarkdown(text).items[0];
  return first?.kind === "heading" ? first.text.length : 0;
}

/** The old heading with the new text, and the blank lines that followed the old one. */
function replaceBody(old: string, fresh: string): string {
  const start = headingEnd(old);
  const lines = old.slice(start).split("\n");
  let tail = 0;
  while (tail < lines.length - 1 && isBlank(lines[lines.length - 1 - tail]!)) tail++;
  const heading = old.slice(0, start);
  const body = bodyOf(fresh);
  const gap = heading.endsWith("\n\n") ? "" : "\n";
  const end = tail === 0 ? "" : "\n".repeat(tail);
  return body === "" ? old : `${heading}${gap}${body}${end}`;
}

/** The text under a new front matter; fields of the author's own stay. */
export function withIdentity(text: string, identity: Identity): string {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const checkpoint = parseCheckpoint(text);
  const lines = text.slice(bom.length).split("\n");
  const own = new Set(["checkpoint", "created", "anchor", "parent", "status", "supersedes", "last_delta"]);
  const newline = lines[0]?.endsWith("\r") === true ? "\r" : "";
  const fields = [
    ["checkpoint", identity.checkpoint],
    ["created", identity.created],
    ["anchor", identity.anchor],
    ["parent", identity.parent],
    ["status", identity.status],
    ["supersedes", identity.supersedes],
    ["last_delta", identity.lastDelta],
  ].flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}${newline}`]));
  const end = checkpoint.front.lines;
  const ownLines = new Set(checkpoint.front.fields.filter(({ key }) => own.has(key)).map(({ line }) => line));
  const kept = lines.slice(1, Math.max(end - 1, 1)).filter((_, at) => !ownLines.has(at + 2));
  const rest = end === 0 ? ["", ...lines] : lines.slice(end);
  const front = [`---${newline}`, ...fields, ...(end === 0 ? [] : kept), `---${newline}`];
  return bom + [...front, ...rest].join("\n");
}
