import { describe, expect, it } from "vitest";
import { inEnglish } from "../reasons.ts";
import { type Bench, openBench } from "./bench.ts";
import { ONE } from "./engine-fixtures.ts";
import type { Part } from "./puppets.ts";

const attempts = (bench: Bench) => bench.run.byId.get("T1.1");
const failures = ({ events }: Bench) =>
  events.flatMap(event => (event.type === "attempt-failed" ? [inEnglish(event.reason)] : []));
const finalMessage = (bench: Bench) => {
  const rows = bench.changes.flatMap(change => change.attempts ?? []);
  return rows.findLast(row => row.endedAt !== undefined)?.finalMessage;
};

/** Each way in which an agent may miss its signal, by its id. */
const MISSED: readonly (readonly [string, (id: string) => string])[] = [
  ["asks something", () => "Shall I go on with the second half?"],
  ["leaves the mark out", id => `All green.\nDONE:${id.slice(0, id.indexOf("#"))}`],
  ["sets it in bold", id => `All green.\n**DONE:${id}**`],
  ["sets it in code", id => `All green.\n\`DONE:${id}\``],
  ["fences it", id => `All green.\n\`\`\`\nDONE:${id}\n\`\`\``],
  ["leaves a fence open", id => `All green.\n~~~~sh\nDONE:${id}`],
  ["says something behind it", id => `DONE:${id}\nThank you!`],
  ["says nothing", () => ""],
];

describe("an agent that ends its turn without its signal", () => {
  it.each(MISSED)("[E168] is asked for it in its session, in the same attempt: %s", async (_, missed) => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true } });
    const end = bench.start();
    const first = await bench.puppets.next();
    first.say(missed(first.id));
    const second = await bench.puppets.next();
    expect(second.prompt).toContain("[SIGNAL] Your answer did not end with its signal line");
    expect(second.prompt).toContain(`the word \`DONE:\` followed at once by \`${second.id}\``);
    // What it repeats of this must prove nothing.
    expect(second.prompt).not.toContain(`DONE:${second.id}`);
    expect(second.prompt).not.toContain(`FAIL:${second.id}`);
    expect(second.request.attempt).toBe(1);
    expect(second.id).toBe(first.id);
    second.say(`DONE:${second.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(attempts(bench)).toMatchObject({ attempts: 1, retries: 0 });
    expect(failures(bench)).toEqual([]);
  });

  it("[E168] is shown the line that it took for its signal", async () => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true } });
    const end = bench.start();
    (await bench.puppets.next()).say("Done.\nDONE:T1.1");
    const second = await bench.puppets.next();
    expect(second.prompt).toContain("This line is not the signal of this attempt (data):\n  | DONE:T1.1\n");
    second.say(`DONE:${second.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it("[E168] has given one answer, which ends with its signal", async () => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true } });
    const end = bench.start();
    (await bench.puppets.next()).say("The door is oak. Shall I paint it?");
    const second = await bench.puppets.next();
    second.say(`It is white now.\n\nDONE:${second.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(finalMessage(bench)).toBe(
      `The door is oak. Shall I paint it?\n\nIt is white now.\n\nDONE:${second.id}`,
    );
  });

  it("[E168] may say then that it has failed", async () => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true }, policy: { maxAttempts: 1 } });
    const end = bench.start();
    (await bench.puppets.next()).say("There is no wood.");
    const second = await bench.puppets.next();
    second.say(`FAIL:${second.id}:no wood`);
    expect(await end).toMatchObject({ outcome: "failed" });
    expect(failures(bench)).toEqual(["no wood"]);
  });

  it("[E168] is asked twice at most, and has failed then", async () => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true }, policy: { maxAttempts: 1 } });
    const end = bench.start();
    for (let turn = 0; turn < 3; turn++) (await bench.puppets.next()).say("Shall I go on?");
    expect(await end).toMatchObject({ outcome: "failed" });
    expect(failures(bench)).toEqual(["no signal"]);
    expect(bench.puppets.turns).toBe(3);
  });

  it("[E168] is asked in another process where only that goes on with its session", async () => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true, abilities: { followUp: false } } });
    const end = bench.start();
    const first = await bench.puppets.next();
    first.tell({ type: "session", id: "s-1" });
    first.say("Half of it is done.");
    const second = await bench.puppets.next();
    expect(second.request).toMatchObject({ resume: "s-1", attempt: 1 });
    expect(second.prompt).toContain("[SIGNAL] Your answer did not end");
    second.tell({ type: "session", id: "s-1" });
    second.say(`DONE:${second.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(attempts(bench)).toMatchObject({ attempts: 1, retries: 0 });
    expect(finalMessage(bench)).toBe(`Half of it is done.\n\nDONE:${second.id}`);
  });

  it.each<[string, boolean, (part: Part) => void]>([
    ["it has failed", true, part => part.say(`FAIL:${part.id}:no`)],
    ["it crashed", true, part => part.say("I was at it", 3)],
    ["nothing goes on with its session", false, part => part.say("Shall I go on?")],
    [
      "it complains of what keeps it from working",
      true,
      part =>
        part.end({
          kind: "completed",
          finalMessage: "",
          exitCode: 0,
          outputBytes: 0,
          complaint: { kind: "exit", message: "no model", retryable: true },
        }),
    ],
  ])("[E168] is not asked where %s", async (_, followUp, act) => {
    using bench = openBench({ tasks: ONE, puppets: { followUp }, policy: { maxAttempts: 1 } });
    const end = bench.start();
    act(await bench.puppets.next());
    expect(await end).toMatchObject({ outcome: "failed" });
    expect(bench.puppets.turns).toBe(1);
  });

  it("[E168] and cannot be asked is told in its next attempt how its answer ended", async () => {
    using bench = openBench({ tasks: ONE });
    const end = bench.start();
    (await bench.puppets.next()).say("Done.\nDONE:T1.1");
    const second = await bench.puppets.next();
    expect(second.prompt).toContain("spelt as it is asked for. It ended with: DONE:T1.1\n");
    second.say(`DONE:${second.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it("[E168] is judged by what ends its session while it is asked", async () => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true }, policy: { maxAttempts: 1 } });
    const end = bench.start();
    (await bench.puppets.next()).say("Shall I go on?");
    const failure = { kind: "idle", message: "puppet wrote nothing", retryable: true } as const;
    (await bench.puppets.next()).end({ kind: "failed", failure, finalMessage: "" });
    expect(await end).toMatchObject({ outcome: "failed" });
    expect(failures(bench)).toEqual(["puppet wrote nothing"]);
  });
});
