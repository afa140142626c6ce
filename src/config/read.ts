import { type Document, isMap, isNode, isScalar, isSeq } from "yaml";
import { z } from "zod";
import { settleBudget } from "../budget/index.ts";
import { fail, ok, type Result } from "../ports/index.ts";
import { nearest, visible } from "../text/index.ts";
import { agentKeys } from "./agents.ts";
import { defaultConfig } from "./defaults.ts";
import { issueInKorean, KOREAN } from "./korean.ts";
import { meantKey } from "./meant.ts";
import { PERMISSION_KEYS, RULE_KEYS } from "./permissions.ts";
import { agentPrices } from "./prices.ts";
import { CONFIG_KEYS, type Config, configSchema, parseConfig } from "./schema.ts";
import { wrongType } from "./wrong-type.ts";
import { type ConfigProblem, type OpenYaml, openYaml } from "./yaml.ts";

/** The keys that a mapping of the configuration may have. */
function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const [first] = path;
  if (first === undefined) return CONFIG_KEYS;
  if (first === "agents")
    return path.includes("permissions") ? (path.length > 3 ? RULE_KEYS : PERMISSION_KEYS) : agentKeys();
  let at: unknown = configSchema();
  for (const key of path) {
    const mapping = withoutDefault(at);
    at = mapping instanceof z.ZodObject ? (mapping.shape as Record<PropertyKey, unknown>)[key] : undefined;
  }
  const mapping = withoutDefault(at);
  if (mapping instanceof z.ZodRecord && mapping.keyType instanceof z.ZodEnum)
    return mapping.keyType.options.map(String);
  return mapping instanceof z.ZodObject ? Object.keys(mapping.shape) : [];
}

/** A schema without what it says of a value that is left out. */
function withoutDefault(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault || schema instanceof z.ZodOptional;
  return isWrapped ? withoutDefault(schema.unwrap()) : schema;
}

function explain(
  issue: z.core.$ZodIssue,
  known: readonly string[],
  found: unknown,
): Pick<ConfigProblem, "message" | "hint" | "korean"> {
  const where = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const isTop = issue.path.length === 0 && known === CONFIG_KEYS;
    const meant = isTop ? meantKey(key, known, one => (one === "agents" ? [] : keysAt([one]))) : undefined;
    const guess = meant ?? nearest(key, known);
    const hint = guess === undefined ? `known keys: ${known.join(", ")}` : `did you mean "${guess}"?`;
    const shown = visible(key, 40);
    const korean = {
      message: `${where}${KOREAN.unknownKey(shown)}`,
      hint: guess === undefined ? KOREAN.knownKeys(known.join(", ")) : KOREAN.didYouMean(guess),
    };
    return { message: `${where}unknown key "${shown}"`, hint, korean };
  }
  // A sentence of the schema's own says more than a type.
  const isZods = issue.code === "invalid_type" && issue.message.startsWith("Invalid input");
  const wrong = isZods ? wrongType(issue.expected, found) : undefined;
  return {
    message: `${where}${visible(wrong?.message ?? issue.message, 200)}`,
    hint: "espalier help configuration has the values it takes",
    korean: { message: `${where}${visible(wrong?.korean ?? issueInKorean(issue), 300)}`, hint: KOREAN.hint },
  };
}

/** Where the key or value that a problem concerns begins, or the closest thing around it that exists. */
function offsetOf(document: Document, path: readonly PropertyKey[], key: string | undefined): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length) as string[], true);
    if (!isNode(node)) continue;
    const pair = isMap(node)
      ? node.items.find(item => isScalar(item.key) && item.key.value === key)
      : undefined;
    const found = isNode(pair?.key) ? pair.key : node;
    return found.range?.[0] ?? 0;
  }
  return 0;
}

/** What is wrong with a budget that is well-formed. */
function budgetProblems(config: Config, { document, place }: OpenYaml): ConfigProblem[] {
  const settled = settleBudget(config.budget);
  if (settled.ok) return [];
  return settled.failure.slice(0, 10).map(({ path, message }) => {
    const full = ["budget", ...path];
    return {
      message: `${full.join(".")}: ${visible(message, 300)}`,
      ...place(offsetOf(document, full, undefined)),
      hint: "espalier help budgets has the values it takes",
    };
  });
}

/** With the prices of agents whose model is known. */
function priced(config: Config): Config {
  const prices = agentPrices(config.budget.prices, config.agents);
  return { ...config, budget: { ...config.budget, prices } };
}

/** What stands at a place; of a list or mapping only that it is one. */
function valueAt(document: Document, path: readonly PropertyKey[]): unknown {
  const node = path.length === 0 ? document.contents : document.getIn(path as string[], true);
  return isScalar(node) ? node.value : isMap(node) ? {} : isSeq(node) ? [] : undefined;
}

/** What is wrong with a file of these keys, and where. */
export function problemIn(
  { document, place }: Pick<OpenYaml, "document" | "place">,
  issue: z.core.$ZodIssue,
  known: readonly string[] = keysAt(issue.path),
): ConfigProblem {
  const key = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  return {
    ...explain(issue, known, valueAt(document, issue.path)),
    ...place(offsetOf(document, issue.path, key)),
  };
}

/** Reads `espalier.yaml`. Problems carry the line they concern. */
export function readConfig(text: string): Result<Config, readonly ConfigProblem[]> {
  const opened = openYaml(text);
  if (!opened.ok) return opened;
  const { value } = opened.value;
  const parsed = parseConfig(value, defaultConfig());
  if (parsed.success) {
    const problems = budgetProblems(parsed.data, opened.value);
    return problems.length === 0 ? ok(priced(parsed.data)) : fail(problems);
  }
  return fail(parsed.error.issues.slice(0, 10).map(issue => problemIn(opened.value, issue)));
}
