import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Project } from "../project.ts";

/** Longest path a Unix socket can be bound to everywhere (104 bytes on macOS, with the final NUL). */
const LONGEST = 100;

/** Where the control socket lies: in the state directory, or, when that path is too long for one, in the temp folder. */
export function controlPath(project: Project): string {
  const path = join(project.stateDir, "control.sock");
  if (Buffer.byteLength(path) <= LONGEST) return path;
  const folder = join(tmpdir(), `espalier-${process.getuid?.() ?? "user"}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, `${createHash("sha256").update(path).digest("hex").slice(0, 16)}.sock`);
}
