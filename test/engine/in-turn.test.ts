import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../../src/adapters/store/index.ts";
import type { DocumentFiles } from "../../src/context/library/index.ts";
import type { World } from "../../src/engine/index.ts";
import { createAttemptService } from "../../src/host/control/attempt-service.ts";
import { fail, ok } from "../../src/ports/index.ts";
import { told } from "../reasons.ts";
import { type Bench, openBench } from "./bench.ts";
import { type Part, Puppets } from "./puppets.ts";

const RULES = Array.from({ length: 60 }, (_, at) => `- rule ${at}: walls of room ${at} are white`).join("\n");
const SPEC = `# Spec\n\n## Gates\n\n- gate: oak\n- hinge: left\n\n## Rules\n\n${RULES}\n`;
const V2 = SPEC.replace("oak", "iron");
const V3 = V2.replace("left", "right");
const LABEL = "docs-spec.md";
const TASKS = "### [ ] T1.1: a\n- context: ctx-root\n\n## Context\n\n- ctx-root: docs/spec.md (shared)\n";
const HOOK = { command: "node", args: ["hook.js", "/sock"] };

interface AtWork {
  readonly bench: Bench;
  readonly puppets: Puppets;
  readonly part: Part;
  readonly end: ReturnType<Bench["start"]>;
  publish(text: string): Promise<unknown>;
  /** What a hook or, for a named tool, its answer brings. */
  due(token?: string): Promise<string>;
  status(): Promise<string>;
  readonly held: () => number | undefined;
}

/** An attempt at work on version 1 of a document, with everything that serves it while it works. */
async function atWork(abilities: { hook?: boolean; followUp?: boolean } = {}): Promise<AtWork> {
  const puppets = new Puppets({ followUp: true });
  const agent = {
    ...puppets.agent,
    abilities: { ...puppets.agent.abilities!, mcp: true, hook: true, ...abilities },
  };
  const missing = (path: string) => fail({ kind: "missing" as const, path, message: path });
  const documents: DocumentFiles = {
    list: pattern => (pattern === "docs/spec.md" ? ok([pattern]) : missing(pattern)),
    read: path => (path === "docs/spec.md" ? ok(SPEC) : missing(path)),
  };
  const late: { service?: ReturnType<typeof createAttemptService> } = {};
  const served = Promise.withResolvers<void>();
  const world: Partial<World> = {
    documents,
    hook: () => HOOK,
    serve(token, due) {
      served.resolve();
      return late.service!.world.serve(token, due);
    },
  };
  const bench = openBench({ tasks: TASKS, agents: { puppet: agent }, world });
  const store = openMemoryStore({ place: bench.place });
  const session = { store, runId: "run-1" } as unknown as Parameters<typeof createAttemptService>[0];
  late.service = createAttemptService(session);
  const end = bench.start();
  const part = await puppets.next("T1.1");
  if (abilities.followUp !== false) await served.promise;
  const ask = async (op: "due" | "status", token = part.request.token) => {
    const request = { method: "worker", task: "T1.1", token, ask: { op } } as const;
    return (await late.service!.answer(bench.engine, request)).message;
  };
  return {
    bench,
    puppets,
    part,
    end,
    publish: text => bench.engine.shared.act(LABEL, { type: "publish", text, by: "test" }),
    due: token => ask("due", token),
    status: () => ask("status"),
    held() {
      const lead = bench.engine.shared.lead(LABEL);
      return lead.ok ? lead.value?.teammates.get("T1.1")?.confirmed?.version : undefined;
    },
  };
}

const ack = (version: number, action = "CONTINUE") =>
  `[ACK-UPDATE] ${LABEL}-v${version} received. Impact: NONE. Action: ${action}`;
const step = (from: number, to: number) => `[CONTEXT-UPDATE] ${LABEL}-v${from}→${to}`;

