import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { directFileCalls, makeDirectFolder, readBounded, writeAtomic } from "../../adapters/file/index.ts";
import { agentEnv, callHere, findProgram } from "../../adapters/process/index.ts";
import { PROGRAM, VERSION } from "../../host/package.ts";
import { type ClientName, joined, type SetupFile, type StartLine, setupFor } from "../../mcp/index.ts";
import { EspalierError, EXIT, fail, ok, type Result } from "../../ports/index.ts";
import { type Locale, visible } from "../../text/index.ts";
import { type Io, say, warn } from "../io.ts";
import { projectOf } from "../project.ts";

const WORDS = {
  en: {
    show: (path: string) => `${path}:`,
    add: (path: string) => `${path} is there already and was left alone; add:`,
    wrote: (path: string) => `wrote ${path}`,
    joined: (path: string) => `added espalier to ${path}`,
    same: (path: string) => `${path} is as it should be`,
    hint: "--write writes those that are not there yet, and adds to settings that are",
    answers: (tools: number) => `tried: the server starts and answers with ${tools} tools`,
    mute: (line: string, why: string) => `the server does not answer: ${line}\n  ${why}`,
  },
  ko: {
    show: (path: string) => `${path}:`,
    add: (path: string) => `${path} 파일이 이미 있어 건드리지 않았습니다. 추가할 내용:`,
    wrote: (path: string) => `${path} 파일을 썼습니다`,
    joined: (path: string) => `${path} 파일에 espalier를 추가했습니다`,
    same: (path: string) => `${path} 파일은 이미 준비되어 있습니다`,
    hint: "--write는 아직 없는 파일을 쓰고, 있는 설정에는 추가합니다",
    answers: (tools: number) => `연결 확인: 서버가 시작되어 도구 ${tools}개로 응답했습니다`,
    mute: (line: string, why: string) => `서버가 응답하지 않습니다: ${line}\n  ${why}`,
  },
} as const satisfies Record<Locale, unknown>;

/** Bytes that a client's settings may have. */
const MAX_BYTES = 1024 ** 2;

/** Milliseconds that the server has for its answer. */
const PATIENCE = 20_000;

/**
 * What starts the server of this very installation. Only where it is a dependency of the project itself the line holds on other
 * machines too; npx is told to fetch nothing, since anybody could give a package that name.
 */
function startLine(root: string): StartLine {
  const own = realpathOf(join(root, "node_modules", "espalier", "bin", "espalier.js"));
  return own === realpathOf(PROGRAM)
    ? ["npx", "--no", "--", "espalier", "mcp"]
    : [process.execPath, PROGRAM, "mcp"];
}

function realpathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Starts the server as a client does and asks for its tools; how many there are, or why it does not say. */
async function tryStart(io: Io, root: string, line: StartLine): Promise<Result<number, string>> {
  const [program, ...args] = line;
  const found = findProgram(program, { path: io.env["PATH"], cwd: root });
  if (!found.ok) return fail(found.failure.message);
  const message = (fields: object) => `${JSON.stringify({ jsonrpc: "2.0", ...fields })}\n`;
  const clientInfo = { name: "espalier-setup", version: VERSION };
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const { why, stdout, stderr } = await callHere({
    file: found.value,
    args,
    cwd: root,
    env: agentEnv(io.env, []),
    input:
      message({ id: 1, method: "initialize", params: hello }) +
      message({ method: "notifications/initialized" }) +
      message({ id: 2, method: "tools/list", params: {} }),
    longestMs: PATIENCE,
    mostBytes: MAX_BYTES,
  });
  for (const answer of stdout.toString("utf8").split("\n")) {
    const tools = /^\{.*"id":2\b/.test(answer) ? JSON.parse(answer).result?.tools : undefined;
    if (Array.isArray(tools)) return ok(tools.length);
  }
  return fail(visible(stderr.trim().split("\n").at(-1) || `ended with ${why}`));
}

/**
 * `espalier mcp --setup CLIENT [--write]`: how a client is connected, and whether that works; what others have written stays as
 * it is.
 */
export async function mcpSetup(io: Io, client: ClientName, write: boolean): Promise<number> {
  const { root, locale } = projectOf(io);
  const words = WORDS[locale];
  const line = startLine(root);
  let isShown = false;
  for (const file of setupFor(client, line)) {
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
  const tried = await tryStart(io, root, line);
  if (tried.ok) say(io, words.answers(tried.value));
  else warn(io, words.mute(line.join(" "), tried.failure));
  return tried.ok ? EXIT.done : EXIT.environment;
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
