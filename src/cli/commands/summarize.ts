import { basename, extname, resolve } from "node:path";
import { readBounded } from "../../adapters/file/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import {
  artifactText,
  type Check,
  type Condensed,
  checkContract,
  compareChecks,
  condense,
  type Level,
  readContract,
  readSource,
  type Source,
  type Summary,
  type Survival,
  summarizeWith,
  survival,
} from "../../summary/index.ts";
import { visible, visibleLines } from "../../text/index.ts";
import { type Io, say, sayJson } from "../io.ts";
import { openProject } from "../project.ts";
import { summaryView } from "../views/summary-view.ts";

/** Bytes of an output that are taken; more than any agent writes. */
const MAX_BYTES = 64 * 1024 * 1024;

interface Options {
  readonly level: Level;
  readonly why?: boolean;
  readonly json?: boolean;
  readonly id?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly keyEnv?: string;
}

/** Everything known about one level of one output. */
export interface SummaryFacts {
  readonly source: Source;
  readonly summary: Summary;
  readonly survival: Survival;
  readonly checks: readonly Check[];
  /** Checks that the output passes and this level no longer shows. */
  readonly lostChecks: readonly string[];
  readonly condensed: Condensed | undefined;
}

/** `espalier summarize FILE --level N`. */
export async function summarizeFile(io: Io, file: string, options: Options): Promise<number> {
  const { locale } = openProject(io.cwd).config;
  const text = Buffer.from(await readBytes(io, file)).toString("utf8");
  const name = file === "-" ? "output" : basename(file, extname(file));
  const source = readSource(text, options.id ?? readContract(text.slice(0, 64_000)).contract.agent ?? name);
  const condensed = await condensedBy(io, source, options);
  const summary = summarizeWith(source, condensed?.state, options.level, { locale });
  const checks = checkContract(source.contract);
  const kept = compareChecks(
    checks,
    checkContract(readContract(summary.text).contract, source.contract.level),
  );
  const facts: SummaryFacts = {
    source,
    summary,
    survival: survival(source, summary.text),
    checks,
    lostChecks: kept.lost,
    condensed,
  };
  if (options.json === true) sayJson(io, asJson(facts));
  else {
    // On a terminal foreign text must not move the cursor; into a file it goes as it is.
    say(io, (io.stdout.isTTY ? visibleLines(summary.text) : summary.text).trimEnd());
    if (options.why === true) for (const line of summaryView(facts, locale)) say(io, line);
  }
  return EXIT.done;
}

async function readBytes(io: Io, file: string): Promise<Uint8Array> {
  if (file !== "-") {
    const read = readBounded(resolve(io.cwd, file), { maxBytes: MAX_BYTES, follow: true });
    if (read.ok) return read.value;
    throw new EspalierError("INPUT_UNREADABLE", read.failure.message, { exitCode: EXIT.usage });
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BYTES) {
      throw new EspalierError("INPUT_TOO_LARGE", `standard input has more than ${MAX_BYTES} bytes`, {
        exitCode: EXIT.usage,
      });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

async function condensedBy(io: Io, source: Source, options: Options): Promise<Condensed | undefined> {
  const { model: name, baseUrl, keyEnv } = options;
  if (name === undefined) return undefined;
  if (baseUrl === undefined || !URL.canParse(baseUrl)) {
    throw new EspalierError(
      "MODEL_ADDRESS",
      `--model ${visible(name, 60)} needs --base-url with an address`,
      {
        hint: "for example --base-url http://127.0.0.1:11434/v1",
        exitCode: EXIT.usage,
      },
    );
  }
  const apiKey = keyEnv === undefined ? undefined : io.env[keyEnv];
  if (keyEnv !== undefined && apiKey === undefined) {
    throw new EspalierError("MODEL_KEY", `the environment has no ${visible(keyEnv, 60)}`, {
      exitCode: EXIT.usage,
    });
  }
  const { createAiSdkModel } = await import("../../adapters/model/index.ts");
  const model = createAiSdkModel({ baseUrl, name, ...(apiKey === undefined ? {} : { apiKey }) });
  return condense(model, source);
}

function asJson({ source, summary, survival: kept, checks, lostChecks, condensed }: SummaryFacts): unknown {
  const { text, ...level } = summary;
  return {
    ...level,
    sourceTokens: source.tokens,
    hash: source.hash,
    binary: source.binary,
    unread: source.unread,
    text,
    contract: source.contract,
    problems: source.problems,
    facts: { kept: kept.kept, total: kept.total, byKind: kept.byKind, decisionKept: kept.decisionKept },
    lost: kept.lost.map(({ entity, count }) => ({ ...entity, count })),
    artifacts: source.artifacts,
    artifactText: artifactText(source.artifacts),
    checks,
    lostChecks,
    ...(condensed === undefined
      ? {}
      : { model: { how: condensed.how, refusals: condensed.refusals, spent: condensed.spent } }),
  };
}
