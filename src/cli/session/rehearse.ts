import type { Plan } from "../../plan/index.ts";
import { freshRun, type RunPolicy, step } from "../../run/index.ts";

/** What would go out together if every attempt succeeded, wave by wave: the real scheduler, without a world. */
export function rehearse(plan: Plan, policy: RunPolicy, only: readonly string[] | undefined): string[][] {
  const run = freshRun(plan, { policy, ...(only === undefined ? {} : { only: new Set(only) }) }, () => "");
  const waves: string[][] = [];
  let out = step(run, { type: "start", resumed: false, now: 0 });
  for (;;) {
    const wave = out.commands.flatMap(command => (command.type === "dispatch" ? [command] : []));
    if (wave.length === 0) return waves;
    waves.push(wave.map(({ task }) => task));
    const next = wave.map(({ task, attempt }) =>
      step(run, {
        type: "attempt-ended",
        task,
        attempt,
        outcome: { kind: "done", verified: true, textHash: "" },
        ms: 0,
        now: 0,
      }),
    );
    out = { ...out, commands: next.flatMap(result => result.commands) };
  }
}
