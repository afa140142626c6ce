import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ControlReply } from "../../src/engine/control/protocol.ts";
import { MAX_DOCUMENT } from "../../src/server/guard.ts";
import { MOST_TEXT } from "../../src/server/shapes/limits.ts";
import { PublishReply } from "../../src/server/shapes/publish.ts";
import { openStage, type Stage } from "./stage.ts";

const TASKS = "# Orders\n## Phase 1\n### [ ] T1.1: Begin\n";

async function send(stage: Stage, body: unknown) {
  const response = await fetch(`${stage.page.origin}/api/publish`, {
    method: "POST",
    headers: { authorization: `Bearer ${stage.page.token}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as unknown };
}

type Done = Extract<NonNullable<Extract<ControlReply, { ok: true }>["context"]>, { kind: "done" }>;

function done(event: Done["events"][number]["event"]): ControlReply {
  return { ok: true, message: "done", context: { kind: "done", events: [{ label: "GC", event }] } };
}

describe("what a page publishes", () => {
  it("[W129] goes to the process that runs as the command's would, under the name of who acts", async () => {
    await using stage = await openStage({ tasks: TASKS });
    const names = { by: "dashboard (ann)", now: ["T1.1"], later: ["a\u202eb"] };
    stage.reply = done({
      type: "published",
      version: 4,
      hash: "h",
      form: "delta",
      mergedFrom: 2,
      ...names,
    } as never);
    const { status, json } = await send(stage, { label: " GC ", text: "# New\n", base: 2 });
    expect(status).toBe(200);
    expect(PublishReply.parse(json)).toMatchObject({
      kind: "published",
      version: 4,
      mergedFrom: 2,
      now: ["T1.1"],
    });
    expect(JSON.stringify(json)).not.toContain("\u202e");
    expect(stage.asked).toEqual([
      {
        method: "context",
        command: { op: "publish", label: "GC", text: "# New\n", by: "dashboard (ann)", base: 2 },
      },
    ]);
  });

  it("[W130] tells both sides of a section that two have changed", async () => {
    await using stage = await openStage({ tasks: TASKS });
    const clashes = [{ section: "Rules", current: "theirs", published: "mine" }];
    const refused = { type: "refused", reason: "same-section", base: 1, current: 3, message: "", clashes };
    stage.reply = done({ ...refused, by: "x" } as never);
    expect((await send(stage, { label: "GC", text: "x", base: 1 })).json).toEqual({
      kind: "clash",
      current: 3,
      sections: [{ section: "Rules", theirs: "theirs", yours: "mine" }],
    });
  });

  it.each<[string, ControlReply | undefined, number, string]>([
    ["an old version", done({ type: "refused", reason: "unknown-base", message: "" } as never), 409, "GC-v1"],
    [
      "half a character",
      done({ type: "refused", reason: "not-unicode", message: "" } as never),
      400,
      "surrogate",
    ],
    [
      "what is too large",
      done({ type: "refused", reason: "too-large", message: "" } as never),
      413,
      "too large",
    ],
    [
      "a name that is none",
      { ok: true, message: "", context: { kind: "bad-label", label: "GC", message: "" } },
      400,
      "begins with a letter",
    ],
    ["what no process takes", { ok: false, message: "it is leaving" }, 409, "it is leaving"],
    ["what nobody hears", undefined, 409, "no process"],
  ])("[W132] refuses %s in words", async (_, reply, status, words) => {
    await using stage = await openStage({ tasks: TASKS });
    stage.reply = reply;
    const told = await send(stage, { label: "GC", text: "x", base: 1 });
    expect(told).toEqual({ status, json: { error: expect.stringContaining(words) as string } });
  });

  it("[W132] refuses what is too long in the page's words, before the process is asked", async () => {
    await using stage = await openStage({ tasks: TASKS });
    const text = "x".repeat(MOST_TEXT + 1);
    // [W144] It says how long it is, what is the most, and the way that takes it.
    const error = expect.stringContaining(
      "1,048,577 characters, the page publishes at most 1,048,576; in a terminal: espalier context publish GC FILE",
    ) as string;
    expect(await send(stage, { label: "GC", text })).toEqual({ status: 413, json: { error } });
    expect(stage.asked).toEqual([]);
  });

  it("[W132] begins no document that is there, and takes nothing that is none", async () => {
    await using stage = await openStage({ tasks: TASKS });
    const row = {
      label: "GC",
      number: 1,
      hash: createHash("sha256").update("x").digest("hex"),
      at: 1,
      by: "ann",
      bytes: 1,
    };
    stage.commit({ context: { versions: [row], texts: [{ hash: row.hash, text: "x" }] } as never });
    const { status, json } = await send(stage, { label: "GC", text: "y" });
    expect([status, json]).toEqual([
      409,
      { error: expect.stringContaining("GC is there already") as string },
    ]);
    for (const [body, code] of [
      ["{", 400],
      [{ label: "", text: "y" }, 400],
      [{ label: "GC", text: "y", base: 0 }, 400],
      [{ label: "GC", text: "y", base: 1, by: "somebody else" }, 400],
      [{ label: "GC", text: "y".repeat(MAX_DOCUMENT), base: 1 }, 413],
    ] as const)
      expect((await send(stage, body)).status).toBe(code);
    expect(stage.asked).toEqual([]);
  });
});
