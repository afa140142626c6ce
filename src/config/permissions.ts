import { z } from "zod";

const MOST_PATTERNS = 200;
const LONGEST = 200;
/** What ends or hides a command: a pattern with it could hold no single one. */
const OPERATORS = /[;|&()<>`\n\r]|\$[({'"]/;

const decision = () => z.enum(["allow", "ask", "deny"]);

const pattern = () =>
  z
    .string()
    .min(1)
    .max(LONGEST)
    .refine(text => !OPERATORS.test(text), {
      error: "holds an operator of the shell: the commands of a line are held against it one by one",
    })
    .refine(text => text.trim() === text, { error: "begins or ends with a blank" });

const patterns = () => z.array(pattern()).max(MOST_PATTERNS);

/** The kinds of calls that decisions are made of. */
export const PERMISSION_KEYS = ["edit", "execute", "fetch", "other"] as const;
/** The keys of decisions by what a call is about, for those who mistype one. */
export const RULE_KEYS = ["allow", "ask", "deny", "else"] as const;

/** A decision, or decisions by what a call is about. */
const rules = () =>
  z.union([
    decision(),
    patterns(),
    z.strictObject({
      allow: patterns().optional(),
      ask: patterns().optional(),
      deny: patterns().optional(),
      else: decision().optional(),
    }),
  ]);

/** What an agent may do: a policy by its name, or decisions that differ from the usual one. */
export const permissions = () =>
  z.union(
    [
      z.enum(["ask", "allow-edits", "deny", "allow"]),
      z.strictObject({
        edit: rules().optional(),
        execute: rules().optional(),
        fetch: rules().optional(),
        other: decision().optional(),
      }),
    ],
    {
      error:
        "expected ask, allow-edits, deny, allow, or decisions such as { execute: allow } or { execute: [npm test*] } (edit, execute, fetch, other)",
    },
  );

/** What permissions say, as they are written. */
export type PermissionsConfig = z.infer<ReturnType<typeof permissions>>;

/** Whether they tell calls of one kind apart. */
export function havePatterns(given: PermissionsConfig | undefined): boolean {
  return typeof given === "object" && Object.values(given).some(each => typeof each === "object");
}
