import { z } from "zod";
import { looksSecret } from "../text/index.ts";

/** The name of a variable that holds a secret. What is not known for one by its name would not be masked elsewhere. */
const secretName = () =>
  z
    .string()
    .max(100)
    .regex(/^[A-Za-z_]\w*$/, "expected the name of a variable")
    .refine(looksSecret, {
      error: "expected a name with TOKEN, KEY, SECRET or WEBHOOK in it: its value is masked by that",
    });

/** Who is told when nobody looks. `every` is the schema of a duration. */
export const notifySchema = <Duration extends z.ZodType>(every: Duration) =>
  z.strictObject({
    /** The desktop, or the bell of the terminal; `auto` where a person sits at it. */
    desktop: z.enum(["auto", "on", "off"]).default("auto"),
    /** To the address in SLACK_WEBHOOK_URL, where that is set. */
    slack: z.enum(["on", "off"]).default("on"),
    webhook: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional(),
    /** The variable that holds an address which is itself a secret. */
    webhookEnv: secretName().optional(),
    /** The variable that holds the token which the address asks for. */
    tokenEnv: secretName().optional(),
    command: z.string().min(1).max(4000).optional(),
    /** The shortest time between two messages; what comes in between is one. */
    every,
  });
