import { type RunState, step } from "../../run/index.ts";

/** What would go out together if every attempt succeeded, wave by wave: the real scheduler, without a world. */
export function rehearse(run: RunState): string[][] {
  const waves: string[][] = [];
  let now = 0;
  let commands = step(run, { type: "start", resumed: true, now }).commands;
  for (;;) {
    const wave = commands.flatMap(command => (command.type === "dispatch" ? [command] : []));
    if (wave.length === 0) {
      const due = run.due.nextAt();
      if (due === undefined || run.ended !== undefined) return waves;
      now = due;
      commands = step(run, { type: "tick", now }).commands;
      continue;
    }
    waves.push(wave.map(({ task }) => task));
    const outcome = { kind: "done", verified: true, textHash: "" } as const;
    commands = wave.flatMap(
      ({ task, attempt }) =>
        step(run, { type: "attempt-ended", task, attempt, outcome, ms: 0, now }).commands,
    );
  }
}
