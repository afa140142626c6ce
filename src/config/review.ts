import { z } from "zod";
import { LEAD } from "../ports/index.ts";

/** Who judges proved work before it lands: an agent or a command; nobody where neither is named. */
export const reviewSchema = () =>
  z
    .strictObject({
      /** One of the project's agents. */
      agent: z
        .string()
        .min(1)
        .max(100)
        .refine(name => name !== LEAD, "the name lead is a lead's own: choose another agent")
        .optional(),
      /** A shell command: the diff comes on its standard input, 0 approves, 1 has findings on its standard output. */
      command: z.string().min(1).max(4000).optional(),
      /** How often findings go back to the agent of an attempt. */
      rounds: z.int().min(0).max(10).default(2),
      /** Work that could not be reviewed waits for a person. */
      required: z.boolean().default(false),
    })
    .refine(({ agent, command }) => agent === undefined || command === undefined, {
      error: "agent and command exclude each other",
    })
    .refine(({ agent, command, required }) => !required || agent !== undefined || command !== undefined, {
      error: "required: true needs an agent: or a command: that reviews",
    });
