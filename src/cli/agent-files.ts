import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../adapters/file/index.ts";
import type { Approvable } from "./approval.ts";

/** Where agent programs look for settings, hooks and servers of a repository's own. */
const PLACES = [
  ".claude",
  ".mcp.json",
  ".codex",
  ".gemini",
  "opencode.json",
  "opencode.jsonc",
  ".opencode",
  ".cursor",
] as const;

/** Below `.claude` our own state may lie; it configures nobody. */
const NOT_OURS: ReadonlySet<string> = new Set(["attempts", "memory", "checkpoints", "cache", "rescued"]);
const OURS = /^(?:espalier\.db|lock\.db|holder\.json|control\.sock|orchestrate)/;
const MOST_FILES = 500;
const MAX_BYTES = 1024 ** 2;
const DEPTH = 6;

function* filesBelow(root: string, path: string, depth: number): Generator<string> {
  const facts = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (facts === undefined) return;
  if (!facts.isDirectory()) {
    yield path;
    return;
  }
  if (depth === 0) return;
  for (const name of readdirSync(join(root, path)).sort()) {
    if (!NOT_OURS.has(name) && !OURS.test(name)) yield* filesBelow(root, join(path, name), depth - 1);
  }
}

function textOf(root: string, path: string): string {
  const bytes = readBounded(join(root, path), { maxBytes: MAX_BYTES });
  if (!bytes.ok) return `${path}: ${bytes.failure.kind}`;
  const text = Buffer.from(bytes.value).toString("utf8");
  // Two files of the same content are two approvals: where it stands decides what it does.
  return text.length <= 4000
    ? `${path}\n${text}`
    : `${path}\nsha256 ${createHash("sha256").update(text).digest("hex")}`;
}

/** Configuration that agent programs would take from the repository, as something to approve. */
export function agentFiles(root: string): Approvable[] {
  const found: Approvable[] = [];
  for (const place of PLACES) {
    for (const path of filesBelow(root, place, DEPTH)) {
      if (found.length >= MOST_FILES) return found;
      found.push({ where: `agent configuration ${path}`, text: textOf(root, path) });
    }
  }
  return found;
}
