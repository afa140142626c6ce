import { describe, expect, it } from "vitest";
import { decode } from "../../src/delta/index.ts";

const BASE =
  "# GC\n\n## Status\n\n- Phase 2: IN_PROGRESS\n- Phase 3: PENDING\n\n## Decisions\n\n- D-7: old words\n";

function read(text: string): ReturnType<typeof decode> {
  return decode(text, BASE);
}

describe("older forms", () => {
  it("[U11] the documents' own delta without hashes is carried out, unproven", () => {
    const result = read(
      [
        "[CONTEXT-UPDATE] GC-v3 → GC-v4",
        "",
        "## Delta",
        "- ADDED §Decisions: D-8: new words",
        "- CHANGED §Status: Phase 2: IN_PROGRESS → COMPLETE",
        "- REMOVED §Status: Phase 3",
        "- CHANGED §Decisions.D-7: old → older",
        "",
        "## Impact Assessment",
        "- Affected teammates: implementer-1, implementer-2",
        "- Required actions: re-read §Decisions, PAUSE",
      ].join("\n"),
    );
    expect(result.ok && result.value).toMatchObject({
      text: "# GC\n\n## Status\n\n- Phase 2: COMPLETE\n\n## Decisions\n\n- D-7: older words\n- D-8: new words\n",
      items: 4,
      proven: false,
      affected: ["implementer-1", "implementer-2"],
      actions: ["re-read §Decisions", "PAUSE"],
    });
  });

  it("[U11] an ASCII arrow in the header is read", () => {
    const result = read("[CONTEXT-UPDATE] GC-v3 -> GC-v4\n\n## Delta\n- REMOVED §Decisions.D-7");
    expect(result.ok && result.value.items).toBe(1);
  });

  it("[U11] prose is no delta, and says which version it spoke of", () => {
    const result = read("[CONTEXT-UPDATE] GC-v4 | Delta: phase 2 is complete, see the gate record");
    expect(result).toMatchObject({
      ok: false,
      failure: {
        kind: "prose",
        header: { label: "GC", to: 4, prose: "Delta: phase 2 is complete, see the gate record" },
      },
    });
  });

  it("[U11] a replacement that points elsewhere asks for its section", () => {
    for (const line of [
      "- REPLACED §Decisions: (see GC-v4 for full content)",
      "- REPLACED §Decisions",
      "- REPLACED §Decisions:",
    ]) {
      const result = read(`[CONTEXT-UPDATE] GC-v3 → GC-v4\n\n## Delta\n${line}`);
      expect(result).toMatchObject({ ok: false, failure: { kind: "needs-section", section: "Decisions" } });
    }
  });

  it("[U11] an inline replacement of a section is its text", () => {
    const result = read("[CONTEXT-UPDATE] GC-v3 → GC-v4\n\n## Delta\n- REPLACED §Decisions: None.");
    expect(result.ok && result.value.text).toBe(BASE.replace("- D-7: old words", "None."));
  });

  it("[U2] a full message may name one version and one hash", () => {
    const result = decode("[CONTEXT-UPDATE] GC-v4\n\n## Full\n# GC\n", undefined);
    expect(result.ok && result.value).toMatchObject({
      text: "# GC\n",
      from: undefined,
      to: 4,
      proven: false,
    });
  });
});
