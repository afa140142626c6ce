import { z } from "zod";

const text = z.string();

/** A machine that works for the hub of the run. */
export const MachineNow = z.strictObject({
  name: text,
  /** It answers, was not heard for a while, takes nothing more, or nothing until its disk has room. */
  state: z.enum(["there", "silent", "draining", "full"]),
  /** Seconds since it was heard last. */
  heard: z.int(),
  slots: z.int(),
  /** How many orders it works on, of whatever run. */
  busy: z.int(),
  /** Tasks of this run that it works on. */
  tasks: z.array(text),
  agents: z.array(text),
  /** What it has that others have not, and how many of what it offers are in use, of how many. */
  labels: z.array(text),
  offers: z.array(z.strictObject({ name: text, taken: z.int(), of: z.int() })),
  /** Attempts of this run that were lost with it. */
  lost: z.int(),
});
export type MachineNow = z.infer<typeof MachineNow>;

/** `GET /api/machines`: who works for the hub of the run; without `hub` it is worked on here. */
export const MachinesShape = z.strictObject({
  hub: text.optional(),
  /** Why the hub says nothing. */
  problem: text.optional(),
  machines: z.array(MachineNow),
  /** Orders that wait for a machine, of all runs. */
  waiting: z.int(),
});
export type MachinesShape = z.infer<typeof MachinesShape>;
