import type { z } from "zod";
import { nearest, visible } from "../text/index.ts";
import { type Role, TOOLS, type ToolInput, type ToolName, toolsOf } from "./tools.ts";

/** What stands behind the tools: each answers with a short text, or throws a `Refusal`. */
export type Duties = {
  readonly [Name in ToolName]?: (input: ToolInput<Name>) => Promise<string>;
};

/** Why a call was refused, as a model should read it. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Refusal";
  }
}

/** What a call came to. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a tool: input that does not fit is refused with the place that does not; nothing throws. */
export async function call(role: Role, duties: Duties, name: string, input: unknown): Promise<Answer> {
  const allowed: readonly string[] = toolsOf(role);
  if (!allowed.includes(name)) return refused(unknownTool(role, name));
  const tool = name as ToolName;
  const parsed = TOOLS[tool].takes.safeParse(withoutEmpty(tool, input ?? {}));
  if (!parsed.success) return refused(`BAD_INPUT: ${tool} ${misfit(tool, parsed.error.issues)}`);
  const duty = duties[tool] as ((input: unknown) => Promise<string>) | undefined;
  if (duty === undefined) return refused(`NOT_HERE: ${tool} is not served`);
  try {
    return { text: await duty(parsed.data), isError: false };
  } catch (error) {
    if (error instanceof Refusal) return refused(error.message);
    return refused(`BUG: ${visible(error instanceof Error ? error.message : String(error), 300)}`);
  }
}

/** Input without the optional fields that are null or an empty text: models fill in all that a schema names. */
function withoutEmpty(tool: ToolName, input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const { shape } = TOOLS[tool].takes;
  const isOptional = (name: string) =>
    Object.hasOwn(shape, name) && (shape as Record<string, z.ZodType>)[name]!.safeParse(undefined).success;
  const isEmpty = (value: unknown) => value === null || value === "";
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !(isEmpty(value) && isOptional(name))),
  );
}

/** What does not fit. A field that nobody knows is told first: the one it was meant to be is missing because of it. */
function misfit(tool: ToolName, issues: readonly z.core.$ZodIssue[]): string {
  const unknown = issues.find(issue => issue.code === "unrecognized_keys");
  if (unknown !== undefined) {
    const guess = nearest((unknown.keys[0] ?? "").slice(0, 60), Object.keys(TOOLS[tool].takes.shape));
    return `${visible(unknown.message, 200)}${guess === undefined ? "" : `; did you mean ${guess}?`}`;
  }
  const [issue] = issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  return `${where}${visible(issue?.message ?? "", 200)}`;
}

function unknownTool(role: Role, name: string): string {
  if (Object.hasOwn(TOOLS, name)) return `NOT_YOURS: ${name} is for the lead; you are at work on one task`;
  const guess = nearest(name.slice(0, 60), toolsOf(role));
  return `NO_SUCH_TOOL: ${visible(name, 60)}${guess === undefined ? "" : `; did you mean ${guess}?`}`;
}

function refused(text: string): Answer {
  return { text, isError: true };
}
