import { describe, expect, it } from "vitest";
import { readAcks, readWords } from "../../src/sync/index.ts";
import { ENGLISH, KOREAN } from "../../src/text/index.ts";
import { countTokens } from "../../src/tokens/index.ts";

const UPDATE =
  "[CONTEXT-UPDATE] GC-v3 → GC-v4 cd5f01ab #7\n\n## Delta\n- ADDED §Decisions: D-9: use SQLite\n";
const facts = { updates: [{ label: "GC", version: 4, serial: 7, text: UPDATE }] };

describe.each([ENGLISH, KOREAN])("a message about changed documents ($locale)", messages => {
  it("holds each update whole, and a line to answer with that is an acknowledgement once it is filled in", () => {
    const two = {
      updates: [...facts.updates, { label: "API", version: 2, serial: 1, text: "[CONTEXT-UPDATE] API-v2" }],
    };
    const message = messages.update(two);
    expect(message).toContain(UPDATE.trimEnd());
    const answers = message.split("\n").flatMap(line => (line.startsWith("  [ACK") ? [line.trim()] : []));
    const filled = answers.map(line =>
      line.replace(/<NONE[^>]*>/, "NONE").replace(/<CONTINUE[^>]*>/, "CONTINUE"),
    );
    expect(filled.map(line => readAcks(line)[0])).toEqual([
      { label: "GC", version: 4, serial: 7, impact: "NONE", action: "CONTINUE", unclear: [] },
      { label: "API", version: 2, serial: 1, impact: "NONE", action: "CONTINUE", unclear: [] },
    ]);
  });

  it("[SA1] proves nothing and pauses nobody where it is repeated as it stands, and is no signal", () => {
    const message = messages.update(facts);
    const quoted = message.replaceAll(/^/gm, "> ");
    for (const text of [message, quoted, message.split("\n").find(line => line.includes("[ACK"))!]) {
      const words = readWords(text);
      expect(words.map(({ type }) => type)).toEqual(["ack"]);
      expect(readAcks(text)).toEqual([
        {
          label: "GC",
          version: 4,
          serial: 7,
          impact: expect.any(String),
          unclear: [],
          doubt: expect.any(String),
        },
      ]);
    }
    expect(message).not.toMatch(/DONE:|FAIL:/);
  });

  it("costs little beside the updates", () => {
    expect(countTokens(messages.update(facts)) - countTokens(UPDATE)).toBeLessThan(130);
  });
});
