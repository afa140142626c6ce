import { z } from "zod";

const text = z.string();

/** `GET /api/branches`: where the work of the run is. `target` is empty where there are no branches. */
export const BranchesShape = z.strictObject({
  target: text,
  phases: z.array(
    z.strictObject({
      phase: text,
      /** In the target, on its branch and ready to be merged, or on its branch and not all done. */
      state: z.enum(["merged", "waits", "unfinished"]),
      branch: text.optional(),
    }),
  ),
  /** Work that was taken out of the way. */
  aside: z.array(z.strictObject({ task: text.optional(), where: text })),
  /** What is to be typed to merge what is ready; absent where nothing is. */
  merge: text.optional(),
});
export type BranchesShape = z.infer<typeof BranchesShape>;
