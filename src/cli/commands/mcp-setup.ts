import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeAtomic } from "../../adapters/file/index.ts";
import { type ClientName, type SetupFile, setupFor } from "../../mcp/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import type { Locale } from "../../text/index.ts";
import { type Io, say } from "../io.ts";
import { openProject } from "../project.ts";

const WORDS = {
  en: {
    show: (path: string) => `${path}:`,
    add: (path: string) => `${path} is there already and was left alone; add:`,
    wrote: (path: string) => `wrote ${path}`,
    hint: "--write writes those that are not there yet",
  },
  ko: {
    show: (path: string) => `${path}:`,
    add: (path: string) => `${path} 파일이 이미 있어 건드리지 않았습니다. 추가할 내용:`,
    wrote: (path: string) => `${path} 파일을 썼습니다`,
    hint: "--write 는 아직 없는 파일만 씁니다",
  },
} as const satisfies Record<Locale, unknown>;

/** `espalier mcp --setup CLIENT [--write]`: how a client is connected; writes only files that are not there. */
export function mcpSetup(io: Io, client: ClientName, write: boolean): number {
  const { root, config } = openProject(io.cwd);
  const words = WORDS[config.locale];
  let isShown = false;
  for (const file of setupFor(client)) {
    const isThere = file.path.startsWith("~") || existsSync(join(root, file.path));
    if (write && !isThere) {
      put(root, file);
      say(io, words.wrote(file.path));
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

function put(root: string, { path, text }: SetupFile): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  const written = writeAtomic(target, text, { mode: 0o644 });
  if (!written.ok)
    throw new EspalierError("NOT_WRITTEN", written.failure.message, { exitCode: EXIT.environment });
}
