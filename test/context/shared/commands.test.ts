import { describe, expect, it } from "vitest";
import { type ContextCommand, type ContextReply, carryOut } from "../../../src/context/shared/index.ts";
import { ControlRequest } from "../../../src/engine/control/protocol.ts";
import type { Lead } from "../../../src/sync/index.ts";
import { ackLine, type Lab, lab, must, PAGE, phase } from "./lab.ts";

type Done = Extract<ContextReply, { kind: "done" }>;

const ask = (at: Lab, command: ContextCommand): Promise<ContextReply> => carryOut(at.shared, command);
const publish = (at: Lab, text: string, more: object = {}) =>
  ask(at, { op: "publish", label: "GC", text, by: "lead", ...more });
const update = async (at: Lab, teammate: string, more: object = {}): Promise<Done> => {
  const reply = await ask(at, { op: "update", label: "GC", teammate, ...more });
  if (reply.kind !== "done") throw new Error(reply.kind);
  return reply;
};
const mate = (at: Lab, id: string) => must<Lead>(at.shared.lead("GC")).teammates.get(id)!;
const types = (reply: ContextReply) => (reply as Done).events.map(({ event }) => event.type);

describe("commands at the shared context", () => {
  it("[CK10] publish tells what came of it, and to whom it goes", async () => {
    const at = lab();
    expect(types(await publish(at, PAGE))).toEqual(["published"]);
    expect(types(await publish(at, PAGE))).toEqual(["unchanged"]);
    await update(at, "back");
    const told = (await publish(at, phase(1), { everyone: true, actions: ["look"] })) as Done;
    expect(told.events[0]).toMatchObject({ label: "GC", event: { type: "published", now: ["back"] } });
    expect(types(await publish(at, "a\ud800"))).toEqual(["refused"]);
    expect(await publish(at, PAGE, { label: "a b" })).toMatchObject({ kind: "bad-label", label: "a b" });
  });

  it("[CK10] update brings a new name in as one that fetches, and keeps what it said of itself", async () => {
    const at = lab();
    await publish(at, PAGE);
    const first = await update(at, "back", { proof: "hash", role: "baker", interests: ["Status"] });
    expect(first.message).toMatchObject({
      form: "full",
      why: "initial-spawn",
      withTask: true,
      teammate: "back",
    });
    expect(first.message).not.toHaveProperty("session");
    expect(mate(at, "back")).toMatchObject({ fetches: true, session: "cli", proof: "hash", role: "baker" });
    const anew = await update(at, "back", { session: "two" });
    expect(anew.message).toMatchObject({ why: "initial-spawn" });
    expect(mate(at, "back")).toMatchObject({
      session: "two",
      proof: "hash",
      role: "baker",
      interests: ["Status"],
    });
  });

  it("[CK10] update of one that has ended brings it in again; of a lost one begins anew", async () => {
    const at = lab();
    await publish(at, PAGE);
    await update(at, "back");
    await ask(at, { op: "ack", text: ackLine(1, "0/0") });
    await ask(at, { op: "leave", teammate: "back" });
    expect((await update(at, "back")).message?.why).toBe("initial-spawn");
    await ask(at, { op: "ack", text: ackLine(1, "0/0") });
    expect((await update(at, "back", { lost: true })).message?.why).toBe("context-lost");
  });

  it("[CK10] update takes over no teammate that lives in an attempt: it only says again what it needs", async () => {
    const at = lab();
    await publish(at, PAGE);
    must(await at.shared.act("GC", { type: "join", teammate: "T1.1", session: "token", proof: "hash" }));
    const told = await update(at, "T1.1");
    expect(told.message).toMatchObject({ why: "initial-spawn", serial: 2 });
    expect(mate(at, "T1.1")).toMatchObject({ session: "token", fetches: false });
  });

  it("[CK10] update refuses names, and tells the labels there are", async () => {
    const at = lab();
    expect(await ask(at, { op: "update", label: "GC", teammate: "back" })).toEqual({
      kind: "unknown-label",
      label: "GC",
      known: [],
    });
    await publish(at, PAGE);
    expect(await ask(at, { op: "update", label: "GD", teammate: "back" })).toMatchObject({ known: ["GC"] });
    for (const name of ["NONE", "a, b", "a\nb", " a"]) {
      const refused = await update(at, name);
      expect([refused.message, types(refused)]).toEqual([undefined, ["refused"]]);
    }
  });

  it("[CK10] ack finds who said it by the update on its way, or asks whose it is", async () => {
    const at = lab();
    await publish(at, PAGE);
    expect(await ask(at, { op: "ack", text: ackLine(1, "0/0") })).toEqual({ kind: "whose", candidates: [] });
    await update(at, "back");
    expect(types(await ask(at, { op: "ack", text: ackLine(1, "0/0") }))).toEqual(["acked"]);
    expect(await ask(at, { op: "ack", text: ackLine(1, "0/0") })).toEqual({
      kind: "whose",
      candidates: ["back"],
    });
    await update(at, "front");
    await update(at, "docs");
    expect(await ask(at, { op: "ack", text: ackLine(1, "0/0") })).toEqual({
      kind: "whose",
      candidates: ["front", "docs"],
    });
    expect(types(await ask(at, { op: "ack", teammate: "front", text: ackLine(1, "0/0") }))).toEqual([
      "acked",
    ]);
    expect(types(await ask(at, { op: "ack", text: ackLine(1, "0/0") }))).toEqual(["acked"]);
  });

  it("[CK10] ack takes several words at once, and nothing where none is meant for the lead", async () => {
    const at = lab();
    await publish(at, PAGE);
    await update(at, "back");
    const text = `Thanks!\n${ackLine(1, "0/0")}\n[CONTEXT-REQUEST] GC: need ["Status"] (unclear)\n`;
    expect(types(await ask(at, { op: "ack", teammate: "back", text }))).toEqual([
      "acked",
      "requested",
      "withheld",
    ]);
    expect(await ask(at, { op: "ack", teammate: "back", text: "nothing" })).toEqual({ kind: "no-words" });
    expect(await ask(at, { op: "ack", teammate: "back", text: "" })).toEqual({ kind: "no-words" });
    const other = ackLine(1, "0/0", { label: "XY" });
    expect(await ask(at, { op: "ack", teammate: "back", text: other })).toMatchObject({
      kind: "unknown-label",
    });
    const lost = await ask(at, { op: "ack", teammate: "back", text: "[STATUS] back | CONTEXT_LOST" });
    expect(types(lost)).toContain("lost");
  });

  it("[CK10] leave and resume work at all labels or at one, and know who is there", async () => {
    const at = lab();
    await publish(at, PAGE);
    await ask(at, { op: "publish", label: "API", text: "# API\n", by: "lead" });
    for (const label of ["GC", "API"]) await ask(at, { op: "update", label, teammate: "back" });
    const done = (await ask(at, { op: "resume", teammate: "back" })) as Done;
    expect(done.events).toEqual([]);
    const left = (await ask(at, { op: "leave", teammate: "back", label: "API" })) as Done;
    expect(left.events.map(({ label }) => label)).toEqual(["API"]);
    expect(await ask(at, { op: "leave", teammate: "who" })).toEqual({
      kind: "unknown-teammate",
      teammate: "who",
      known: ["back"],
    });
    expect(await ask(at, { op: "leave", teammate: "back", label: "XY" })).toMatchObject({
      kind: "unknown-label",
    });
  });
});

describe("what may be asked over the control socket", () => {
  const parse = (command: object): boolean =>
    ControlRequest.safeParse({ method: "context", command }).success;

  it("[CK10] is checked field by field", () => {
    expect(parse({ op: "publish", label: "GC", text: "", by: "" })).toBe(true);
    expect(parse({ op: "ack", text: "" })).toBe(true);
    for (const command of [
      {},
      { op: "drop" },
      { op: "publish", label: "GC", text: "x" },
      { op: "publish", label: "", text: "x", by: "" },
      { op: "publish", label: "x".repeat(101), text: "x", by: "" },
      { op: "publish", label: "GC", text: 7, by: "" },
      { op: "publish", label: "GC", text: "x", by: "", base: 0 },
      { op: "publish", label: "GC", text: "x", by: "", more: 1 },
      { op: "update", label: "GC", teammate: "" },
      { op: "update", label: "GC", teammate: "a", proof: "oath" },
      { op: "update", label: "GC", teammate: "a", interests: "Status" },
      { op: "ack", text: "x".repeat(1_000_001) },
    ])
      expect({ command: JSON.stringify(command).slice(0, 80), taken: parse(command) }).toMatchObject({
        taken: false,
      });
  });
});
