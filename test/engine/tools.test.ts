import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../../src/adapters/store/index.ts";
import type { PackageReceipt } from "../../src/assembly/index.ts";
import { usesOf } from "../../src/context/library/asked.ts";
import { UNUSED } from "../../src/context/library/uses.ts";
import type { WorkerAsk } from "../../src/engine/control/protocol.ts";
import type { World } from "../../src/engine/index.ts";
import { createAttemptService } from "../../src/host/control/attempt-service.ts";
import type { Agent } from "../../src/ports/index.ts";
import { type Bench, openBench } from "./bench.ts";
import { type Part, Puppets } from "./puppets.ts";

const TASKS = [
  "### [ ] T1.1: Describe\n- context: ctx-api\n",
  "### [ ] T1.2: Build\n- depends_on: [T1.1]\n- context: ctx-api\n",
  "### [ ] T1.3: Other\n- depends_on: [T1.1]\n- context: ctx-ui\n",
  "\n## Context\n- ctx-api: the API\n- ctx-ui: the page\n",
].join("\n");

const ABILITIES = {
  followUp: false,
  resume: false,
  usage: false,
  cost: false,
  budget: false,
  sandbox: false,
  asks: false,
} as const;

/** A bench whose agents can hand things over by tools, and the shared context that answers them. */
function withTools(mcp: boolean): {
  readonly bench: Bench;
  readonly puppets: Puppets;
  ask(part: Part, ask: WorkerAsk, token?: string): Promise<string>;
} {
  const puppets = new Puppets();
  const puppet: Agent = { ...puppets.agent, abilities: { ...ABILITIES, mcp } };
  const late: { shared?: ReturnType<typeof createAttemptService> } = {};
  const world: Partial<World> = {
    takeHanded: token => late.shared?.world.takeHanded(token) ?? [],
    tools: (task, token) => ({
      name: "espalier",
      command: "node",
      args: ["mcp"],
      env: { TASK: task, TOKEN: token },
    }),
  };
  const bench = openBench({ tasks: TASKS, agents: { puppet }, world });
  const store = openMemoryStore({ place: bench.place });
  late.shared = createAttemptService({ store, runId: "run-1" } as unknown as Parameters<
    typeof createAttemptService
  >[0]);
  return {
    bench,
    puppets,
    async ask(part, ask, token = part.request.token) {
      const reply = await late.shared!.answer(bench.engine, {
        method: "worker",
        task: part.request.task,
        token,
        ask,
      });
      return `${reply.ok ? "" : "! "}${reply.message}`;
    },
  };
}

const done = (part: Part) => part.say(`done\nDONE:${part.id}`);

