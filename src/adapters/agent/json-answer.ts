import { type AgentUsage, addUsage } from "../../ports/index.ts";
import { defined, dollars, type Fields, fields, list, text, tokens } from "./fields.ts";
import { hasAtMost } from "./json-parts.ts";
import { countsInStats, inUsualShape } from "./json-shapes.ts";
import { isAmong, isOfTool, isOwn, wordsOf } from "./json-whose.ts";

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
/** Words of what is. */
const OWN = wordsOf(
  "assistant agent model ai bot message text content item part result response answer completion",
);
/** Words of what tells how a turn ended. */
const ENDS = wordsOf(
  "result response answer final completion complete completed done finish finished end assistant agent model",
);
/** Words of a piece of a message: the next one goes on with it. */
const PIECES = wordsOf("delta chunk partial");
/** Objects, lists and members that an output may have: a second's work. */
const MOST_PARTS = 1_000_000;
/** Folds of a message in a message, at most. */
const DEEPEST = 4;

/**
 * Reads the output of a turn as one JSON object, a list of them, or one a line. Undefined when it is anything else, or says
 * nothing under a name that is known: such an output is plain text. So is JSON that was asked for: it does not say what it is.
 */
export function jsonAnswer(output: string): JsonAnswer | undefined {
  const { events, calls } = inUsualShape(eventsIn(output.trim()) ?? []);
  if (!events.some(isEnvelope)) return undefined;
  const finals = events.map(finalOf);
  const last = finals.findLastIndex(said => said !== "");
  const said = [finals[last] ?? "", messagesOf(events.slice(last + 1), 0, isPiece)]
    .filter(one => one !== "")
    .join("\n");
  if (said === "") return undefined;
  const called = plausible(calls.map(usage => usageOf({ usage })).reduce(addUsage, {}));
  const whole = events
    .filter(event => !isOfTool(event))
    .map(usageOf)
    .findLast(one => Object.keys(one).length > 0);
  return { said, usage: whole ?? called };
}

function eventsIn(output: string): readonly Fields[] | undefined {
  if (!/^[[{]/.test(output) || !hasAtMost(MOST_PARTS, output)) return undefined;
  const whole = parsed(output);
  if (whole !== undefined) return objectsIn(Array.isArray(whole) ? whole : [whole]);
  return objectsIn(parsedLines(output));
}

function* parsedLines(output: string): Generator<unknown> {
  for (const line of output.split("\n")) if (line.trim() !== "") yield parsed(line);
}

/** The values, if each of them is an object; nothing is read behind the first that is none. */
function objectsIn(values: Iterable<unknown>): readonly Fields[] | undefined {
  const objects: Fields[] = [];
  for (const value of values) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    objects.push(fields(value));
  }
  return objects;
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
  const type = wordsOf(text(event["type"]));
  if (!isOwn(event) || (type.size > 0 && !isAmong(type, ENDS))) return "";
  return FINAL.map(name => text(event[name])).find(said => said !== "") ?? "";
}

/** Whether its kind is one of what an agent says. */
function isMessage(event: Fields): boolean {
  const kinds = [event["type"], event["role"]].map(kind => wordsOf(text(kind)));
  return isOwn(event) && kinds.every(kind => kind.size === 0 || isAmong(kind, OWN) || isAmong(kind, PIECES));
}

/** Whether it is a piece of a message that the next piece goes on with. */
function isPiece(event: Fields): boolean {
  return event["delta"] === true || isAmong(wordsOf(text(event["type"])), PIECES);
}

/**
 * What each event says, one below the other; pieces of one message are put together, unless something else was done between
 * them: what is said after a call begins a line.
 */
function messagesOf(events: readonly Fields[], depth: number, isPart: (event: Fields) => boolean): string {
  let message = "";
  let isOpen = false;
  for (const event of events) {
    const said = spoken(event, depth);
    isOpen &&= isOwn(event);
    if (said === "") continue;
    message += message === "" || (isOpen && isPart(event)) ? said : `\n${said}`;
    isOpen = isPart(event);
  }
  return message;
}

/** What an event says: text, a list of texts, or a message in it. */
function spoken(event: Fields, depth: number): string {
  if (depth > DEEPEST || !isMessage(event)) return "";
  for (const name of SPOKEN) {
    const value = event[name];
    const said = Array.isArray(value)
      ? messagesOf(list(value).map(fields), depth + 1, () => true)
      : text(value) || spoken(fields(value), depth + 1);
    if (said !== "") return said;
  }
  return "";
}

const named = (counts: Fields, ...names: readonly string[]): number | undefined =>
  names.map(name => tokens(counts[name])).find(count => count !== undefined);

/** Under what names services tell details of what was read and written. */
const DETAILS = [
  "prompt_tokens_details",
  "input_tokens_details",
  "completion_tokens_details",
  "output_tokens_details",
];

/**
 * The counts of an event, by the names of the services' own interfaces: Anthropic's leave what was cached out of what was read,
 * OpenAI's have it in there.
 */
function usageOf(event: Fields): AgentUsage {
  const told = fields(event["usage"]);
  const counts = Object.keys(told).length > 0 ? told : countsInStats(fields(event["stats"]));
  const details: Fields = Object.assign({}, ...DETAILS.map(name => fields(counts[name])));
  const apart = named(counts, "cache_read_input_tokens");
  const cachedTokens =
    apart ?? named(counts, "cached_input_tokens", "cachedTokens") ?? named(details, "cached_tokens");
  const made = named(counts, "cache_creation_input_tokens") ?? 0;
  const read = named(counts, "input_tokens", "prompt_tokens", "inputTokens", "promptTokens");
  const written = named(counts, "output_tokens", "completion_tokens", "outputTokens", "completionTokens");
  const thought = named(counts, "reasoning_output_tokens") ?? named(details, "reasoning_tokens");
  const inputTokens = read === undefined ? undefined : tokens(read + (apart ?? 0) + made);
  // Every turn reads something: what was written would stand for all of it.
  const outputTokens = inputTokens === undefined ? undefined : written;
  const costs = [event["total_cost_usd"], event["cost_usd"], counts["cost"]];
  return defined<AgentUsage>({
    inputTokens,
    outputTokens,
    // What was cached is a part of what was read, and what was thought of what was written.
    cachedTokens: partOf(inputTokens, cachedTokens),
    reasoningTokens: thought === 0 ? undefined : partOf(outputTokens, thought),
    costUsd: costs.map(dollars).find(cost => cost !== undefined),
  });
}

function partOf(whole: number | undefined, part: number | undefined): number | undefined {
  return whole === undefined || part === undefined || part > whole ? undefined : part;
}

/** A sum of counts without what cannot be true. */
function plausible(sum: AgentUsage): AgentUsage {
  const [inputTokens, outputTokens] = [tokens(sum.inputTokens), tokens(sum.outputTokens)];
  return defined<AgentUsage>({
    inputTokens,
    outputTokens,
    cachedTokens: partOf(inputTokens, sum.cachedTokens),
    reasoningTokens: partOf(outputTokens, sum.reasoningTokens),
    costUsd: dollars(sum.costUsd),
  });
}
