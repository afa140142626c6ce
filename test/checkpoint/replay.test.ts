import { describe, expect, it } from "vitest";
import { createCheckpoint, findRoute, planPrune, rebuild, replay } from "../../src/checkpoint/index.ts";
import { CREATED, chain, deltaOf, historyOf, must, small } from "./documents.ts";

/** A tree: 1 ← 2 ← 3 ← 4, and 2 ← 5 ← 6. */
function tree(): Record<string, string> {
  const files = chain(4);
  let before: readonly [string, string] = ["chk-002", files["chk-002.md"]!];
  for (const id of ["chk-005", "chk-006"]) {
    const text = small(id, before[0], `branch ${id}`);
    files[`${id}.md`] = text;
    files[`delta-${before[0].slice(4)}-${id.slice(4)}.md`] = deltaOf(before[1], text, [before[0], id]);
    before = [id, text];
  }
  return files;
}

describe("replaying", () => {
  it("[KH3] leads from any checkpoint to any other, byte for byte", () => {
    const files = tree();
    const { history, texts } = historyOf(files);
    for (const from of history.order)
      for (const to of history.order)
        expect(must(replay(history, from, to, texts)).text).toBe(files[`${to}.md`]);
  });

  it("[KH3] goes back to what both come from, then forward", () => {
    const { history } = historyOf(tree());
    expect(must(findRoute(history, "chk-004", "chk-006"))).toEqual({
      back: ["chk-004", "chk-003", "chk-002"],
      forward: ["chk-002", "chk-005", "chk-006"],
    });
    expect(must(findRoute(history, "chk-003", "chk-003"))).toEqual({
      back: ["chk-003"],
      forward: ["chk-003"],
    });
  });

  it("[KH3] counts the deltas it applied", () => {
    const { history, texts } = historyOf(tree());
    expect(must(replay(history, "chk-004", "chk-006", texts)).steps).toBe(4);
    expect(must(replay(history, "chk-001", "chk-004", texts)).steps).toBe(3);
    expect(must(replay(history, "chk-001", "chk-001", texts)).steps).toBe(0);
  });

  it("[KH3] does so as well when only the oldest full state is kept", () => {
    const files = tree();
    const kept = Object.fromEntries(
      Object.entries(files).filter(([file]) => file === "chk-001.md" || file.startsWith("delta-")),
    );
    const { history, texts } = historyOf(kept);
    expect(history.order).toHaveLength(6);
    for (const from of history.order)
      for (const to of history.order)
        expect(must(replay(history, from, to, texts)).text).toBe(files[`${to}.md`]);
  });

  it("[KH3] refuses what has no way", () => {
    const lonely = { ...chain(2), "chk-009.md": small("chk-009", undefined) };
    const { history, texts } = historyOf(lonely);
    expect(replay(history, "chk-001", "chk-009", texts)).toMatchObject({
      ok: false,
      failure: { kind: "unrelated" },
    });
    expect(replay(history, "chk-001", "chk-404", texts)).toMatchObject({
      ok: false,
      failure: { kind: "unknown" },
    });
  });

  it("[KH3] names the link that is missing", () => {
    const { "delta-002-003.md": _, ...files } = chain(4);
    const { history, texts } = historyOf(files);
    const gone = replay(history, "chk-001", "chk-004", texts);
    expect(gone).toMatchObject({ ok: false, failure: { kind: "missing" } });
    expect(JSON.stringify(gone)).toContain("delta-002-003");
    expect(must(replay(history, "chk-003", "chk-004", texts)).steps).toBe(1);
  });

  it("[KH3] tells a full state that is not what the deltas lead to", () => {
    const files = chain(3);
    files["chk-003.md"] = files["chk-003.md"]!.replace("Go on", "Go home");
    const { history, texts } = historyOf(files);
    expect(replay(history, "chk-001", "chk-003", texts)).toMatchObject({
      ok: false,
      failure: { kind: "mismatch" },
    });
  });

  it("[KH3] stops at a delta that is prose or was edited", () => {
    for (const text of [
      "# Delta\n\n## New Items\n\n- x\n",
      chain(3)["delta-002-003.md"]!.replace(/\n```\n$/, "\n- REMOVED nothing\n```\n"),
    ]) {
      const files = { ...chain(3), "delta-002-003.md": text };
      const { history, texts } = historyOf(files);
      expect(replay(history, "chk-001", "chk-003", texts)).toMatchObject({
        ok: false,
        failure: { kind: "delta" },
      });
    }
  });
});

describe("rebuilding", () => {
  it("[KH4] makes any past state from the oldest one that is kept", () => {
    const files = chain(20);
    const { history: whole } = historyOf(files);
    const { files: gone } = planPrune(whole, 3, "states");
    const kept = Object.fromEntries(Object.entries(files).filter(([file]) => !gone.includes(file)));
    const { history, texts } = historyOf(kept);
    expect(gone).toHaveLength(16);
    expect(history.problems).toEqual([]);
    for (const id of whole.order) expect(must(rebuild(history, id, texts)).text).toBe(files[`${id}.md`]);
  });

  it("[KH4] says so when no full state before it is left", () => {
    const { "chk-001.md": _, "chk-002.md": __, ...files } = chain(3);
    const { history, texts } = historyOf(files);
    expect(rebuild(history, "chk-002", texts)).toMatchObject({ ok: false, failure: { kind: "no-base" } });
    expect(rebuild(history, "chk-404", texts)).toMatchObject({ ok: false, failure: { kind: "unknown" } });
  });

  it("[KH5] after any pruning every kept delta has a full state before it", () => {
    const files = chain(12);
    for (const order of [
      ["deltas", "states"],
      ["states", "deltas"],
      ["states", "states"],
    ] as const) {
      let left = files;
      for (const [round, kind] of order.entries()) {
        const { files: gone } = planPrune(historyOf(left).history, 6 - 2 * round, kind);
        left = Object.fromEntries(Object.entries(left).filter(([file]) => !gone.includes(file)));
      }
      const { history, texts } = historyOf(left);
      for (const { from, to } of history.links.values()) {
        expect(must(rebuild(history, from, texts)).text).toBe(files[`${from}.md`]);
        expect(must(rebuild(history, to, texts)).text).toBe(files[`${to}.md`]);
      }
    }
  });
});

describe("creating", () => {
  const WORK =
    "## Problem\n\nBread.\n\n## Essential Information\n\n### Decisions\n\n- D-7: new\n\n### Current State\n\nOn.\n\n### Next Actions\n\n1. Go\n";
  const request = { work: WORK, created: CREATED, headline: "Phase 1 ended", anchor: "run#7" };

  it("[KH7] the first of a history has no delta", () => {
    const { history, texts } = historyOf({});
    const made = must(createCheckpoint(history, texts, request));
    expect(made).toMatchObject({ id: "chk-001", file: "chk-001.md", conflicts: [] });
    expect(made.delta).toBeUndefined();
    expect(made.text).toBe(
      `---\ncheckpoint: chk-001\ncreated: ${CREATED}\nanchor: run#7\nstatus: active\n---\n\n${WORK}`,
    );
  });

  it("[KH7] the next one is merged into the current one, with a proved delta", () => {
    const files = chain(3);
    const { history, texts } = historyOf(files);
    const made = must(createCheckpoint(history, texts, request));
    expect(made.id).toBe("chk-004");
    expect(made.text).toContain("parent: chk-003\nstatus: active\nlast_delta: delta-003-004\n");
    expect(made.text).toContain("- D-1: step 3\n- D-7: new\n");
    expect(made.delta).toMatchObject({ file: "delta-003-004.md", parent: "chk-003" });
    expect(made.delta?.summary.startsWith("Phase 1 ended: ")).toBe(true);
    const after = historyOf({ ...files, [made.file]: made.text, [made.delta!.file]: made.delta!.text });
    expect(after.history.problems).toEqual([]);
    expect(after.history.current).toBe("chk-004");
    expect(must(replay(after.history, "chk-001", "chk-004", after.texts)).text).toBe(made.text);
  });

  it("[KH7] a named parent makes a fork that takes the place of the other ends", () => {
    const files = chain(3);
    const { history, texts } = historyOf(files);
    const made = must(createCheckpoint(history, texts, { ...request, parent: "chk-001" }));
    expect(made.text).toContain("parent: chk-001\nstatus: active\nsupersedes: chk-003\n");
    const after = historyOf({
      ...files,
      [made.file]: made.text,
      [made.delta!.file]: made.delta!.text,
    }).history;
    expect(after.current).toBe("chk-004");
    expect(after.problems.map(({ code }) => code)).toEqual(["FORK"]);
  });

  it("[KH7] between two currents somebody must choose", () => {
    const files = { ...chain(2), "chk-003.md": small("chk-003", "chk-001", "fork") };
    const { history, texts } = historyOf(files);
    expect(createCheckpoint(history, texts, request)).toMatchObject({
      ok: false,
      failure: { kind: "two-current" },
    });
    const made = must(createCheckpoint(history, texts, { ...request, parent: "chk-003" }));
    expect(historyOf({ ...files, [made.file]: made.text }).history.current).toBe("chk-004");
  });

  it("[KH7] a parent that cannot be read or rebuilt makes none", () => {
    const { history, texts } = historyOf(chain(2));
    expect(createCheckpoint(history, { ...texts, state: () => undefined }, request)).toMatchObject({
      ok: false,
      failure: { kind: "parent" },
    });
    expect(createCheckpoint(history, texts, { ...request, parent: "chk-404" })).toMatchObject({ ok: false });
  });

  it("[KH7] after an archive a new history begins, with numbers of its own", () => {
    const files = Object.fromEntries(
      Object.entries(chain(2)).map(([file, text]) => [`archive/${file}`, text]),
    );
    const { history, texts } = historyOf(files);
    const made = must(createCheckpoint(history, texts, request));
    expect([made.id, made.delta]).toEqual(["chk-003", undefined]);
  });
});