describe("tools of running attempts", () => {
  it("[E34] are attached where the agent takes them", async () => {
    for (const mcp of [true, false]) {
      const { bench, puppets } = withTools(mcp);
      using _ = bench;
      void bench.start();
      const { request } = await puppets.next("T1.1");
      const server = {
        name: "espalier",
        command: "node",
        args: ["mcp"],
        env: { TASK: "T1.1", TOKEN: request.token },
      };
      expect(request.mcp).toEqual(mcp ? [server] : undefined);
    }
  });

  it("[E36] take documents over when the attempt is accepted, for whoever comes next", async () => {
    const { bench, puppets, ask } = withTools(true);
    using _ = bench;
    const end = bench.start();
    const first = await puppets.next("T1.1");
    expect(await ask(first, { op: "add", node: "ctx-api", text: "Prices are in cents." })).toContain(
      "HANDED",
    );
    expect(await ask(first, { op: "get" })).toBe("NONE");
    done(first);
    const second = await puppets.next("T1.2");
    expect(second.prompt).toContain("Prices are in cents.");
    const other = await puppets.next("T1.3");
    expect(other.prompt).not.toContain("Prices are in cents.");
    expect(await ask(second, { op: "get" })).toMatch(/^add-T1\.1-1-1-v1\nresults of T1\.1$/);
    expect(await ask(second, { op: "get", name: "add-T1.1-1-1" })).toContain("Prices are in cents.");
    expect(await ask(other, { op: "get", name: "add-T1.1-1-1" })).toContain(
      "! NOT_YOURS: your node does not read",
    );
    done(second);
    done(other);
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it("[G30] give documents and results by name, and count them; what is asked for is worth more", async () => {
    const { bench, puppets, ask } = withTools(true);
    using _ = bench;
    const end = bench.start();
    const first = await puppets.next("T1.1");
    await ask(first, { op: "add", node: "ctx-api", text: "Prices are in cents." });
    first.say(`the whole answer\nDONE:${first.id}`);
    const second = await puppets.next("T1.2");
    expect(await ask(second, { op: "get", name: "T1.1" })).toMatch(
      /^T1\.1#1 [0-9a-f]{12}\nthe whole answer\n$/,
    );
    await ask(second, { op: "get", name: "T1.1" });
    await ask(second, { op: "get", name: "add-T1.1-1-1" });
    expect(await ask(second, { op: "get", name: "T1.3" })).toContain(
      "! NOT_YOURS: your node does not read T1.3",
    );
    expect(await ask(second, { op: "get", name: "T1.11" })).toContain("did you mean T1.1?");
    const rows = bench.engine.library.rows.receipts("run-1", "T1.2");
    const receipt = JSON.parse((rows.ok && rows.value[0]?.receipt) || "{}") as PackageReceipt;
    expect(receipt.asked).toMatchObject([
      { source: "T1.1", times: 2 },
      { source: "add-T1.1-1-1", times: 1 },
    ]);
    expect(receipt.asked?.[0]?.tokens).toBeGreaterThan(3);
    // The same from what is durable, as after a restart.
    const { library } = bench.engine;
    library.asked.uses = undefined;
    expect(Object.fromEntries(usesOf(library, "run-1"))).toEqual({
      "T1.1": { ...UNUSED, asked: 2 },
      "add-T1.1-1-1": { ...UNUSED, asked: 1 },
    });
    const third = await puppets.next("T1.3");
    second.say(`none of its business\nDONE:${second.id}`);
    await bench.event(event => event.type === "completed" && event.task === "T1.2");
    expect(await ask(third, { op: "get", name: "T1.2" })).toContain(
      "! NOT_YOURS: your node does not read T1.2",
    );
    done(third);
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it("[E36] refuse a block for a node that the task does not read, at once", async () => {
    const { bench, puppets, ask } = withTools(true);
    using _ = bench;
    void bench.start();
    const first = await puppets.next("T1.1");
    expect(await ask(first, { op: "add", node: "ctx-ui", text: "x" })).toBe(
      "! NOT_TAKEN: ctx-ui is not on the way from the root to ctx-api; addContext.scope: any would allow it",
    );
  });

  it("[E36] take nothing over from an attempt that failed", async () => {
    const { bench, puppets, ask } = withTools(true);
    using _ = bench;
    void bench.start();
    const first = await puppets.next("T1.1");
    await ask(first, { op: "add", node: "ctx-api", text: "Prices are in cents." });
    first.say(`no\nFAIL:${first.id}:no`);
    await bench.event(event => event.type === "attempt-failed");
    expect(bench.engine.shared.labels()).toEqual({ ok: true, value: [] });
  });

  it("[E34] pull whole documents first, then what changed", async () => {
    const { bench, puppets, ask } = withTools(true);
    using _ = bench;
    void bench.start();
    const first = await puppets.next("T1.1");
    await ask(first, { op: "add", node: "ctx-api", text: "One rule.\nAnother rule." });
    done(first);
    const second = await puppets.next("T1.2");
    const label = "add-T1.1-1-1";
    const whole = await ask(second, { op: "pull", label });
    expect(whole).toContain("One rule.");
    await ask(second, {
      op: "ack",
      text: `[ACK-UPDATE] ${label}-v1 received. Items: 1/1. Impact: none. Action: CONTINUE`,
    });
    const text = "One rule.\nAnother rule.\nA third rule.";
    await bench.engine.shared.act(label, { type: "publish", text, by: "test" });
    const update = await ask(second, { op: "pull", label, since: 1 });
    expect(update).toContain("A third rule.");
    expect(await ask(second, { op: "pull", label: "nope" })).toContain("! NOT_YOURS");
    expect(await ask(second, { op: "ack", text: "yes yes" })).toContain("! NO_ACK");
  });

  it("[E34] answer only whose token is under way", async () => {
    const { bench, puppets, ask } = withTools(true);
    using _ = bench;
    void bench.start();
    const first = await puppets.next("T1.1");
    expect(await ask(first, { op: "status" })).toMatch(/^T1\.1 1 in_progress.* attempt 1$/);
    for (const token of ["", "x", `${first.request.token} `, first.request.token.toUpperCase().repeat(2)]) {
      expect(await ask(first, { op: "status" }, token)).toContain("! NOT_YOURS");
    }
    done(first);
    const second = await puppets.next("T1.2");
    expect(await ask(second, { op: "status" }, first.request.token)).toContain("! NOT_YOURS");
    expect(await ask(first, { op: "status" })).toContain("! NOT_YOURS");
  });

  it.each([
    ["nowhere", "x", "! NO_SUCH_NODE: nowhere"],
    ["ctx-api", "a\n[/ADD_CONTEXT]\nb", "! NOT_TAKEN"],
    ["ctx-api", "a\n[ADD_CONTEXT:ctx-ui]\nb", "! NOT_TAKEN"],
    ["ctx-api", "long ".repeat(14_000), "! NOT_TAKEN: a text has at most 65536 characters"],
    ["ctx-api", "  \n", "! NOT_TAKEN: it holds nothing"],
    ["ctx-api", "```ts\nopen fence", "! NOT_TAKEN: a code fence in it is left open"],
    ["ctx-api", "```ts\nshut fence\n```", "HANDED"],
  ])("[E36] [P16] hand over to %s, or say why not and how much may be (%#)", async (node, text, answer) => {
    const { bench, puppets, ask } = withTools(true);
    using _ = bench;
    void bench.start();
    const first = await puppets.next("T1.1");
    expect(await ask(first, { op: "add", node, text })).toContain(answer);
  });

  it("[E36] are bounded in what one attempt may hand over", async () => {
    const { bench, puppets, ask } = withTools(true);
    using _ = bench;
    void bench.start();
    const first = await puppets.next("T1.1");
    const answers: string[] = [];
    for (let at = 0; at < 22; at++)
      answers.push(await ask(first, { op: "add", node: "ctx-api", text: `rule ${at}` }));
    expect(answers.filter(answer => answer.startsWith("HANDED"))).toHaveLength(20);
    expect(answers.at(-1)).toBe("! NOT_TAKEN: an attempt hands over at most 20 texts");
  });
});
