import { z } from "zod";

/** Who is at the other end: a lead that orchestrates by itself, or an agent at work on one task. */
export type Role = "lead" | "worker";

const id = z.string().min(1).max(200);
const label = z.string().min(1).max(100);
const version = z.int().min(0).max(999_999_999);
const text = z.string().min(1).max(1_000_000);

/** The tools by their fixed names: what they take, and what a model is told of them. */
export const TOOLS = {
  next_tasks: {
    says: "What to do next, in one line: READY:a,b|c (| waits for a slot), WAIT, PHASE_DONE, ALL_DONE, ERROR, STOP",
    takes: z.strictObject({ new_session: z.boolean().optional() }),
    roles: ["lead"],
  },
  start_task: {
    says: "Claim a ready task; answers PROMPT:file, to be read and carried out by its agent, not by you",
    takes: z.strictObject({ id }),
    roles: ["lead"],
  },
  report: {
    says: "Hand in the last line of a started task's agent: DONE:… or FAIL:…",
    takes: z.strictObject({ id, signal: z.string().min(1).max(2000) }),
    roles: ["lead"],
  },
  status: {
    says: "The run in one line, or one task",
    takes: z.strictObject({ id: id.optional() }),
    roles: ["lead", "worker"],
  },
  stop: { says: "End the run; it can be resumed", takes: z.strictObject({}), roles: ["lead"] },
  context_pull: {
    says: "What changed in a shared document since the version you hold (its hash proves it); else all of it",
    takes: z.strictObject({ label, since: version.optional(), hash: z.string().min(4).max(64).optional() }),
    roles: ["lead", "worker"],
  },
  context_ack: {
    says: "Hand in your [ACK-UPDATE] line",
    takes: z.strictObject({ text: z.string().min(1).max(10_000) }),
    roles: ["lead", "worker"],
  },
  add_context: {
    says: "Add a document to a context node, for tasks to come",
    takes: z.strictObject({ node: label, text }),
    roles: ["lead", "worker"],
  },
  checkpoint: {
    says: "Write a checkpoint of the run",
    takes: z.strictObject({ why: z.string().max(400).optional() }),
    roles: ["lead"],
  },
  get_context: {
    says: "A document or a task's result, whole, by its name; without name the list",
    takes: z.strictObject({ name: z.string().min(1).max(1000).optional(), version: version.optional() }),
    roles: ["lead", "worker"],
  },
} as const satisfies Record<string, { says: string; takes: z.ZodType; roles: readonly Role[] }>;

/** What a client tells its model of the server as a whole. */
export const INSTRUCTIONS: Readonly<Record<Role, string>> = {
  lead: "Work through the task file: next_tasks, then start_task for each READY id, then report with its agent's last line. Never read tasks, prompts or logs yourself.",
  worker:
    "The documents of your own task and the results it builds on: get any of them whole, pull and acknowledge changes, add what later tasks must know.",
};

/** Tools that change nothing. */
const READING: ReadonlySet<ToolName> = new Set(["status", "get_context"]);

export type ToolName = keyof typeof TOOLS;

/** What a tool is called with. */
export type ToolInput<Name extends ToolName> = z.infer<(typeof TOOLS)[Name]["takes"]>;

/** A tool as clients are shown it. */
export interface Definition {
  readonly name: ToolName;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
}

/** The definitions a role sees, in the order of the table: clients cache prompts by it. */
export function definitionsFor(role: Role): Definition[] {
  return toolsOf(role).map(name => ({
    name,
    description: TOOLS[name].says,
    inputSchema: slim(z.toJSONSchema(TOOLS[name].takes, { io: "input" })),
  }));
}

/** Hints for the client, which shows them to no model. */
export function hintsFor(name: ToolName) {
  return { readOnlyHint: READING.has(name), openWorldHint: false };
}

/** The names a role may call. */
export function toolsOf(role: Role): ToolName[] {
  return (Object.keys(TOOLS) as ToolName[]).filter(name =>
    (TOOLS[name].roles as readonly Role[]).includes(role),
  );
}

/** A schema without the limits that we check ourselves: every token of it is paid in every conversation. */
function slim(schema: z.core.JSONSchema.BaseSchema): Definition["inputSchema"] {
  const properties = Object.entries(schema.properties ?? {}).map(([name, value]) => {
    const type = typeof value === "object" ? value.type : undefined;
    return [name, { type }];
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(schema.required === undefined || schema.required.length === 0 ? {} : { required: schema.required }),
    additionalProperties: false,
  };
}
