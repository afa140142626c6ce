import { statfsSync } from "node:fs";

/** Bytes that are free for this user on the disk of a folder; undefined where the system does not say. */
export function roomIn(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
