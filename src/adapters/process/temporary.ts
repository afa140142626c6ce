import { randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A path nothing stands at yet. What is made there loses its name at once; see `removeTemporaries` for the rest. */
export function temporaryPath(): string {
  return join(tmpdir(), `${prefixOf(process.pid)}${randomUUID()}`);
}

/** Removes what a process that was killed could not: it had milliseconds in which its temporary names existed. */
export function removeTemporaries(pid: number): void {
  const prefix = prefixOf(pid);
  try {
    for (const name of readdirSync(tmpdir())) {
      if (name.startsWith(prefix)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  } catch {
    // Litter is all that it means.
  }
}

function prefixOf(pid: number): string {
  return `espalier-pipes-${pid}-`;
}
