import { describe, expect, it } from "vitest";
import type { PackageReceipt } from "../../../src/assembly/index.ts";
import { DEFAULT_TREE } from "../../../src/engine/attempt/briefing.ts";
import { because, ok } from "../../../src/ports/index.ts";
import { openBench } from "../../engine/bench.ts";
import type { Part } from "../../engine/puppets.ts";

const TASKS = [
  "### [ ] T1.1: Client\n- context: ctx-api\n",
  "### [ ] T1.2: Server\n- context: ctx-api\n- depends_on: [T1.1]\n",
  "## Context\n\n- ctx-root: docs/spec.md\n  - ctx-api\n  - ctx-web\n",
].join("\n");

const done = (part: Part, text = "ok") => part.say(`${text}\nDONE:${part.id}`);
const documents = { list: (pattern: string) => ok([pattern]), read: () => ok("# Spec\n\n- gate: oak\n") };
const open = (followUp: boolean, tasks = TASKS) =>
  openBench({ tasks, puppets: { followUp }, world: { documents } });

describe("a worker", () => {
  it("[G31] is told its node, the way to it and how to add to it, and nothing of its own outranks a person", async () => {
    using bench = open(false);
    void bench.start();
    const client = await bench.puppets.next("T1.1");
    expect(client.prompt).toContain(
      "Your context node is ctx-api; you read what hangs on ctx-root, ctx-api.",
    );
    expect(client.prompt).toContain("`[ADD_CONTEXT:ctx-api]`");
    expect(client.prompt).toContain("What a person wrote");
    // What differs from node to node stands behind everything that packages share.
    expect(client.prompt.indexOf("Your context node")).toBeGreaterThan(client.prompt.indexOf("# Task"));
    done(client, "[ADD_CONTEXT:ctx-root]the gate is iron[/ADD_CONTEXT]");
    const server = await bench.puppets.next("T1.2");
    const heading = /^# Added and changed since.*$/m.exec(server.prompt)?.[0];
    expect(heading).toContain("outranks nothing else");
    expect(server.prompt).not.toMatch(/they outrank/);
    const off = { ...DEFAULT_TREE, addContext: "off" } as const;
    using none = openBench({ tasks: TASKS, world: { documents }, engine: { tree: off } });
    void none.start();
    const { prompt } = await none.puppets.next("T1.1");
    expect(prompt).toContain("Your context node is ctx-api");
    expect(prompt).not.toContain("[ADD_CONTEXT:");
  });

  it("[G40] hears of the attempts before what was the work's, and nothing of quotas, busy services and logins", async () => {
    using bench = openBench({ tasks: TASKS, world: { documents }, policy: { backoffMs: 0 } });
    void bench.start();
    for (const [kind, then] of [
      ["overloaded", "ready"],
      ["quota", "waiting"],
    ] as const) {
      const failure = {
        kind,
        message: "claude says no",
        retryable: true,
        retryAt: bench.clock.now() + 1_000,
      };
      (await bench.puppets.next("T1.1")).end({ kind: "failed", failure, finalMessage: "" });
      await expect.poll(() => bench.run.byId.get("T1.1")?.status).toBe(then);
      await bench.clock.advance(5_001);
    }
    const third = await bench.puppets.next("T1.1");
    expect(third.prompt).not.toContain("claude says no");
    third.say(`FAIL:${third.id}:the gate is stuck`);
    expect((await bench.puppets.next("T1.1")).prompt).toContain("the gate is stuck");
  });

  it.each([
    ["auth", because("keys-withheld", { agent: "new", said: "login required", names: ["VENDOR_API_KEY"] })],
    ["unsuitable", because("file-unapproved", { path: ".gemini/settings.json" })],
    ["unsuitable", because("agent-endless", { agent: "new" })],
  ] as const)(
    "[G40] nor of what kept an agent from its work by a reason of Espalier's own: %s, %o",
    async (kind, reason) => {
      using bench = openBench({ tasks: `### [ ] T1.3: Else\n${TASKS}`, world: { documents } });
      void bench.start();
      const failure = { kind, message: "says no", reason, retryable: false };
      (await bench.puppets.next("T1.1")).end({ kind: "failed", failure, finalMessage: "" });
      await expect.poll(() => bench.run.byId.get("T1.1")?.status).toBe("paused");
      await bench.engine.send({ type: "act", action: "resume", task: "T1.1", note: "", textHash: "" });
      expect((await bench.puppets.next("T1.1")).prompt).not.toContain("Previous attempts");
    },
  );

  it("[G5] that can be told is told once which blocks were refused; what it sends instead is added, its answer stands", async () => {
    using bench = open(true);
    const end = bench.start();
    const first = await bench.puppets.next("T1.1");
    done(first, "built so\n[ADD_CONTEXT:ctx-web]\nwrong place\n[/ADD_CONTEXT]");
    const told = await bench.puppets.next("T1.1");
    expect(told.prompt).toContain("ctx-web is not on the way from the root to ctx-api");
    told.say("[ADD_CONTEXT:ctx-api]right place[/ADD_CONTEXT]\n[ADD_CONTEXT:ctx-x]wrong again[/ADD_CONTEXT]");
    const server = await bench.puppets.next("T1.2");
    expect(server.prompt).toContain("right place\n</document");
    const result = server.prompt.slice(server.prompt.indexOf("# Results of"));
    expect(result).toContain("built so\n(Not added: ctx-web is not on the way");
    expect(result).toContain("wrong place");
    done(server);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.puppets.turns).toBe(3);
  });

  it("[G5] that has failed is asked for no blocks", async () => {
    using bench = open(true);
    void bench.start();
    const first = await bench.puppets.next("T1.1");
    first.say(`[ADD_CONTEXT:ctx-web]x[/ADD_CONTEXT]\nFAIL:${first.id}:no`);
    const again = await bench.puppets.next("T1.1");
    expect(again.prompt).toContain("# Previous attempts of this task");
  });

  it("[G32] is not told between its turns what had no room", async () => {
    const tasks = TASKS.replace("docs/spec.md", "docs/long.md");
    const long = `# Long\n\n${"- a rule that is as long as it is dull\n".repeat(400)}`;
    using bench = openBench({
      tasks,
      puppets: { followUp: true },
      world: { documents: { list: pattern => ok([pattern]), read: () => ok(long) } },
      engine: { tree: { ...DEFAULT_TREE, limits: { tokens: 1050 } } },
    });
    const end = bench.start();
    const first = await bench.puppets.next("T1.1");
    expect(first.prompt).toContain("- not given, ctx-root: 1 text");
    done(first);
    const server = await bench.puppets.next("T1.2");
    done(server);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.puppets.turns).toBe(2);
    const rows = bench.engine.library.rows.receipts("run-1", "T1.1");
    const receipt = JSON.parse((rows.ok && rows.value[0]?.receipt) || "{}") as PackageReceipt;
    expect(receipt.tokens).toBeLessThanOrEqual(1050);
    expect(receipt.parts.find(({ source }) => source === "docs-long.md")).toMatchObject({
      in: false,
      why: "no-room",
    });
  });
});
