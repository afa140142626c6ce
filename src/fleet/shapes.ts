import { z } from "zod";
import {
  type AgentEvent,
  type AgentFailure,
  type AgentProblem,
  type LossKind,
  OBJECT_ID,
  type Order,
  type OrderCalls,
  type OrderEvent,
  type OrderMessage,
  type Reason,
  type Report,
  type ToolKind,
} from "../ports/index.ts";

/** Bytes as they stand in JSON. */
const bytes = z.codec(z.base64(), z.instanceof(Uint8Array), {
  decode: text => new Uint8Array(Buffer.from(text, "base64")),
  encode: raw => Buffer.from(raw).toString("base64"),
});

const texts = z.record(z.string(), z.string());
const count = z.int().min(0);
const stream = z.enum(["stdout", "stderr"]);
const toolKind = z.enum(["read", "edit", "execute", "fetch", "other"] satisfies ToolKind[]);
const question = { kind: toolKind, title: z.string() };

const limits = z.strictObject({ wallMs: count, idleMs: count, graceMs: count, logBytes: count });

/** The id of an object of git's. */
export const objectId: z.ZodString = z.string().regex(OBJECT_ID);

const mcpServer = z.strictObject({
  name: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  env: texts,
});

/** Labels that one machine has, or one order asks for. */
export const MOST_LABELS = 64;
/** What a machine has: `gpu`, `arch=arm64`, its name. No white space, which parts the lines of a queue. */
export const labelShape = z.string().regex(/^[\p{L}\p{N}_][\p{L}\p{N}_.:/=-]{0,99}$/u);

/** Resources that one machine offers, or one order uses. */
export const MOST_RESOURCES = 64;
/** What a resource is called: whatever a task may name. */
const resourceName = z.string().min(1).max(100);
/** Resources of a machine, and how many of each it offers. */
export const resourcesShape = z
  .record(resourceName, z.int().min(1).max(1000))
  .refine(named => Object.keys(named).length <= MOST_RESOURCES, `at most ${MOST_RESOURCES} resources`);
/** Repositories that the owner of one machine lets be worked in. */
export const MOST_REPOSITORIES = 1000;
/** Their first commits. */
export const repositoriesShape = z.array(objectId).max(MOST_REPOSITORIES);
export const usesShape = z.array(z.string().min(1)).max(1000);

/** What a machine is asked to carry out. */
export const orderShape: z.ZodType<Order> = z.strictObject({
  version: z.literal(1),
  id: z.string().min(1),
  agent: z.string().min(1),
  message: z.string(),
  asks: z.boolean(),
  task: z.string(),
  attempt: z.int().min(1),
  token: z.string().min(1),
  cwd: z.string(),
  env: texts,
  limits,
  script: z.exactOptional(z.string()),
  resume: z.exactOptional(z.string()),
  writable: z.exactOptional(z.array(z.string())),
  mcp: z.exactOptional(z.array(mcpServer)),
  hook: z.exactOptional(z.strictObject({ command: z.string(), args: z.array(z.string()) })),
  labels: z.exactOptional(z.array(labelShape).max(MOST_LABELS)),
  uses: z.exactOptional(usesShape),
  prefers: z.exactOptional(z.string().max(100)),
  calls: z.exactOptional(z.array(z.enum(["tools", "hook"] satisfies OrderCalls[]))),
  base: z.exactOptional(
    z.strictObject({
      repository: objectId,
      commit: objectId,
      head: objectId,
      project: z.exactOptional(z.string().min(1).max(4096)),
    }),
  ),
});

const callNumber = z.int().min(1);

/** What is said to an order under way. */
export const orderMessageShape: z.ZodType<OrderMessage> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("turn"), turn: z.int().min(2), text: z.string() }),
  z.strictObject({
    type: z.literal("answer"),
    question: z.int().min(1),
    answer: z.enum(["allowed", "rejected"]),
    by: z.enum(["person", "nobody"]),
  }),
  z.strictObject({ type: z.literal("reply"), call: callNumber, text: z.string() }),
  z.strictObject({ type: z.literal("end") }),
]);

// Its codes are checked where it is shown: a newer machine may know some that this program does not.
const reason = z.custom<Reason>(
  value => typeof value === "object" && value !== null && "code" in value && "args" in value,
);

