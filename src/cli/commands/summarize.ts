import { basename, extname } from "node:path";
import type { Config } from "../../config/index.ts";
import { modelApproval } from "../../host/approval/approvable.ts";
import { requireApproval } from "../../host/approval/approval.ts";
import { because, EXIT } from "../../ports/index.ts";
import {
  artifactText,
  type Condensed,
  checkContract,
  compareChecks,
  condense,
  configuredRules,
  defaultRules,
  type Level,
  readContract,
  readSource,
  type Source,
  summarizeWith,
} from "../../summary/index.ts";
import { errorFor, visible, visibleLines } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { readInput } from "../input-file.ts";
import { type Io, say, sayJson, warn } from "../io.ts";
import { projectOf } from "../project.ts";
import { type SummaryFacts, summaryView } from "../views/summary-view.ts";

/** Bytes of an output that are taken; more than any agent writes. */
const MAX_BYTES = 64 * 1024 * 1024;

interface Options {
  readonly level: Level;
  readonly why?: boolean;
  readonly json?: boolean;
  readonly id?: string;
  /** True without a name. */
  readonly model?: string | boolean;
  readonly baseUrl?: string;
  readonly keyEnv?: string;
  readonly yes?: boolean;
}

/** `espalier summarize FILE --level N`. */
export async function summarizeFile(io: Io, file: string, options: Options): Promise<number> {
  const project = projectOf(io);
  const { config, locale } = project;
  const { budget } = config;
  const text = Buffer.from(await readInput(io, file, MAX_BYTES, locale)).toString("utf8");
  const name = file === "-" ? "output" : basename(file, extname(file));
  const source = readSource(text, options.id ?? readContract(text.slice(0, 64_000)).contract.agent ?? name);
  const rules = configuredRules(defaultRules(source.locale), budget.summary_templates);
  // An address and a key that the project names are approved like its commands.
  if (options.model === true && options.baseUrl === undefined)
    await requireApproval(callerOf(io), project, modelApproval(config), { yes: options.yes === true });
  const condensed = await condensedBy(io, source, modelPlace(options, budget.model));
  const summary = summarizeWith(source, condensed?.state, options.level, { rules });
  const checks = checkContract(source.contract);
  const kept = compareChecks(
    checks,
    checkContract(readContract(summary.text).contract, source.contract.level),
  );
  const facts: SummaryFacts = {
    source,
    summary,
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

/** Where a model answers, and how it is asked. */
interface ModelPlace {
  readonly name: string;
  readonly baseUrl: string | undefined;
  readonly keyEnv: string | undefined;
  readonly timeoutMs?: number;
  readonly maxInputTokens?: number;
}

/** The model that flags name, or that of the configuration; undefined when none is asked for. */
function modelPlace(
  { model, baseUrl, keyEnv }: Options,
  configured: Config["budget"]["model"],
): ModelPlace | undefined {
  if (model === undefined || model === false) return undefined;
  if (typeof model === "string") return { name: model, baseUrl, keyEnv };
  if (configured === undefined) {
    throw errorFor("NO_MODEL", because("no-model", {}), {
      advice: because("name-model", {}),
      exitCode: EXIT.usage,
    });
  }
  return {
    name: configured.name,
    baseUrl: baseUrl ?? configured.base_url,
    // A key is sent to an address: both come from the same hand.
    keyEnv: baseUrl === undefined ? (keyEnv ?? configured.api_key_env) : keyEnv,
    timeoutMs: 1000 * configured.timeout,
    maxInputTokens: configured.max_input,
  };
}

async function condensedBy(
  io: Io,
  source: Source,
  place: ModelPlace | undefined,
): Promise<Condensed | undefined> {
  if (place === undefined) return undefined;
  const { name, baseUrl, keyEnv, timeoutMs, maxInputTokens } = place;
  if (baseUrl === undefined || !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) {
    throw errorFor("MODEL_ADDRESS", because("model-address", { name: visible(name, 60) }), {
      advice: because("model-address-like", {}),
      exitCode: EXIT.usage,
    });
  }
  const apiKey = keyEnv === undefined ? undefined : io.env[keyEnv];
  if (keyEnv !== undefined && apiKey === undefined) {
    throw errorFor("MODEL_KEY", because("no-variable", { name: visible(keyEnv, 60) }), {
      exitCode: EXIT.usage,
    });
  }
  warn(
    io,
    `${visible(name, 60)} at ${visible(new URL(baseUrl).host, 100)} reads the output${keyEnv === undefined ? "" : `, with the key in ${visible(keyEnv, 60)}`}`,
  );
  const { createAiSdkModel } = await import("../../adapters/model/index.ts");
  const model = createAiSdkModel({ baseUrl, name, ...(apiKey === undefined ? {} : { apiKey }) });
  return condense(model, source, {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxInputTokens === undefined ? {} : { maxInputTokens }),
  });
}

function asJson({ source, summary, checks, lostChecks, condensed }: SummaryFacts) {
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
    ...(source.handover === undefined ? {} : { handover: source.handover }),
    locale: source.locale,
    artifacts: source.artifacts,
    artifactText: artifactText(source.artifacts),
    checks,
    lostChecks,
    ...(condensed === undefined
      ? {}
      : { model: { how: condensed.how, refusals: condensed.refusals, spent: condensed.spent } }),
  };
}
