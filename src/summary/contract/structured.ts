import { parseDocument } from "yaml";
import type { Collector } from "./collect.ts";
import { type Field, fieldOf } from "./fields.ts";
import { lineOf, readShare } from "./values.ts";

/** Characters of a block that are parsed: contracts are short, and parsers are slow. */
const LONGEST_BLOCK = 64_000;
const DEEPEST = 6;
const MOST_NODES = 4000;

/** A word that only a contract has, so that other fenced data is left alone. */
const SIGNS = ["agent_id", "vs_level", "vs_metadata", "final_selection", "t_score", "self_critique", "결정:"];

/** Whether a fenced block is likely to be a contract. */
export function looksLikeContract(block: string): boolean {
  const beginning = block.slice(0, LONGEST_BLOCK);
  return SIGNS.some(sign => beginning.includes(sign));
}

/** Reads a contract in YAML or JSON; false when the block does not parse. */
export function readStructured(block: string, into: Collector): boolean {
  if (block.length > LONGEST_BLOCK || isTooDeep(block)) return false;
  try {
    const document = parseDocument(block, { logLevel: "silent", uniqueKeys: false, schema: "core" });
    if (document.errors.length > 0) return false;
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    if (!isRecord(value)) return false;
    walk(value, into, { depth: 0, nodes: 0 });
    return true;
  } catch {
    // Aliases beyond the limit, keys that are no text: as good as unparsed.
    return false;
  }
}

/** Nesting that would cost a parser its stack. */
function isTooDeep(block: string): boolean {
  let flow = 0;
  for (const char of block) {
    if (char === "[" || char === "{") flow++;
    else if (char === "]" || char === "}") flow--;
    if (flow > 4 * DEEPEST) return true;
  }
  return block
    .split("\n")
    .some(line => line.length - line.trimStart().length > 100 || line.startsWith("- - - - "));
}

interface Walk {
  depth: number;
  nodes: number;
}

function walk(record: Readonly<Record<string, unknown>>, into: Collector, at: Walk): void {
  for (const [key, value] of Object.entries(record)) {
    if (at.nodes++ > MOST_NODES) return;
    const field = fieldOf(key);
    if (field !== undefined) take(field, value, into);
    else if (isRecord(value) && at.depth < DEEPEST) {
      at.depth++;
      walk(value, into, at);
      at.depth--;
    }
  }
}

function take(field: Field, value: unknown, into: Collector): void {
  if (isRecord(value)) takeRecord(field, value, into);
  else if (Array.isArray(value)) for (const one of value.slice(0, 100)) take(field, one, into);
  else if (typeof value === "string" || typeof value === "number") into.add(field, String(value));
}

/** `{option, score, rationale}` of an option, `{agent_id, reason}` of the next agent, `{option, t_score}` of a decision. */
function takeRecord(field: Field, record: Readonly<Record<string, unknown>>, into: Collector): void {
  const text = (...names: readonly string[]) => {
    const found = names.map(name => record[name]).find(value => value !== undefined && value !== null);
    return typeof found === "string" || typeof found === "number" ? lineOf(String(found)) : "";
  };
  if (field === "options") {
    const score = text("score", "t_score", "t");
    const share = readShare(score, false);
    if (score !== "" && typeof share === "string") into.problem(share, "tScore", score);
    const why = text("rationale", "reason", "why");
    into.addOption({
      option: text("option", "name", "alternative"),
      ...(typeof share === "number" ? { tScore: share } : {}),
      ...(why === "" ? {} : { why }),
    });
  } else if (field === "nextAgents") {
    const reason = text("reason", "why");
    into.addNext({ agent: text("agent_id", "agent", "id", "name"), ...(reason === "" ? {} : { reason }) });
  } else if (field === "decision") {
    into.add("decision", text("option", "decision", "name"));
    into.add("tScore", text("t_score", "score"));
    into.add("reasons", text("justification", "reason", "rationale"));
  } else {
    walk(record, into, { depth: DEEPEST, nodes: 0 });
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
