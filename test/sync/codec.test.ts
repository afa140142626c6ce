import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCodec, emptyReplica, readAcks, receive } from "../../src/sync/index.ts";
import { CODEC, CONTEXT, edit, shape, status, Team } from "./team.ts";

const FACTS = { label: "GC", from: 1, to: 2, majorRestructure: 0.5 };

describe("the codec", () => {
  it("[SM3] is that of the delta room, with costs counted as given", () => {
    const counted: string[] = [];
    const codec = createCodec(text => {
      counted.push(text);
      return text.length;
    });
    const made = codec.encode(CONTEXT, status(CONTEXT, "X"), FACTS);
    expect(made).toMatchObject({ ok: true, value: { form: "delta", items: 1 } });
    expect(counted.length).toBeGreaterThan(0);
    expect(made.ok && made.value.tokens.sent).toBe(made.ok && made.value.text.length);
    const read = codec.decode(made.ok ? made.value.text : "", CONTEXT);
    expect(read).toMatchObject({ ok: true, value: { text: status(CONTEXT, "X"), proven: true } });
  });

  it("[SM3] passes on whom a version affects", () => {
    const made = CODEC.encode(CONTEXT, status(CONTEXT, "X"), {
      ...FACTS,
      affected: ["ann"],
      actions: ["read"],
    });
    const read = CODEC.decode(made.ok ? made.value.text : "", CONTEXT);
    expect(read).toMatchObject({ ok: true, value: { affected: ["ann"], actions: ["read"] } });
  });

  it("[SM3] refuses what cannot stand in a message", () => {
    expect(CODEC.encode(CONTEXT, `${CONTEXT}x`, { ...FACTS, label: "no label" }).ok).toBe(false);
    expect(CODEC.encode(CONTEXT, `${CONTEXT}x`, { ...FACTS, to: -1 }).ok).toBe(false);
  });

  it("[SR1] what leaves a lead survives trimmed ends and other line ends on its way", () => {
    const spoil = fc.constantFrom<(text: string) => string>(
      text => text,
      text => text.trim(),
      text => `\n\n${text}\n`,
      text => text.replaceAll("\n", "\r\n"),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[A-Z]{1,6}$/), spoil), { minLength: 1, maxLength: 5 }),
        steps => {
          const team = Team.of(["ann"]);
          for (const [value, onItsWay] of steps) {
            const text = `${status(CONTEXT, value)}- R-9: ${value}\n`;
            team.publish(text);
            while (team.post.length > 0) {
              const message = team.take();
              const { answer } = team.deliver({ ...message, text: onItsWay(message.text) });
              team.say("ann", onItsWay(answer!));
            }
            expect(team.replica("ann").held?.text).toBe(text);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it("[SR1] a spawn in full survives the loss of its last line end", () => {
    const team = new Team();
    team.publish(CONTEXT);
    team.join("ann");
    const { text, serial } = team.take();
    for (const arrived of [text, text.trimEnd(), `${text}\n`]) {
      const { replica, answer } = receive(emptyReplica("GC"), { text: arrived, serial }, CODEC);
      expect(replica.held?.text).toBe(CONTEXT);
      expect(readAcks(answer!)[0]).toMatchObject({ version: 1, serial });
    }
  });

  it("[SF1] takes replaced sections where they are cheaper than operations", () => {
    const team = Team.of(["ann"], { majorRestructure: 0.9 });
    const before = "- Phase 1: COMPLETE\n- Phase 2: IN_PROGRESS\n";
    const next = edit(CONTEXT, before, "One: open\nTwo: open\nThree: shut\n");
    team.publish(next);
    expect(team.post.map(shape)[0]).toMatch(/^v1→v2 (sections|delta): next-version$/);
    expect(team.post[0]!.text).toContain("- REPLACED §Status:\nOne: open");
    team.exchange();
    expect(team.replica("ann").held?.text).toBe(next);
  });
});
