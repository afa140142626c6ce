import type { Stage } from "./stage.ts";

/** The agents of the orchard say what they do. */
export function chatter(stage: Stage): void {
  const say = (task: string, attemptNumber: number, ...lines: readonly string[]) => {
    for (const text of lines) stage.say({ type: "attempt-line", task, attempt: attemptNumber, text });
  };
  say(
    "T2.1",
    1,
    "Reading src/t1.1.ts",
    "GET /trees returns rows in order",
    "Writing test/trees.test.ts",
    "12 tests passed, 1 skipped",
  );
  say("T2.2", 2, "The map server answers again", "Drawing rows as polylines");
}
