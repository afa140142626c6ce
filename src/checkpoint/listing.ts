import { shortHash } from "../delta/index.ts";
import { named, readDelta } from "./delta-read.ts";
import { headOf } from "./document.ts";
import { readFrontMatter } from "./front-matter.ts";
import type { Link, State } from "./history.ts";
import { sealOf } from "./seal.ts";

/** A file of a folder of checkpoints: its path relative to the folder, and its text. */
export interface FolderFile {
  readonly file: string;
  readonly text: string;
}

/** What a folder's listing needs of a checkpoint. */
export function listedState({ file, text }: FolderFile): State {
  const { checkpoint, ...head } = headOf(readFrontMatter(text));
  return {
    id: checkpoint ?? file.slice(file.lastIndexOf("/") + 1, -".md".length),
    file,
    ...head,
    hash: shortHash(text),
    bytes: Buffer.byteLength(text),
    archived: file.startsWith(`${ARCHIVE}/`),
  };
}

/** Name of the folder that archived checkpoints are moved to. */
export const ARCHIVE = "archive";

/** What a folder's listing needs of a delta; undefined where it does not say what it bridges. */
export function listedLink({ file, text }: FolderFile): Link | undefined {
  const { from, to, created, fromHash, toHash, seal } = named(readFrontMatter(text));
  const bridged = from === undefined || to === undefined ? bridgedByName(file) : { from, to };
  if (bridged === undefined) return undefined;
  const whole = seal === undefined ? readDelta(text) : undefined;
  return {
    ...bridged,
    file,
    ...(created === undefined ? {} : { created }),
    ...(fromHash === undefined ? {} : { fromHash }),
    ...(toHash === undefined ? {} : { toHash }),
    appliable: whole === undefined ? text.includes("\n[CONTEXT-UPDATE] ") : whole.block !== undefined,
    ...(seal === undefined ? {} : { sealed: seal === sealOf(text) }),
    summary: whole === undefined ? sentenceOf(text) : whole.summary,
    bytes: Buffer.byteLength(text),
  };
}

/** `delta-001-002.md` says it by its name. */
function bridgedByName(file: string): { from: string; to: string } | undefined {
  const name = file.slice(file.lastIndexOf("/") + 1, -".md".length);
  const parts = name.split("-");
  if (parts.length !== 3 || parts[0] !== "delta") return undefined;
  return { from: `chk-${parts[1]}`, to: `chk-${parts[2]}` };
}

/** The sentence below `## Summary`, of a document of our own making. */
function sentenceOf(text: string): string {
  const start = text.indexOf("\n## Summary");
  const end = text.indexOf("\n## ", start + 1);
  return start < 0 || end < 0 ? "" : text.slice(text.indexOf("\n", start + 1), end).trim();
}
