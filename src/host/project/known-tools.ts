import { existsSync } from "node:fs";
import { join } from "node:path";

/** What installs the packages that a lock file names, and nothing else. */
const INSTALLS: Readonly<Record<string, string>> = {
  "package-lock.json": "npm ci",
  "npm-shrinkwrap.json": "npm ci",
  "pnpm-lock.yaml": "pnpm install --frozen-lockfile",
  "yarn.lock": "yarn install --frozen-lockfile",
  "bun.lock": "bun install --frozen-lockfile",
  "bun.lockb": "bun install --frozen-lockfile",
  "uv.lock": "uv sync --frozen",
};

/** What brings a lock file in step with what a project wants, and runs nothing of its packages. */
const LOCKS: Readonly<Record<string, string>> = {
  "package-lock.json": "npm install --package-lock-only --ignore-scripts",
  "pnpm-lock.yaml": "pnpm install --lockfile-only --ignore-scripts",
  "uv.lock": "uv lock",
  "poetry.lock": "poetry lock",
  "Cargo.lock": "cargo update --workspace",
  "Gemfile.lock": "bundle lock",
  "go.sum": "go mod tidy",
};

/** The command by which a new worktree of a project gets its packages; undefined where no lock file names any. */
export function knownSetup(root: string): string | undefined {
  return Object.entries(INSTALLS).find(([file]) => existsSync(join(root, file)))?.[1];
}

/** The commands that make a project's lock files anew. */
export function knownLocks(root: string): readonly (readonly [file: string, command: string])[] {
  return Object.entries(LOCKS).filter(([file]) => existsSync(join(root, file)));
}
