import { resolve } from "node:path";
import { type ReadFailure, readBounded } from "../adapters/file/index.ts";
import { EspalierError, EXIT } from "../ports/index.ts";
import { type Locale, visible } from "../text/index.ts";
import type { Io } from "./io.ts";

type Kind = ReadFailure["kind"];
type Said = Readonly<Record<Kind, readonly [message: string, hint?: string]>>;

const CODES: Readonly<Record<Kind, string>> = {
  missing: "INPUT_NOT_FOUND",
  "not-regular": "INPUT_NOT_A_FILE",
  "too-large": "INPUT_TOO_LARGE",
  permission: "INPUT_UNREADABLE",
  io: "INPUT_UNREADABLE",
};

const sizes = (failure: ReadFailure): readonly [size: number, limit: number] =>
  failure.kind === "too-large" ? [failure.size, failure.limit] : [0, 0];

function english(name: string, failure: ReadFailure): Said {
  const [size, limit] = sizes(failure);
  return {
    missing: [`no file at ${name}`, "check the path"],
    "not-regular": [`${name} is not a plain file`],
    "too-large": [`${name} has ${size} bytes or more; at most ${limit} are read`],
    permission: [`${name} may not be read`, "check its permissions"],
    io: [visible(failure.message)],
  };
}

function korean(name: string, failure: ReadFailure): Said {
  const [size, limit] = sizes(failure);
  return {
    missing: [`${name}: 파일이 없습니다`, "경로를 확인하세요"],
    "not-regular": [`${name}: 일반 파일이 아닙니다`],
    "too-large": [`${name}: ${size}바이트 이상입니다. 최대 ${limit}바이트까지 읽습니다`],
    permission: [`${name}: 읽을 권한이 없습니다`, "권한을 확인하세요"],
    io: [visible(failure.message)],
  };
}

/** Why a file that somebody named was not read, under the name that was typed (exit 2). */
export function inputError(named: string, failure: ReadFailure, locale: Locale): EspalierError {
  const said = (locale === "ko" ? korean : english)(visible(named, 400), failure);
  const [message, hint] = said[failure.kind];
  return new EspalierError(CODES[failure.kind], message, {
    ...(hint === undefined ? {} : { hint }),
    exitCode: EXIT.usage,
  });
}

/** The bytes of a plain file, or of standard input for `-`; more than `most` are refused. Throws EspalierError (exit 2). */
export async function readInput(io: Io, path: string, most: number, locale: Locale): Promise<Uint8Array> {
  if (path === "-") return standardInput(io, most, locale);
  const read = readBounded(resolve(io.cwd, path), { maxBytes: most, follow: true });
  if (read.ok) return read.value;
  throw inputError(path, read.failure, locale);
}

async function standardInput(io: Io, limit: number, locale: Locale): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > limit) {
      const name = locale === "ko" ? "표준 입력" : "standard input";
      throw inputError(name, { kind: "too-large", path: name, size, limit, message: name }, locale);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
