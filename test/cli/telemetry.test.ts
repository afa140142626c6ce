import { describe, expect, it } from "vitest";
import { attributesOf, openCollector, type SeenSpan } from "./collector.ts";
import { type Lab, openLab } from "./lab.ts";

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
    expect(collector.seen.text).not.toContain("Secret plan");
    expect(done.stdout + done.stderr).not.toContain("abcdefgh");
  });

  it("[OT3] sends words where they are asked for, and packed where that is", async () => {
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

  it("[OT4] goes on in the same trace where another process goes on with the run", async () => {
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

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "OTLP is spoken over HTTP"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1/very-secret" }, "127.0.0.1:1: "],
    [{ OTEL_TRACES_EXPORTER: "zipkin" }, "OTEL_TRACES_EXPORTER may be otlp or none"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://ann:very-secret@127.0.0.1" }, "no http or https address"],
  ])("[OT5] says once that it cannot be told, and goes on: %j", async (env, said) => {
    await using lab = labOf("telemetry: otlp\n");
    const done = await lab.cli(["run", "--yes"], { env: env as Record<string, string> });
    const all = done.stdout + done.stderr;
    expect([done.code, all.split("NOT_TOLD").length]).toEqual([0, 2]);
    expect(all).toContain(said);
    expect(all).not.toContain("very-secret");
  });
});
