import { z } from "zod";

const path = () => z.string().min(1).max(1000);
const paths = () => z.array(path()).max(500);
const tokens = () => z.int().min(100).max(10_000_000);

/** Nodes by their id; one without a parent hangs on the root. */
const tree = () =>
  z.record(
    z.string().min(1).max(100),
    z.strictObject({
      parent: z.string().min(1).max(100).optional(),
      /** Documents all branches of the node share; they stand before its own. */
      shared: paths().default([]),
      documents: paths().default([]),
    }),
  );

/** Keys under `context:` that concern the context tree and what attempts are given to read. */
export const contextTreeKeys = () => ({
  tree: tree().default({}),
  /** Whose `[ADD_CONTEXT:…]` blocks are taken in, and which nodes they may name. */
  addContext: z
    .strictObject({
      when: z.enum(["accepted", "always", "off"]).default("accepted"),
      scope: z.enum(["path", "any"]).default("path"),
    })
    .prefault({}),
  /**
   * Agents hand over at the end of their answers what later tasks must know: they are asked (`ask`), and once more in the same
   * session where a long answer that others build on lacks it (`repair`).
   */
  handover: z.enum(["repair", "ask", "off"]).default("repair"),
  /** What attempts ask for by its name is worth more to those after them in the run. */
  learn: z.boolean().default(true),
  /** Research tasks that workers may ask for in one run. */
  research: z.int().min(0).max(1000).default(5),
  /** Tokens of a package in all, of one document, of one result, and of what tasks further back than dependencies handed over. */
  package: z
    .strictObject({
      tokens: tokens().default(150_000),
      document: tokens().optional(),
      result: tokens().optional(),
      earlier: z.int().min(0).max(10_000_000).default(1_500),
    })
    .prefault({}),
  /** Files whose text replaces the role prompts. */
  prompts: z.strictObject({ worker: path().optional(), contextFill: path().optional() }).prefault({}),
});
