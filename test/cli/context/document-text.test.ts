import { describe, expect, it } from "vitest";
import { memoryPlace, openMemoryStore } from "../../../src/adapters/store/index.ts";
import {
  carryOut,
  createSharedContext,
  immediateLedger,
  type SharedContext,
} from "../../../src/context/shared/index.ts";
import {
  ackText,
  documentText,
  listText,
  pulledText,
  updateText,
} from "../../../src/host/control/document-text.ts";
import { createCodec, DEFAULT_SYNC_POLICY } from "../../../src/sync/index.ts";
import { countTokens } from "../../../src/tokens/index.ts";

const LINES = Array.from({ length: 40 }, (_, at) => `- Rule ${at} holds for everyone who works here`);
const FIRST = `# Rules\n\n${LINES.join("\n")}\n`;
const SECOND = FIRST.replace("Rule 3 holds", "Rule 3 no longer holds");

/** A shared context over a store in memory with two versions of one document. */
async function shared(): Promise<SharedContext> {
  const store = openMemoryStore({ place: memoryPlace() });
  const epoch = store.claimEpoch();
  const made = createSharedContext({
    rows: store.context,
    ledger: immediateLedger(
      context => void store.commit({ epoch: epoch.ok ? epoch.value : 0, runId: "", context }),
      () => 1,
    ),
    policy: DEFAULT_SYNC_POLICY,
    codec: createCodec(countTokens),
  });
  for (const text of [FIRST, SECOND]) await made.act("GC", { type: "publish", text, by: "test" });
  return made;
}

describe("documents as answers", () => {
  it("are listed with their versions, the first of them", async () => {
    const one = await shared();
    expect(listText(one, ["GC"])).toBe("GC-v2");
    expect(listText(one, [])).toBe("NONE");
    const many = Array.from({ length: 520 }, (_, at) => `L${at}`);
    expect(listText(one, many)).toMatch(/^L0-v0, .*L499-v0 \+20$/);
  });

  it("are given whole, at any version that is kept", async () => {
    const one = await shared();
    const { ok, message } = documentText(one, "GC", undefined);
    expect(ok).toBe(true);
    expect(message.split("\n").slice(1).join("\n")).toBe(SECOND);
    expect(documentText(one, "GC", 9)).toEqual({
      ok: false,
      message: "NO_SUCH_VERSION: GC has no version 9 that is kept",
    });
    expect(documentText(one, "CG", undefined)).toEqual({
      ok: false,
      message: "NO_SUCH_LABEL: CG; did you mean GC?",
    });
    expect(documentText(one, "\u001b[2Jxxxxxxx", undefined).message).toBe(
      "NO_SUCH_LABEL: \\x1b[2Jxxxxxxx; there are GC",
    );
  });

  it("are given as what changed, to those who prove what they hold", async () => {
    const one = await shared();
    const [, hash = ""] = documentText(one, "GC", 1).ok
      ? documentText(one, "GC", 1).message.split("\n")[0]!.split(" ")
      : [];
    const whole = documentText(one, "GC", undefined);
    const delta = updateText(one, "GC", 1, hash);
    expect(delta.message).toContain("GC-v1→2");
    expect(countTokens(delta.message)).toBeLessThan(0.2 * countTokens(whole.message));
    expect(updateText(one, "GC", 1, undefined)).toEqual(delta);
    expect(updateText(one, "GC", 1, hash.slice(0, 4))).toEqual(delta);
    expect(updateText(one, "GC", 1, "0000")).toEqual(whole);
    expect(updateText(one, "GC", undefined, undefined)).toEqual(whole);
    expect(updateText(one, "GC", 7, undefined)).toEqual(whole);
    expect(updateText(one, "GC", 2, undefined)).toEqual({ ok: true, message: "UP_TO_DATE GC-v2" });
    expect(updateText(one, "XX", 1, undefined)).toMatchObject({ ok: false });
  });

  it("are pulled by teammates, once", async () => {
    const one = await shared();
    const pull = () => carryOut(one, { op: "update", label: "GC", teammate: "T1", session: "s" });
    expect(pulledText("GC", await pull()).message).toContain("Rule 3 no longer holds");
    const ack = (text: string) => carryOut(one, { op: "ack", teammate: "T1", session: "s", text });
    const told = ackText(
      await ack("[ACK-UPDATE] GC-v2 received. Items: 1/1. Impact: none. Action: CONTINUE"),
    );
    expect(told.ok).toBe(true);
    expect(told.message).toContain("GC");
    expect(pulledText("GC", await pull())).toEqual({ ok: true, message: "UP_TO_DATE GC" });
    expect(ackText(await ack("sure"))).toEqual({
      ok: false,
      message: "NO_ACK: an acknowledgement begins with [ACK-UPDATE] LABEL-v2",
    });
  });

  it.each([
    [{ kind: "unknown-label", label: "X", known: ["GC", "API"] }, "NO_SUCH_LABEL: X; there are GC, API"],
    [{ kind: "unknown-label", label: "X", known: [] }, "NO_SUCH_LABEL: X; there are none"],
    [{ kind: "unknown-teammate", teammate: "Y", known: [] }, "NO_SUCH_TEAMMATE: Y"],
    [{ kind: "whose", candidates: ["a", "b"] }, "WHOSE_ACK: a, b"],
    [{ kind: "bad-label", label: "X", message: "it is \u0007 odd" }, "BAD_LABEL: it is \\x07 odd"],
    [{ kind: "store", message: "full" }, "STATE: full"],
    [{ kind: "closed" }, "CLOSED: the process that runs this project is leaving"],
  ] as const)("say in one line why there is none: %j", (reply, message) => {
    expect(pulledText("X", reply)).toEqual({ ok: false, message });
    expect(ackText(reply)).toEqual({ ok: false, message });
  });
});
