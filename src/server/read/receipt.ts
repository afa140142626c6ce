import { z } from "zod";
import type { ReceiptRow } from "../../ports/index.ts";
import type { Receipt, ReceiptPart } from "../shapes/task.ts";
import { shown } from "../shown.ts";

/** Parts that reach the page. */
const PARTS = 500;

const Part = z.looseObject({
  kind: z.string(),
  source: z.string(),
  node: z.string().optional(),
  version: z.number().optional(),
  tokens: z.number(),
  level: z.union([z.number(), z.string()]),
  in: z.boolean(),
  why: z.string(),
  of: z.string().optional(),
  bound: z.looseObject({ limit: z.string(), tokens: z.number(), counted: z.number().optional() }).optional(),
});

/** What `assembly/` writes down of a package. */
const Stored = z.looseObject({
  tokens: z.number(),
  limit: z.number(),
  prefix: z.looseObject({ tokens: z.number() }),
  parts: z.array(Part),
});

function boundText({ limit, tokens, counted }: NonNullable<z.infer<typeof Part>["bound"]>): string {
  const asCounted = counted === undefined ? "" : ` = ${Math.round(counted)} o200k`;
  return shown(`${limit}: ${Math.round(tokens)}${asCounted}`, 120);
}

function partShape(part: z.infer<typeof Part>): ReceiptPart {
  const version = part.version === undefined ? "" : `-v${part.version}`;
  return {
    kind: shown(part.kind, 40),
    source: shown(`${part.source}${version}`),
    ...(part.node === undefined ? {} : { node: shown(part.node) }),
    level: typeof part.level === "number" ? String(part.level) : shown(part.level, 40),
    tokens: Math.round(part.tokens),
    in: part.in,
    why: shown(part.why, 80),
    ...(part.of === undefined ? {} : { of: shown(part.of) }),
    ...(part.bound === undefined ? {} : { bound: boundText(part.bound) }),
  };
}

/** What an attempt was given to read; undefined when the row was made by something else. */
export function readReceipt({ attempt, receipt }: ReceiptRow): Receipt | undefined {
  let json: unknown;
  try {
    json = JSON.parse(receipt);
  } catch {
    return undefined;
  }
  const stored = Stored.safeParse(json);
  if (!stored.success) return undefined;
  const { tokens, limit, prefix, parts } = stored.data;
  return {
    attempt,
    tokens: Math.round(tokens),
    limit: Math.round(limit),
    prefix: Math.round(prefix.tokens),
    parts: parts.slice(0, PARTS).map(partShape),
  };
}
