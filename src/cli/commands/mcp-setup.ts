import { dirname, join } from "node:path";
import { directFileCalls, makeDirectFolder, readBounded, writeAtomic } from "../../adapters/file/index.ts";
import { findProject } from "../../host/project/project.ts";
import { type ClientName, joined, type SetupFile, setupFor } from "../../mcp/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import type { Locale } from "../../text/index.ts";
import { type Io, say } from "../io.ts";

const WORDS = {
  en: {
    show: (path: string) => `${path}:`,
    add: (path: string) => `${path} is there already and was left alone; add:`,
    wrote: (path: string) => `wrote ${path}`,
    joined: (path: string) => `added espalier to ${path}`,
    same: (path: string) => `${path} is as it should be`,
    hint: "--write writes those that are not there yet, and adds to settings that are",
  },
  ko: {
    show: (path: string) => `${path}:`,
    add: (path: string) => `${path} 파일이 이미 있어 건드리지 않았습니다. 추가할 내용:`,
    wrote: (path: string) => `${path} 파일을 썼습니다`,
    joined: (path: string) => `${path} 파일에 espalier 를 추가했습니다`,
    same: (path: string) => `${path} 파일은 이미 준비되어 있습니다`,
    hint: "--write 는 아직 없는 파일을 쓰고, 있는 설정에는 추가합니다",
  },
} as const satisfies Record<Locale, unknown>;

/** Bytes that a client's settings may have. */
const MAX_BYTES = 1024 ** 2;

/** `espalier mcp --setup CLIENT [--write]`: how a client is connected; what others have written stays as it is. */
export function mcpSetup(io: Io, client: ClientName, write: boolean): number {
  const { root, config } = findProject(io.cwd);
  const words = WORDS[config.locale];
  let isShown = false;
  for (const file of setupFor(client)) {
    const done = write ? put(root, file) : undefined;
    if (done !== undefined) {
      say(io, words[done](file.path));
      continue;
    }
    isShown = true;
    say(io, write && !file.path.startsWith("~") ? words.add(file.path) : words.show(file.path));
    for (const line of file.text.trimEnd().split("\n")) say(io, line === "" ? "" : `  ${line}`);
    say(io, "");
  }
  if (isShown && !write) say(io, words.hint);
  return EXIT.done;
}

/**
 * Writes a file, or adds to it; undefined where it is for a person to do. Links came with the project and may lead out of it:
 * nothing is read, made or written through one.
 */
function put(root: string, file: SetupFile): "wrote" | "joined" | "same" | undefined {
  if (file.path.startsWith("~")) return undefined;
  const target = join(root, file.path);
  const there = readBounded(target, { maxBytes: MAX_BYTES, calls: directFileCalls });
  if (there.ok) {
    const before = Buffer.from(there.value).toString("utf8");
    const after = joined(file, before);
    if (after === undefined || after === before) return after === undefined ? undefined : "same";
    replace(target, after);
    return "joined";
  }
  if (there.failure.kind !== "missing" || !makeFolder(dirname(target))) return undefined;
  replace(target, file.text);
  return "wrote";
}

/** Makes a folder; false where something is in its way. */
function makeFolder(path: string): boolean {
  try {
    makeDirectFolder(path);
    return true;
  } catch {
    return false;
  }
}

function replace(target: string, text: string): void {
  const written = writeAtomic(target, text, { mode: 0o644, calls: directFileCalls });
  if (!written.ok)
    throw new EspalierError("NOT_WRITTEN", written.failure.message, { exitCode: EXIT.environment });
}