describe("an attempt in the middle of its turn", () => {
  it("[E145] is told of a change once, as a delta, and is not told again at its end when it has answered", async () => {
    const { bench, puppets, part, end, publish, due, held } = await atWork();
    using _ = bench;
    expect(part.request.hook).toEqual(HOOK);
    expect(await due()).toBe("");
    await publish(V2);
    const said = await due();
    expect(said).toContain(`${LABEL}-v2 waits:`);
    expect(said).toContain(step(1, 2));
    expect(said).toContain(`[ACK-UPDATE] ${LABEL}-v2 #`);
    expect(said).not.toContain("rule 30");
    expect([await due(), await due()]).toEqual(["", ""]);
    part.say(`${ack(2)}\nDONE:${part.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect([held(), puppets.turns]).toEqual([2, 1]);
    const rows = bench.engine.library.rows.receipts("run-1", "T1.1");
    const { live } = JSON.parse((rows.ok ? rows.value : []).at(-1)?.receipt ?? "{}");
    expect(live).toEqual([{ label: LABEL, version: 2, tokens: expect.any(Number), acknowledged: true }]);
  });

  it("[E145] is heard in it: what it answered is the base of the next update", async () => {
    const { bench, part, publish, due, held } = await atWork();
    using _ = bench;
    await publish(V2);
    await due();
    for (const text of ["I go on with iron.", ack(2)]) part.line(text);
    await bench.event(event => event.type === "attempt-line" && event.text.startsWith("[ACK"));
    await publish(V3);
    expect(await due()).toContain(step(2, 3));
    expect(held()).toBe(2);
  });

  it("[E145] that has not answered is told both changes as one, whatever the gap", async () => {
    const { bench, part, end, publish, due, held } = await atWork();
    using _ = bench;
    await publish(V2);
    expect(await due()).toContain(step(1, 2));
    await publish(V3);
    const both = await due();
    expect(both).toContain(step(1, 3));
    expect(both).toContain("- gate: iron\n- hinge: right");
    part.say(`${ack(3)}\nDONE:${part.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(held()).toBe(3);
  });

  it("[E145] that says nothing to it is told once more at the end of its turn, and no more", async () => {
    const { bench, puppets, part, end, publish, due } = await atWork();
    using _ = bench;
    await publish(V2);
    await due();
    part.say(`DONE:${part.id}`);
    const again = await puppets.next("T1.1");
    expect(again.prompt).toContain(step(1, 2));
    again.say(`DONE:${again.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(puppets.turns).toBe(2);
  });

  it("[E145] hears from every answer of its tools that something waits, refused ones too", async () => {
    const { bench, publish, status } = await atWork({ hook: false });
    using _ = bench;
    const before = await status();
    await publish(V2);
    expect(await status()).toContain(`${before}\n\n${LABEL}-v2 waits:`);
    expect(await status()).toBe(before);
  });

  it("[E145] gives way to a person in it", async () => {
    const { bench, part, end, publish, due } = await atWork();
    using _ = bench;
    await publish(V2);
    await due();
    part.line(`[ACK-UPDATE] ${LABEL}-v2 received. Impact: no iron. Action: PAUSE`);
    await bench.event(event => event.type === "attempt-line" && event.text.startsWith("[ACK"));
    part.say(`DONE:${part.id}`);
    expect(await end).toMatchObject({ outcome: "waiting" });
    const paused = bench.events.find(event => event.type === "paused");
    expect(paused).toMatchObject({ reason: told("asks for a decision: no iron") });
  });

  it("[E145] is only told that a change waits which is too long for it", async () => {
    const { bench, publish, due, held } = await atWork();
    using _ = bench;
    await publish(`${SPEC}\n## More\n\n${"- a new rule of its own, in many words\n".repeat(400)}`);
    const said = await due();
    expect(said).toContain("context_pull gives it now");
    expect(said.length).toBeLessThan(200);
    expect(await due()).toBe("");
    expect(held()).toBe(1);
  });

  it("[E145] is told one thing once by tools that run side by side", async () => {
    const { bench, publish, due } = await atWork();
    using _ = bench;
    await publish(V2);
    const all = await Promise.all([due(), due(), due()]);
    expect(all.filter(text => text !== "")).toHaveLength(1);
  });

  it("[E145] is asked for by its own token alone, while it works, and where it can be told", async () => {
    const { bench, part, end, due } = await atWork();
    using _ = bench;
    expect(await due("x")).toContain("NOT_YOURS");
    part.say(`DONE:${part.id}`);
    await end;
    expect(await due()).toContain("NOT_YOURS");
    const deaf = await atWork({ followUp: false });
    using __ = deaf.bench;
    expect(deaf.part.request.hook).toBeUndefined();
    await deaf.publish(V2);
    expect(await deaf.due()).toBe("");
  });
});
