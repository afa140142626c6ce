import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { writeAtomic } from "../../src/adapters/file/index.ts";
import { scratchFolder } from "../scratch.ts";

/** What a file held before a write. */
export const OLD: string = JSON.stringify({ generation: "old", pad: "o".repeat(300) });
/** What a write brings. */
export const NEW: string = JSON.stringify({ generation: "new", pad: "ñ".repeat(400) });

/** A folder of its own for every test of a file. */
export interface FilePlace {
  readonly directory: string;
  /** The file that is written. */
  readonly target: string;
  names(): string[];
}

/** Makes the folder around every test of the calling file. */
export function filePlace(): FilePlace {
  let directory = "";
  beforeEach(() => {
    directory = scratchFolder("espalier-file-");
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  return {
    get directory() {
      return directory;
    },
    get target() {
      return join(directory, "state.json");
    },
    names: () => readdirSync(directory).sort(),
  };
}

/** The text of a file. */
export function text(path: string): string {
  return readFileSync(path, "utf8");
}

/** Whether a file is worth keeping as a backup. */
export function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

/** What a failed write says. */
export function messageOf(result: ReturnType<typeof writeAtomic>): string {
  return result.ok ? "no failure" : result.failure.message;
}
