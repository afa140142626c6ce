import type { Random } from "../random.ts";

/** A task file and what may be said of its tasks. */
export interface Job {
  readonly ids: readonly string[];
  /** The task that people pause and resume. */
  readonly last: string;
  readonly text: string;
}

/** How many tasks there are when each phase ends. */
const PHASES: readonly number[] = [4, 40, 56];

/**
 * Quick tasks in a few phases. Each writes its id to `witness` when it begins, which nobody but the tasks writes; every
 * seventh detaches a child that would live for an hour, every eleventh fails the first time.
 */
export function makeJob(random: Random, witness: string, phases: readonly number[] = PHASES): Job {
  const ids: string[] = [];
  const lines = ["# Kill test", ""];
  for (let n = 0; n < phases.at(-1)!; n++) {
    const phase = phases.findIndex(end => n < end);
    const start = phases[phase - 1] ?? 0;
    if (n === start) lines.push(`## Phase ${phase}: part ${phase}`, "");
    const id = `T${phase}.${n}`;
    const after = phase === 0 || n - start < 4 || n % 3 !== 0 ? undefined : ids[n - 1 - random.below(3)];
    ids.push(id);
    lines.push(
      `### [ ] ${id}: quick work`,
      ...(after === undefined ? [] : [`- depends_on: [${after}]`]),
      "- run:",
      "  ```sh",
      `  echo ${id} >> ${witness}`,
      ...(n % 7 === 3 ? ["  setsid sh -c 'exec sleep 3600' >/dev/null 2>&1 &"] : []),
      `  mkdir -p work; echo x >> work/${n}`,
      ...(n % 5 === 2 ? [`  sleep 0.0${random.below(10)}`] : []),
      ...(n % 11 === 5
        ? [`  if mkdir ${witness}.${id} 2>/dev/null; then echo TypeError >&2; exit 1; fi`]
        : []),
      "  ```",
      ...(n % 4 === 0 ? [`- verify: test -s work/${n}`] : []),
      "",
    );
  }
  return { ids, last: ids.at(-1) ?? "", text: lines.join("\n") };
}
