import { describe, expect, it } from "vitest";
import { itWhole, sampleOf } from "../../sample.ts";
import { type Lab, openLab } from "../lab.ts";
import { attributesOf, openCollector, type SeenSpan } from "./collector.ts";

const TASKS = `# Tasks: demo

## Phase 1: begin

### [ ] T1.1: Secret plan of the year
- run: echo made; exit 0
- verify: true

### [ ] T1.2: fails once
- after: T1.1
- run: test -e ok || { touch ok; exit 3; }

## Phase 2: end

### [ ] T2.1: last
- run: true
`;

/** An agent over ACP: one call that succeeds, one that fails, and what it took. */
const AGENT = `import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
const send = message => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const answer = (id, result) => send({ id, result });
const update = body => send({ method: "session/update", params: { sessionId: "s-1", update: body } });
const call = (toolCallId, kind, status) => {
  update({ sessionUpdate: "tool_call", toolCallId, kind, title: "look at secret.txt", status: "in_progress" });
  update({ sessionUpdate: "tool_call_update", toolCallId, status });
};
const turns = {
  initialize: ({ id }) => answer(id, { protocolVersion: 1, agentCapabilities: {}, authMethods: [] }),
  "session/new": ({ id }) => answer(id, { sessionId: "s-1" }),
  "session/prompt": ({ id, params }) => {
    const signal = /followed at once by \`([^\`]+)\`/.exec(params.prompt[0].text)[1];
    writeFileSync("made.txt", "made");
    call("t1", "edit", "completed");
    call("t2", "read", "failed");
    update({ sessionUpdate: "usage_update", used: 5220, size: 200000, cost: { amount: 2, currency: "USD" } });
    const text = "I looked.\\nDONE:" + signal;
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    answer(id, { stopReason: "end_turn", usage: { inputTokens: 5000, outputTokens: 220, totalTokens: 5220 } });
  },
};
createInterface({ input: process.stdin }).on("line", line => {
  const message = JSON.parse(line);
  turns[message.method]?.(message);
});
`;

function labOf(more = ""): Lab {
  return openLab({
    "TASKS.md": TASKS,
    "espalier.yaml": `backoff: { first: 1ms, max: 1ms }\ngit: { worktrees: off }\n${more}`,
  });
}

const named = (spans: readonly SeenSpan[], name: string) => spans.filter(span => span.name === name);

