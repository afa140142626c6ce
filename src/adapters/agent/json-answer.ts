import type { AgentUsage } from "../../ports/index.ts";
import { amount, defined, dollars, type Fields, fields, list, text, tokens } from "./fields.ts";

/** What a program said and used that prints nothing but JSON. */
export interface JsonAnswer {
  readonly said: string;
  /** Of this turn; empty where it counts nothing under a name that is known. */
  readonly usage: AgentUsage;
}

/** Under what names programs tell their last word; where one does, it stands for all that came before. */
const FINAL = ["result", "response", "output"];
/** Under what names they tell a message, or a part of one. */
const SPOKEN = ["text", "content", "message", "item", "part"];
/** Whose words are not the agent's own. */
const OTHERS = /^(?:user|system|tool|error|reasoning|thinking)/;
/** Folds of a message in a message, at most. */
const DEEPEST = 4;

/**
 * Reads the output of a turn as one JSON object, a list of them, or one a line. Undefined when it is anything else, or says
 * nothing under a name that is known: such an output is plain text. So is JSON that was asked for: it does not say what it is.
 */
export function jsonAnswer(output: string): JsonAnswer | undefined {
  const events = eventsIn(output.trim());
  if (events?.some(isEnvelope) !== true) return undefined;
  const isSaid = (said: string) => said !== "";
  const last = events.map(finalOf).findLast(isSaid);
  const messages = () => events.map(event => spoken(event, 0)).filter(isSaid);
  const said = last ?? messages().join("\n");
  if (said === "") return undefined;
  const usage = events.map(usageOf).findLast(one => Object.keys(one).length > 0);
  return { said, usage: usage ?? {} };
}

function eventsIn(output: string): readonly Fields[] | undefined {
  if (!/^[[{]/.test(output)) return undefined;
  const whole = parsed(output);
  if (whole !== undefined) return objectsIn(Array.isArray(whole) ? whole : [whole]);
  const lines = output.split("\n").filter(line => line.trim() !== "");
  return objectsIn(lines.map(parsed));
}

/** The values, if each of them is an object. */
function objectsIn(values: readonly unknown[]): readonly Fields[] | undefined {
  const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
  return values.every(isObject) ? values.map(fields) : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Whether it tells of a turn: of which kind it is, whose, or what it took. */
function isEnvelope(event: Fields): boolean {
  const isNamed = ["type", "role", "session_id"].some(name => text(event[name]) !== "");
  return isNamed || ["usage", "stats"].some(name => Object.keys(fields(event[name])).length > 0);
}

function finalOf(event: Fields): string {
  if (isOfOthers(event)) return "";
  return FINAL.map(name => text(event[name])).find(said => said !== "") ?? "";
}

function isOfOthers(event: Fields): boolean {
  return OTHERS.test(text(event["role"]) || text(event["type"]));
}

/** What an event says: text, a list of texts, or a message in it. */
function spoken(event: Fields, depth: number): string {
  if (depth > DEEPEST || isOfOthers(event)) return "";
  for (const name of SPOKEN) {
    const value = event[name];
    const said = Array.isArray(value)
      ? list(value)
          .map(part => spoken(fields(part), depth + 1))
          .join("")
      : text(value) || spoken(fields(value), depth + 1);
    if (said !== "") return said;
  }
  return "";
}

const named = (counts: Fields, ...names: readonly string[]): number | undefined =>
  names.map(name => tokens(counts[name])).find(count => count !== undefined);

/**
 * The counts of an event, by the names of the services' own interfaces: Anthropic's leave what was cached out of what was read,
 * OpenAI's have it in there.
 */
function usageOf(event: Fields): AgentUsage {
  const counts = fields(event["usage"]);
  const apart = named(counts, "cache_read_input_tokens");
  const cachedTokens = apart ?? named(counts, "cached_input_tokens", "cachedTokens");
  const made = named(counts, "cache_creation_input_tokens") ?? 0;
  const read = named(counts, "input_tokens", "prompt_tokens", "inputTokens", "promptTokens");
  const outputTokens = named(
    counts,
    "output_tokens",
    "completion_tokens",
    "outputTokens",
    "completionTokens",
  );
  const inputTokens = read === undefined ? undefined : read + (apart ?? 0) + made;
  const costUsd = [event["total_cost_usd"], event["cost_usd"], counts["cost"]].find(
    cost => amount(cost) !== undefined,
  );
  return defined<AgentUsage>({ inputTokens, outputTokens, cachedTokens, costUsd: dollars(costUsd) });
}
