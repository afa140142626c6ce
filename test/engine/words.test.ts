import { describe, expect, it } from "vitest";
import { inEnglish } from "../reasons.ts";
import { type Bench, openBench } from "./bench.ts";
import { ONE } from "./engine-fixtures.ts";

const WORDS = "use the other API";

const late = ({ events }: Bench) =>
  events.flatMap(event =>
    event.type === "warning" && event.code === "TOLD_TOO_LATE" ? [event.message] : [],
  );

describe("what a person says to an agent at work", () => {
  it("[E67] is told between its turns, in one of its own, and kept", async () => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true } });
    const end = bench.start();
    const first = await bench.puppets.next();
    expect(bench.engine.say("T1.1", WORDS, "ann")).toBeUndefined();
    expect(bench.engine.say("T1.1", "and soon", "ann")).toBeUndefined();
    first.say(`DONE:${first.id}`);
    const second = await bench.puppets.next();
    expect(second.prompt).toContain(`${WORDS}\nand soon\n`);
    expect(second.request.attempt).toBe(1);
    second.say("I did so already");
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.run.byId.get("T1.1")).toMatchObject({ attempts: 1, retries: 0 });
    const kept = bench.changes.flatMap(change => change.events ?? []).map(({ event }) => event);
    expect(kept).toContainEqual({ type: "person", action: "tell", task: "T1.1", note: WORDS, by: "ann" });
    expect(late(bench)).toEqual([]);
  });

  it("[E67] changes a claim by another one", async () => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true }, policy: { maxAttempts: 1 } });
    const end = bench.start();
    const first = await bench.puppets.next();
    bench.engine.say("T1.1", WORDS, "ann");
    first.say(`DONE:${first.id}`);
    const second = await bench.puppets.next();
    second.say(`FAIL:${second.id}:there is no other API`);
    expect(await end).toMatchObject({ outcome: "failed" });
  });

  it("[E67] is refused where nobody would hear it", async () => {
    using bench = openBench({ tasks: ONE });
    expect(inEnglish(bench.engine.say("T1.1", WORDS, "ann"))).toBe("nobody works on T1.1");
    const end = bench.start();
    const part = await bench.puppets.next();
    expect(inEnglish(bench.engine.say("T1.1", WORDS, "ann"))).toContain(
      "puppet hears nothing while it works",
    );
    expect(inEnglish(bench.engine.say("T9", WORDS, "ann"))).toBe("nobody works on T9");
    part.say(`DONE:${part.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.events.some(({ type }) => type === "person")).toBe(false);
  });

  it("[E67] is bounded", async () => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true } });
    const end = bench.start();
    const part = await bench.puppets.next();
    for (let n = 0; n < 20; n++) expect(bench.engine.say("T1.1", `${n}`, "ann")).toBeUndefined();
    expect(inEnglish(bench.engine.say("T1.1", "one more", "ann"))).toContain("20 messages wait");
    part.say(`DONE:${part.id}`);
    const told = await bench.puppets.next();
    told.say(`DONE:${told.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it("[E67] [G46] is told by the next process where a stop came before, with the task and not as data", async () => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true } });
    const end = bench.start();
    await bench.puppets.next();
    bench.engine.say("T1.1", WORDS, "ann");
    await bench.engine.send({ type: "stop", by: "", how: "soft" });
    await end;
    using next = openBench({ tasks: ONE, place: bench.place, resume: true, puppets: { followUp: true } });
    const ending = next.start();
    const part = await next.puppets.next();
    expect(part.prompt).toContain(`The person who runs this says:\n\n${WORDS}\n`);
    expect(part.prompt).not.toContain("<attempt");
    part.say(`DONE:${part.id}`);
    await ending;
  });

  it("[E67] [G46] is told to the next attempt where it came too late, with the task and not as data", async () => {
    using bench = openBench({ tasks: ONE, puppets: { followUp: true } });
    const end = bench.start();
    const first = await bench.puppets.next();
    bench.engine.say("T1.1", WORDS, "ann");
    const failure = { kind: "exit", message: "exit 1", retryable: true } as const;
    first.end({ kind: "failed", failure, finalMessage: "half of it" });
    const second = await bench.puppets.next();
    expect(second.prompt).toContain(`The person who runs this says:\n\n${WORDS}\n`);
    expect(/<attempt .*?<\/attempt/s.exec(second.prompt)?.[0]).not.toContain(WORDS);
    expect(second.prompt.split(WORDS)).toHaveLength(2);
    expect(late(bench).map(message => inEnglish(message))).toEqual([
      `its agent had ended before it could be told; its next attempt is: ${WORDS}`,
    ]);
    second.say(`DONE:${second.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
  });
});
