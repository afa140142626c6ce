import { describe, expect, it } from "vitest";
import { judged, spellAcks } from "../torture/ack-spellings.ts";
import { ODD_ACKS } from "./odd-acks.ts";

describe("spellings of an acknowledgement", () => {
  it("[SA1] none of many is taken for a yes that is none, no PAUSE is lost, and a plain yes is read", () => {
    const { valid, read, broken, missed } = spellAcks(1, 1000);
    expect(broken).toEqual([]);
    expect(missed).toHaveLength(valid - read);
    expect(valid).toBeGreaterThan(150);
    expect(read).toBeGreaterThanOrEqual(0.99 * valid);
  });

  it.each(ODD_ACKS)("[SA1] %j", (text, ...outcome) => {
    const told: readonly string[] = ["paused", "clarify", "requested", "lost"];
    const { confirmed, events } = judged(text);
    expect(
      events.flatMap(event =>
        event.type === "acked" ? [event.verdict] : told.includes(event.type) ? [event.type] : [],
      ),
    ).toEqual(outcome);
    expect(confirmed).toBe(outcome.includes("confirmed"));
  });

  it("[SA6] a PAUSE in any place of a valid answer is heard", () => {
    const lines = [
      "[ACK-UPDATE] GC-v4 received.",
      "- Items: 2/2",
      "- Impact: NONE",
      "- Action: CONTINUE",
      "",
      "I go on.",
    ];
    for (let at = 0; at <= lines.length; at++) {
      for (const word of [
        "PAUSE",
        "- Action taken: PAUSE",
        "**PAUSE** until D-5 is decided",
        "Action: pause",
      ]) {
        const text = [...lines.slice(0, at), word, ...lines.slice(at)].join("\n");
        const { confirmed, events } = judged(text);
        expect({ text, paused: events.some(({ type }) => type === "paused") }).toEqual({
          text,
          paused: true,
        });
        expect({ text, confirmed }).toEqual({ text, confirmed: at === 0 });
      }
    }
  });
});
