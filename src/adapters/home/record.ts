import { join } from "node:path";
import { z } from "zod";
import type { Life } from "../../engine/control/decider.ts";
import { readBounded, unsyncedFileCalls, writeAtomic } from "../file/index.ts";
import { makePrivate } from "./folder.ts";

/** Times that are remembered; of more the two oldest become one. */
const MOST = 64;

const Stored = z.object({
  boot: z.string(),
  within: z.string().optional(),
  lives: z.array(z.object({ from: z.number(), to: z.number().optional() })),
});

/** What is known of the work on a project since the machine was started. */
export interface Worked {
  readonly lives: readonly Life[];
  /** The attempt in which the project was begun. */
  readonly within?: string | undefined;
}

const path = (folder: string) => join(folder, "worked.json");

function readStored(folder: string): z.infer<typeof Stored> | undefined {
  const bytes = readBounded(path(folder), { maxBytes: 64 * 1024 });
  if (!bytes.ok) return undefined;
  try {
    return Stored.parse(JSON.parse(Buffer.from(bytes.value).toString("utf8")));
  } catch {
    return undefined;
  }
}

/** Reads when a project was worked on; `boot` names this start of the machine. Undefined where nothing is known of it. */
export function readWorked(folder: string, boot: string): Worked | undefined {
  const stored = readStored(folder);
  if (stored === undefined) return undefined;
  // No process outlives the machine.
  return { lives: stored.boot === boot ? stored.lives : [], within: stored.within };
}

/** Writes when a project was worked on. What cannot be written is not known later: then nobody is refused for it. */
export function writeWorked(folder: string, boot: string, { lives, within }: Worked): void {
  const [first, second, ...rest] = lives;
  const kept =
    first === undefined || second === undefined || lives.length <= MOST
      ? lives
      : [{ from: first.from, to: second.to ?? second.from }, ...rest];
  try {
    makePrivate(folder);
    const text = JSON.stringify({ boot, lives: kept, ...(within === undefined ? {} : { within }) });
    writeAtomic(path(folder), `${text}\n`, { mode: 0o600, calls: unsyncedFileCalls });
  } catch {
    // As above.
  }
}
