import { uptime } from "node:os";
import { join } from "node:path";
import { readBounded, writeAtomic } from "../../../file/index.ts";
import { thisProcess } from "../../../lock/index.ts";

/** Names the boot of the machine under which something was last found whole. */
const NOTE = "espalier-boot";

/** Which boot of the machine this is; where the system gives it no name, the minute it began. */
function thisBoot(): string {
  const { bootId } = thisProcess();
  return bootId === "" ? `${Math.round((Date.now() - uptime() * 1000) / 60_000)}` : bootId;
}

/** Whether a git directory was looked through since the machine started: what a power cut left of it is mended then. */
export function isOfThisBoot(gitDir: string): boolean {
  const note = readBounded(join(gitDir, NOTE), { maxBytes: 200 });
  return note.ok && Buffer.from(note.value).toString() === thisBoot();
}

/** Says that a git directory was looked through. */
export function noteBoot(gitDir: string): void {
  writeAtomic(join(gitDir, NOTE), thisBoot());
}
