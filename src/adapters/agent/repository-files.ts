import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type AgentFailure, because } from "../../ports/index.ts";
import { unsuitable } from "../../text/index.ts";
import { readBounded } from "../file/index.ts";

/** Where agent programs look for settings, hooks, plugins and servers of a repository's own. */
const PLACES = [
  ".claude",
  ".mcp.json",
  ".codex",
  ".gemini",
  ".qwen",
  "opencode.json",
  "opencode.jsonc",
  ".opencode",
  ".github/hooks",
  ".github/copilot",
  ".github/extensions",
  ".github/lsp.json",
  ".github/mcp.json",
  ".copilot",
  ".vscode/mcp.json",
  ".cursor",
] as const;

/** Where an agent program may find settings of the repository's own. */
export type RepositoryPlace = (typeof PLACES)[number];

/** Below `.claude` our own state may lie; it configures nobody. */
const NOT_OURS: ReadonlySet<string> = new Set(["attempts", "memory", "checkpoints", "cache", "rescued"]);
const OURS = /^(?:espalier\.db|lock\.db|holder\.json|control\.sock|orchestrate)/;
/** What package managers bring is as foreign as any dependency; a file that uses it is looked at. */
const INSTALLED = "node_modules";
const MOST_FILES = 500;
const MAX_BYTES = 1024 ** 2;
const DEPTH = 6;
/** Folders above the one worked in that are looked at before the repository's own is found. */
const MOST_UP = 12;

/** A file that configures agent programs. */
export interface RepositoryFile {
  /** Relative to the folder it was looked for from. */
  readonly path: string;
  /** What a person approves; undefined where there is more than can be approved. */
  readonly text: string | undefined;
}

/** Configuration that agent programs would take from the repository of this folder, up to the repository's own root. */
export function repositoryFiles(folder: string, places: readonly string[] = PLACES): RepositoryFile[] {
  const found: RepositoryFile[] = [];
  for (const above of foldersUp(folder)) {
    for (const place of places) {
      for (const path of filesBelow(above, place, DEPTH)) {
        if (found.length >= MOST_FILES) return [...found, { path: "…", text: undefined }];
        const shown = join(relative(folder, above), path);
        found.push({ path: shown, text: textOf(join(above, path), shown) });
      }
    }
  }
  return found;
}

/** The folder and those above it, as far as its repository reaches; without a repository the folder alone. */
export function foldersUp(folder: string): string[] {
  const folders: string[] = [];
  for (let each = folder; folders.length < MOST_UP; each = dirname(each)) {
    folders.push(each);
    if (existsSync(join(each, ".git"))) return folders;
    if (dirname(each) === each) break;
  }
  return [folder];
}

function* filesBelow(root: string, path: string, depth: number): Generator<string> {
  const facts = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (facts === undefined) return;
  // A link, or a folder too deep, has no text of its own: it cannot be approved.
  if (!facts.isDirectory() || depth === 0) {
    yield path;
    return;
  }
  for (const name of readdirSync(join(root, path)).sort()) {
    if (name === INSTALLED || (path === ".claude" && (NOT_OURS.has(name) || OURS.test(name)))) continue;
    yield* filesBelow(root, join(path, name), depth - 1);
  }
}

function textOf(file: string, path: string): string | undefined {
  const bytes = readBounded(file, { maxBytes: MAX_BYTES });
  if (!bytes.ok) return undefined;
  const text = Buffer.from(bytes.value).toString("utf8");
  // Two files of the same content are two approvals: where it stands decides what it does.
  return text.length <= 4000
    ? `${path}\n${text}`
    : `${path}\nsha256 ${createHash("sha256").update(bytes.value).digest("hex")}`;
}

/** What must be approved before a program that heeds these places of a repository is started there. */
export interface FileGuard {
  readonly places: readonly string[];
  /** Whether a person has approved this text; without it nothing is. */
  readonly approves: ((text: string) => boolean) | undefined;
}

/** Why an agent is not started in this folder: a file there would make it execute what nobody has approved. */
export function unapproved(folder: string, guard: FileGuard | undefined): AgentFailure | undefined {
  if (guard === undefined) return undefined;
  const file = repositoryFiles(folder, guard.places).find(
    ({ text }) => text === undefined || guard.approves?.(text) !== true,
  );
  if (file === undefined) return undefined;
  return unsuitable(because("file-unapproved", { path: file.path }));
}
