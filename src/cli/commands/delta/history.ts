import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { type Io, warn } from "../../io.ts";
import { readText, wordsOf } from "./inputs.ts";

/** One state of a document. */
export interface Version {
  /** The number of the file, or the commit. */
  readonly id: number | string;
  /** What update messages call it. */
  readonly number: number;
  readonly text: string;
}

/** The states of one document, oldest first, read as they are asked for. */
export interface History {
  readonly count: number;
  readonly versions: AsyncIterable<Version>;
}

const NUMBERED = /^\d{1,9}\.md$/;

/** The numbered files of a folder in the order of their numbers; other files are no versions. */
export function folderHistory(io: Io, folder: string): History {
  const files = namesIn(folder)
    .filter(name => NUMBERED.test(name))
    .map(name => ({ name, number: Number.parseInt(name, 10) }))
    .sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
  async function* versions(): AsyncGenerator<Version> {
    for (const { name, number } of files) {
      const text = await readText(io, join(folder, name)).catch((error: unknown) => {
        // One version that cannot be read as text is no reason to show nothing of the others.
        if (!(error instanceof EspalierError) || error.code !== "INPUT_NOT_UTF8") throw error;
        warn(io, wordsOf(io).leftOut(name, error.message));
        return undefined;
      });
      if (text !== undefined) yield { id: number, number, text };
    }
  }
  return { count: files.length, versions: versions() };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new EspalierError("HISTORY_UNREADABLE", (error as Error).message, { exitCode: EXIT.usage });
  }
}

/** Whether a path leads to a folder that may be looked at. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