const PROBLEMS = [
  "not-found",
  "spawn",
  "exit",
  "killed",
  "wall-clock",
  "idle",
  "cancelled",
  "unsuitable",
  "auth",
  "quota",
  "overloaded",
  "max-turns",
  "budget",
  "protocol",
] as const satisfies AgentProblem[];

const failure: z.ZodType<AgentFailure> = z.strictObject({
  kind: z.enum(PROBLEMS),
  message: z.string(),
  reason: z.exactOptional(reason),
  retryable: z.boolean(),
  exitCode: z.exactOptional(z.int()),
  signal: z.exactOptional(z.string()),
  said: z.exactOptional(z.string()),
  retryAt: z.exactOptional(z.number()),
});

const turnEnd = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("completed"),
    finalMessage: z.string(),
    exitCode: z.int(),
    outputBytes: count,
    complaint: z.exactOptional(failure),
  }),
  z.strictObject({ kind: z.literal("failed"), failure, finalMessage: z.string() }),
]);

const amount = z.exactOptional(z.number());

const agentEvents = [
  z.strictObject({ type: z.literal("process"), pid: z.int() }),
  z.strictObject({ type: z.literal("line"), stream, text: z.string() }),
  z.strictObject({
    type: z.literal("usage"),
    inputTokens: amount,
    outputTokens: amount,
    cachedTokens: amount,
    reasoningTokens: amount,
    estimatedTokens: amount,
    costUsd: amount,
    contextUsed: amount,
    contextSize: amount,
  }),
  z.strictObject({ type: z.literal("session"), id: z.string() }),
  z.strictObject({
    type: z.literal("tool"),
    id: z.string(),
    ...question,
    state: z.enum(["started", "done", "failed"]),
  }),
  z.strictObject({
    type: z.literal("permission"),
    ...question,
    answer: z.enum(["allowed", "rejected"]),
    by: z.enum(["policy", "person", "nobody"]),
  }),
  z.strictObject({ type: z.literal("ended"), end: turnEnd }),
] as const;

const agentEvent = z.discriminatedUnion("type", agentEvents);

/**
 * What is wrong with the event of an agent that a program wrote itself: where and what, in English, or undefined. What it says beside
 * its fields, fields set to undefined, kinds of events of later versions and numbers that are none are whose reads them.
 */
export function eventFault(event: unknown): string | undefined {
  const type = z.looseObject({ type: z.string() }).safeParse(event).data?.type;
  if (type !== undefined && !agentEvents.some(({ shape }) => shape.type.value === type)) return undefined;
  const issues = agentEvent.safeParse(said(event), { reportInput: true }).error?.issues ?? [];
  const fault = issues.find(
    issue =>
      issue.code !== "unrecognized_keys" &&
      !(issue.code === "invalid_type" && typeof issue.input === "number" && issue.expected !== "string"),
  );
  return fault && [type ?? "event", ...fault.path].join(".").concat(`: ${fault.message}`);
}

/** An event, its end and its failure without the fields that are set to undefined: those say nothing. */
function said(value: unknown, depth = 2): unknown {
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const told = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(told.map(([key, field]) => [key, depth > 0 ? said(field, depth - 1) : field]));
}

const LOSSES = [
  "anew",
  "silent",
  "token",
  "given-up",
  "full",
  "coordinator",
  "taken",
  "unknown",
  "unread",
] as const satisfies LossKind[];

const orderEvent = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("opened"), machine: z.string() }),
  z.strictObject({ type: z.literal("refused"), failure }),
  ...agentEvents,
  z.strictObject({ type: z.literal("output"), stream, bytes }),
  z.strictObject({ type: z.literal("question"), question: z.int().min(1), ...question }),
  z.strictObject({ type: z.literal("call"), call: callNumber, op: z.string().max(20), text: z.string() }),
  z.strictObject({ type: z.literal("closed") }),
  z.strictObject({
    type: z.literal("lost"),
    why: z.string(),
    how: z.exactOptional(z.enum(LOSSES)),
    machine: z.exactOptional(z.string()),
  }),
]) satisfies z.ZodType<OrderEvent>;

/** What a machine tells; `z.encode` makes JSON of it, where bytes stand in base64. */
export const reportShape = z.strictObject({
  version: z.literal(1),
  seq: z.int().min(1),
  event: orderEvent,
}) satisfies z.ZodType<Report>;

/** No event of the port is missing from its shape. */
type Missing = Exclude<OrderEvent["type"] | AgentEvent["type"], z.output<typeof orderEvent>["type"]>;
null as unknown as Missing satisfies never;
