import type { NamedBug } from "../bug.ts";

/** What is kept on disk: store, lock, files. */
export const STATE_BUGS: readonly NamedBug[] = [
  {
    name: "each start undoes the newest completion",
    file: "src/run/restore.ts",
    symbol: "restoreStatuses",
    swap: [
      "if (status !== undefined && status !==",
      `const newest = run.tasks.filter(one => rows.get(one.task.id)?.status === "completed").at(-1);
       if (state !== newest && status !== undefined && status !==`,
    ],
    by: { proof: "program", count: 30 },
  },
];
