import { execFileSync } from "node:child_process";
import { linkSync, lstatSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { attemptName } from "../../../src/adapters/local/state-files.ts";

const KINDS = [
  "link to a file",
  "link to a folder",
  "link to nothing",
  "hard link",
  "pipe",
  "folder",
  "garbage",
  "endless",
  "link to a device",
] as const;

/** Something that stands in a repository where Espalier would look or write. */
export interface Planting {
  /** Relative to the checkout. */
  readonly name: string;
  readonly kind: (typeof KINDS)[number];
}

const attempt = attemptName("T0.1", 1);
const COMPANIONS = ["", "-wal", "-shm", "-journal"];
const STATE = `
  attempts memory memory/attempts checkpoints checkpoints/archive context_cache context_cache/session cache rescued
  jail-cache worktrees holder.json control.sock orchestrate-state.json orchestrate-state.json.bak orchestrate.log
  phase-after.json hub.json away copies
  memory/learnings.md memory/attempts/${attempt}.md attempts/${attempt}.log attempts/T0.1.1.md
  attempts/${attempt}.document.md checkpoints/INDEX.md checkpoints/chk-001.md`;
const CHECKOUT = `
  .espalier .git .git/info .git/info/exclude .git/espalier .git/index .git/HEAD .git/objects .git/refs/heads
  .git/commondir .git/gitdir .git/config.worktree .git/shallow .git/info/attributes .git/objects/info/alternates
  .gitmodules .gitattributes .gitignore docs/.gitignore docs/planning/.gitattributes .env package.json Makefile .git/refs/heads/phase .git/logs .git/worktrees .git/packed-refs .git/espalier-index .git/espalier-moving .git/config
  docs docs/planning docs/planning/TASKS.md espalier.yaml out.txt .mcp.json AGENTS.md CLAUDE.md .claude
  .claude/orchestrate-state.json`;

/** Every name below a checkout that is opened, made, replaced or removed. */
const NAMES: readonly string[] = [
  STATE.trim().split(/\s+/),
  ["espalier.db", "espalier.db.bak", "lock.db"].flatMap(name => COMPANIONS.map(ending => name + ending)),
]
  .flat()
  .map(name => `.espalier/${name}`)
  .concat(CHECKOUT.trim().split(/\s+/));

export const plantings: fc.Arbitrary<readonly Planting[]> = fc.uniqueArray(
  fc.record({ name: fc.constantFrom(...NAMES), kind: fc.constantFrom(...KINDS) }),
  { minLength: 1, maxLength: 3, selector: ({ name }) => name },
);

/** Whether every folder above a path is one or is missing, not something that was planted before. */
function isReached(root: string, name: string): boolean {
  const steps = name.split("/").slice(0, -1);
  for (const [at] of steps.entries()) {
    const facts = lstatSync(join(root, ...steps.slice(0, at + 1)), { throwIfNoEntry: false });
    if (facts?.isDirectory() !== true) return facts === undefined;
  }
  return true;
}

/** Puts one thing where it was said, in place of what stood there. */
export function plant(root: string, victim: string, { name, kind }: Planting): void {
  const path = join(root, name);
  if (!isReached(root, name)) return;
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  switch (kind) {
    case "link to a file":
      symlinkSync(join(victim, "photos.tar"), path);
      break;
    case "link to a folder":
      symlinkSync(join(victim, "folder"), path);
      break;
    case "link to nothing":
      symlinkSync(join(victim, "new"), path);
      break;
    case "hard link":
      linkSync(join(victim, "photos.tar"), path);
      break;
    case "pipe":
      execFileSync("mkfifo", [path]);
      break;
    case "folder":
      mkdirSync(path);
      break;
    case "endless":
      writeFileSync(path, "");
      // It takes no room on the disk.
      truncateSync(path, 2 ** 40);
      break;
    case "link to a device":
      symlinkSync("/dev/zero", path);
      break;
    case "garbage":
      writeFileSync(path, "<html>not this</html>");
      break;
    default:
      throw new Error(`unknown ${String(kind satisfies never)}`);
  }
}