describe("a run that tells a collector", () => {
  it("[OT1] sends nothing by itself", async () => {
    await using collector = await openCollector();
    await using lab = labOf();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    expect((await lab.cli(["run", "--yes"], { env })).code).toBe(0);
    expect(collector.seen.requests).toEqual([]);
  });

  it("[OT2] sends run, phases, tasks and attempts as one tree, and figures, without a word of them", async () => {
    await using collector = await openCollector();
    await using lab = labOf("telemetry: otlp\n");
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20abcdefgh,x-tenant=a",
      OTEL_SERVICE_NAME: "garden",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    };
    const done = await lab.cli(["run", "--yes"], { env });
    expect(done.code).toBe(0);
    const { spans, metrics, requests, resources } = collector.seen;
    const [root, ...others] = named(spans, "espalier.run");
    expect(others).toEqual([]);
    const phases = named(spans, "espalier.phase");
    const tasks = named(spans, "espalier.task");
    const attempts = named(spans, "invoke_agent shell");
    expect([phases.length, tasks.length, attempts.length]).toEqual([2, 3, 4]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    expect(new Set(phases.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([root?.spanId]));
    const parents = new Map(spans.map(span => [span.spanId, span.name]));
    expect(tasks.map(({ parentSpanId }) => parents.get(parentSpanId!))).toEqual(
      tasks.map(() => "espalier.phase"),
    );
    expect(attempts.map(({ parentSpanId }) => parents.get(parentSpanId!))).toEqual(
      attempts.map(() => "espalier.task"),
    );
    const failed = attempts.filter(({ status }) => status.code === 2).map(attributesOf);
    expect(failed).toMatchObject([
      { "espalier.task.id": "T1.2", "espalier.attempt.number": "1", "error.type": "exit-code" },
    ]);
    expect(attributesOf(attempts[0]!)).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "shell",
    });
    expect(attributesOf(root!)).toMatchObject({
      "espalier.run.outcome": "completed",
      "espalier.run.resumed": false,
    });
    expect(new Set(requests.map(({ path }) => path))).toEqual(new Set(["/v1/traces", "/v1/metrics"]));
    expect(requests[0]?.headers).toMatchObject({ authorization: "Basic abcdefgh", "x-tenant": "a" });
    expect(resources[0]).toMatchObject({ "service.name": "garden", "deployment.environment.name": "test" });
    const byName = new Map(metrics.map(metric => [metric.name, metric]));
    expect(byName.get("gen_ai.client.operation.duration")?.histogram).toMatchObject({
      aggregationTemporality: 2,
    });
    expect(byName.get("espalier.attempts")?.sum?.dataPoints).toHaveLength(2);
    expect(byName.get("espalier.tasks")?.gauge?.dataPoints.length).toBeGreaterThan(5);
    expect(collector.seen.unread).toEqual([]);
    expect(collector.seen.text).not.toContain("Secret plan");
    expect(done.stdout + done.stderr).not.toContain("abcdefgh");
  });

  itWhole("[OT3] sends words where they are asked for, and packed where that is", async () => {
    await using collector = await openCollector();
    await using lab = labOf();
    const env = {
      OTEL_TRACES_EXPORTER: "otlp",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path`,
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
    };
    await lab.cli(["run", "--yes"], { env });
    expect(collector.seen.text).toContain("Secret plan of the year");
    expect(new Set(collector.seen.requests.map(({ path }) => path))).toEqual(new Set(["/own/path"]));
  });

  itWhole(
    "[OT2] tells the tool calls and the tokens of an agent that works, by the conventions, and of none what it said",
    async () => {
      await using collector = await openCollector();
      await using lab = openLab({
        "TASKS.md": "# Tasks: demo\n\n## Phase 1: work\n\n### [ ] T1.1: Secret plan of the year\n",
        "agent.mjs": AGENT,
        "espalier.yaml":
          "telemetry: otlp\ngit: { worktrees: off }\nagent: mine\nagents: { mine: { acp: node agent.mjs } }\n",
      });
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
      expect((await lab.cli(["run", "--yes"], { env })).code).toBe(0);
      const { spans, metrics, unread, text } = collector.seen;
      expect(unread).toEqual([]);
      const [attempt] = named(spans, "invoke_agent mine");
      expect(attributesOf(attempt!)).toMatchObject({
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "mine",
        "gen_ai.conversation.id": "s-1",
        // Two calls of its model before the one that was counted are estimated, and told so.
        "gen_ai.usage.input_tokens": "15000",
        "espalier.usage.estimated_tokens": "10000",
        "gen_ai.usage.output_tokens": "220",
        "espalier.cost.usd": 2,
      });
      const tools = spans.filter(({ name }) => name.startsWith("execute_tool"));
      expect(tools.map(span => [span.name, span.parentSpanId, span.status.code])).toEqual([
        ["execute_tool edit", attempt?.spanId, undefined],
        ["execute_tool read", attempt?.spanId, 2],
      ]);
      expect(tools.map(attributesOf)).toMatchObject([
        { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "edit", "gen_ai.tool.call.id": "t1" },
        { "gen_ai.tool.name": "read", "error.type": "failed" },
      ]);
      const usage = metrics.findLast(({ name }) => name === "gen_ai.client.token.usage");
      const points = usage?.histogram?.dataPoints as unknown as (SeenSpan & { sum: number })[];
      expect(usage?.unit).toBe("{token}");
      expect(points.map(point => [attributesOf(point)["gen_ai.token.type"], point.sum])).toEqual([
        ["input", 15_000],
        ["output", 220],
      ]);
      expect(text).not.toMatch(/Secret|secret\.txt|I looked/);
    },
  );

  itWhole("[OT4] goes on in the same trace where another process goes on with the run", async () => {
    await using collector = await openCollector();
    await using lab = openLab({
      "TASKS.md":
        "# Tasks: demo\n\n## Phase 1: work\n\n### [ ] T1.1: waits\n- run: test -e go || sleep 100\n\n### [ ] T1.2: done\n- run: true\n",
      "espalier.yaml": "telemetry: otlp\ngit: { worktrees: off }\nparallel: 2\n",
    });
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "0" };
    const first = lab.start(["run", "--yes"], { env });
    await collector.until(() => named(collector.seen.spans, "invoke_agent shell").length > 0);
    first.signal("SIGKILL");
    await first.ended;
    lab.write("go", "");
    expect((await lab.cli(["resume"], { env })).code).toBe(0);
    const { spans } = collector.seen;
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    const attempts = named(spans, "invoke_agent shell").map(attributesOf);
    const of = (task: string) =>
      attempts.filter(one => one["espalier.task.id"] === task).map(one => one["espalier.attempt.outcome"]);
    expect([of("T1.1"), of("T1.2")]).toEqual([["crashed", "done"], ["done"]]);
    expect(attributesOf(named(spans, "espalier.run").at(-1)!)).toMatchObject({
      "espalier.run.resumed": true,
    });
  });

  it.each(
    sampleOf(
      [
        [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "OTLP is spoken over HTTP"],
        [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1/very-secret" }, "127.0.0.1:1: "],
        [{ OTEL_TRACES_EXPORTER: "zipkin" }, "OTEL_TRACES_EXPORTER may be otlp or none"],
        [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://ann:very-secret@127.0.0.1" }, "no http or https address"],
      ],
      1,
      2,
    ),
  )("[OT5] says once that it cannot be told, and goes on: %j", async (env, said) => {
    await using lab = labOf("telemetry: otlp\n");
    const done = await lab.cli(["run", "--yes"], { env: env as Record<string, string> });
    const all = done.stdout + done.stderr;
    expect([done.code, all.split("NOT_TOLD").length]).toEqual([0, 2]);
    expect(all).toContain(said);
    expect(all).not.toContain("very-secret");
  });
});
