import { describe, expect, it } from "vitest";
import { readAcks } from "../../src/sync/index.ts";
import { ENGLISH, KOREAN } from "../../src/text/index.ts";
import { countTokens } from "../../src/tokens/index.ts";

const UPDATE =
  "[CONTEXT-UPDATE] GC-v3 → GC-v4 cd5f01ab #7\n\n## Delta\n- ADDED §Decisions: D-9: use SQLite\n";
const facts = { updates: [{ label: "GC", version: 4, serial: 7, text: UPDATE }] };

describe.each([ENGLISH, KOREAN])("a message about changed documents ($locale)", messages => {
  it("holds each update whole, and a line to answer with that reads back as an acknowledgement", () => {
    const two = {
      updates: [...facts.updates, { label: "API", version: 2, serial: 1, text: "[CONTEXT-UPDATE] API-v2" }],
    };
    const message = messages.update(two);
    expect(message).toContain(UPDATE.trimEnd());
    const answers = message.split("\n").flatMap(line => (line.startsWith("  [ACK") ? [line.trim()] : []));
    expect(answers.map(line => readAcks(line)[0])).toEqual([
      { label: "GC", version: 4, serial: 7, impact: "NONE", action: "CONTINUE", unclear: [] },
      { label: "API", version: 2, serial: 1, impact: "NONE", action: "CONTINUE", unclear: [] },
    ]);
  });

  it("is no acknowledgement itself, and no signal", () => {
    const message = messages.update(facts);
    expect(readAcks(message)).toEqual([]);
    expect(message).not.toMatch(/DONE:|FAIL:/);
  });

  it("costs little beside the updates", () => {
    expect(countTokens(messages.update(facts)) - countTokens(UPDATE)).toBeLessThan(130);
  });
});
