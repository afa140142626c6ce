import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  createExporter,
  createFigures,
  createTraces,
  isSampled,
  readTelemetry,
} from "../../src/adapters/telemetry/index.ts";
import { type Span, sendOtlp, tracesJson } from "../../src/adapters/telemetry/otlp.ts";
import type { Target } from "../../src/adapters/telemetry/settings.ts";
import type { AttemptRow, Order, Reason, RunEvent } from "../../src/ports/index.ts";
import { attemptRow } from "../../src/testing/store-rows.ts";
import { reasonText } from "../../src/text/index.ts";
import { ManualClock } from "../engine/manual-clock.ts";

const NEVER = new AbortController().signal;
const ORDER = { id: "tok-1", task: "T1", attempt: 1 } as Order;
const SPAN: Span = {
  traceId: "0".repeat(32),
  spanId: "1".repeat(16),
  name: "x",
  kind: "internal",
  startMs: 1,
  endMs: 2,
  attributes: {},
  isError: false,
};

/** A span as it is sent. */
interface Told {
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

function traces(content: boolean, rows: readonly AttemptRow[] = []) {
  const spans: Span[] = [];
  const figures = createFigures(0, "cumulative");
  const made = createTraces({
    runId: "run-1",
    session: "1",
    sinceMs: 100,
    project: "demo",
    content,
    attempts: () => rows,
    taskFacts: () => ({ phase: "1", title: "Plant trees" }),
    redact: text => text.replaceAll("hunter2hunter2", "[redacted]"),
    figures,
    emit: span => spans.push(span),
  });
  let seq = 0;
  const hear = (event: RunEvent) => made.event({ seq: ++seq, at: seq * 100, event });
  return { made, hear, spans, figures };
}

const call = (state: "started" | "done" | "failed") =>
  ({ type: "tool", id: "c1", kind: "execute", title: "curl -H hunter2hunter2", state }) as const;

const words = (said: string | Reason) => (typeof said === "string" ? said : reasonText(said, "en"));

describe("spans", () => {
  it("[OT2] a tool call hangs on its attempt, and its words stay here", () => {
    const row = { ...attemptRow("T1", 1), startedAt: 100, endedAt: 250, outcome: "done" as const };
    const { made, hear, spans } = traces(false, [row]);
    hear({ type: "phase-started", phase: "1", title: "Begin", tasks: 1 });
    hear({ type: "dispatched", tasks: ["T1"], retry: false });
    made.report(ORDER, call("started"), 210);
    made.report(ORDER, call("failed"), 240);
    hear({ type: "completed", task: "T1", verified: true, by: "agent", ms: 150 });
    const [tool, attempt, task] = spans;
    expect(tool).toMatchObject({ name: "execute_tool execute", startMs: 210, endMs: 240, isError: true });
    expect(tool?.parentId).toBe(attempt?.spanId);
    expect(attempt?.parentId).toBe(task?.spanId);
    expect(tool?.attributes).toMatchObject({ "gen_ai.tool.name": "execute", "gen_ai.tool.call.id": "c1" });
    expect(JSON.stringify(spans)).not.toMatch(/curl|Plant/);
  });

  it("[OT3] with words they are masked", () => {
    const { made, hear, spans } = traces(true);
    hear({ type: "dispatched", tasks: ["T1"], retry: false });
    made.report(ORDER, call("started"), 1);
    made.report(ORDER, call("done"), 2);
    made.end(300);
    expect(spans[0]?.attributes["gen_ai.tool.call.arguments"]).toBe("curl -H [redacted]");
    expect(spans.map(({ attributes }) => attributes["espalier.task.title"])).toContain("Plant trees");
  });

  it("[OT2] the name of the plan stays here, too", () => {
    const told = (content: boolean) => {
      const { made, hear, spans } = traces(content);
      hear({ type: "dispatched", tasks: ["T1"], retry: false });
      made.end(300);
      return JSON.stringify(spans);
    };
    expect(told(true)).toContain("demo");
    expect(told(false)).not.toContain("demo");
  });

  it.each([
    ["done", "stop"],
    ["failed", "error"],
  ] as const)(
    "[OT7] an answer of an attempt that is %s is a whole message, however long",
    (outcome, reason) => {
      const finalMessage = "\u0001".repeat(60_000);
      const row = attemptRow("T1", 1, { startedAt: 100, endedAt: 250, outcome, finalMessage });
      const { hear, spans } = traces(true, [row]);
      hear({ type: "dispatched", tasks: ["T1"], retry: false });
      hear({ type: "completed", task: "T1", verified: true, by: "agent", ms: 1 });
      const request = tracesJson({}, spans) as { resourceSpans: { scopeSpans: { spans: Told[] }[] }[] };
      const sent = request.resourceSpans[0]!.scopeSpans[0]!.spans.find(({ name }) =>
        name.startsWith("invoke"),
      );
      const value = sent?.attributes.find(({ key }) => key === "gen_ai.output.messages")?.value.stringValue;
      const [message] = JSON.parse(value ?? "[]");
      expect(message).toMatchObject({ role: "assistant", finish_reason: reason, parts: [{ type: "text" }] });
      expect(message.parts[0].content.length).toBeGreaterThan(1000);
    },
  );

  it("[OT2] an attempt tells its tokens by the conventions, each once", () => {
    const usage = { inputTokens: 1000, outputTokens: 50, cachedTokens: 800, costUsd: 0.25 };
    const row = {
      ...attemptRow("T1", 1),
      agent: "claude",
      startedAt: 100,
      endedAt: 4100,
      outcome: "done" as const,
      usage,
    };
    const { hear, spans, figures } = traces(false, [row]);
    hear({ type: "dispatched", tasks: ["T1"], retry: false });
    hear({ type: "completed", task: "T1", verified: true, by: "agent", ms: 1 });
    hear({ type: "dispatched", tasks: ["T1"], retry: true });
    hear({ type: "completed", task: "T1", verified: true, by: "agent", ms: 1 });
    const attempts = spans.filter(({ name }) => name === "invoke_agent claude");
    expect(attempts.map(({ attributes }) => attributes)).toMatchObject([
      {
        "gen_ai.provider.name": "anthropic",
        "gen_ai.usage.input_tokens": 1000,
        "gen_ai.usage.output_tokens": 50,
        "gen_ai.usage.cache_read.input_tokens": 800,
      },
    ]);
    const read = new Map(figures.read(9).map(metric => [metric.name, metric.points]));
    expect(read.get("gen_ai.client.token.usage")?.map(({ value }) => value)).toEqual([1000, 50]);
    expect(read.get("gen_ai.client.operation.duration")?.[0]?.buckets?.counts.slice(0, 4)).toEqual([
      0, 0, 1, 0,
    ]);
    expect(read.get("espalier.cost")).toMatchObject([{ value: 0.25 }]);
  });

  it("[OT2] what others took for an attempt stands apart, and what reviewers cost counts as theirs", () => {
    const usage = {
      costUsd: 1,
      models: { tokens: 900, costUsd: 3 },
      reviewers: { judge: { tokens: 700, costUsd: 2 }, script: { tokens: 0 } },
    };
    const row = attemptRow("T1", 1, { agent: "mine", startedAt: 100, endedAt: 200, outcome: "done", usage });
    const { hear, spans, figures } = traces(false, [row]);
    hear({ type: "dispatched", tasks: ["T1"], retry: false });
    hear({ type: "completed", task: "T1", verified: true, by: "agent", ms: 1 });
    const [attempt] = spans.filter(({ name }) => name === "invoke_agent mine");
    expect(attempt?.attributes).toMatchObject({
      "espalier.cost.usd": 1,
      "espalier.others.tokens": 900,
      "espalier.others.cost.usd": 3,
    });
    const costs = figures.read(9).find(({ name }) => name === "espalier.cost")?.points;
    expect(costs?.map(({ attributes, value }) => [attributes["gen_ai.agent.name"], value])).toEqual([
      ["mine", 1],
      ["judge", 2],
    ]);
  });

  it("[OT4] an attempt that ended before this process began is another's to tell, one that it finds dead is not", () => {
    const rows = [
      attemptRow("T1", 1, { startedAt: 1, endedAt: 50, outcome: "failed" }),
      attemptRow("T1", 2, { startedAt: 60, endedAt: 100, outcome: "crashed" }),
    ];
    const { hear, spans } = traces(false, rows);
    hear({ type: "dispatched", tasks: ["T1"], retry: true });
    hear({ type: "completed", task: "T1", verified: true, by: "agent", ms: 1 });
    const told = spans.filter(({ name }) => name.startsWith("invoke_agent"));
    expect(told.map(({ attributes }) => attributes["espalier.attempt.outcome"])).toEqual(["crashed"]);
  });

  it("[OT6] a run is sampled in all its processes or in none", () => {
    const ids = Array.from({ length: 2000 }, (_, at) => `run-${at}`);
    expect(ids.filter(id => isSampled(id, 1))).toHaveLength(2000);
    expect(ids.filter(id => isSampled(id, 0))).toEqual([]);
    const quarter = ids.filter(id => isSampled(id, 0.25)).length;
    expect(quarter).toBeGreaterThan(400);
    expect(quarter).toBeLessThan(600);
  });
});

describe("what is sent", () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  const listen = (...statuses: readonly number[]) => listenTo(statuses, "");
  async function listenTo(statuses: readonly number[], answer: string) {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        bodies.push(body);
        response.writeHead(statuses[bodies.length - 1] ?? 200, { "retry-after": "0" }).end(answer);
      });
    });
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
    return { bodies, target: { url, headers: {}, timeoutMs: 1000, gzip: false } };
  }

  it("[OT5] is tried again where that helps, and not where it does not", async () => {
    const busy = await listen(503);
    expect(await sendOtlp(busy.target, { a: 1 }, NEVER)).toEqual({ ok: true, value: undefined });
    expect(busy.bodies).toEqual(['{"a":1}', '{"a":1}']);
    const wrong = await listen(400);
    const told = await sendOtlp(wrong.target, {}, NEVER);
    expect(told).toEqual({ ok: false, failure: `${new URL(wrong.target.url).host}: HTTP 400` });
    expect(wrong.bodies).toHaveLength(1);
    const elsewhere = await listen(307);
    expect((await sendOtlp(elsewhere.target, {}, NEVER)).ok).toBe(false);
    expect(elsewhere.bodies).toHaveLength(1);
  });

  it.each([
    ['{"partialSuccess":{"rejectedSpans":"3","errorMessage":"very-secret"}}', "3 rejected"],
    ['{"partialSuccess":{"rejectedDataPoints":7}}', "7 rejected"],
    ['{"partialSuccess":{"errorMessage":"mind the limit"}}', undefined],
    ['{"partialSuccess":{"rejectedSpans":"0"}}', undefined],
    ['{"partialSuccess":null}', undefined],
    ["{}", undefined],
    ["thanks", undefined],
    ["null", undefined],
    [`{"partialSuccess":{"rejectedSpans":"3","errorMessage":"${"x".repeat(100_000)}"}}`, undefined],
  ])("[OT8] what a collector takes in part is told, and not sent again: %.60s", async (answer, said) => {
    const { bodies, target } = await listenTo([], answer);
    const done = await sendOtlp(target, {}, NEVER);
    const host = new URL(target.url).host;
    expect(done.ok ? undefined : words(done.failure)).toEqual(
      said === undefined ? undefined : `${host}: ${said}`,
    );
    expect(bodies).toHaveLength(1);
  });

  /** An exporter of spans to an address, and what it had to say. */
  function exporterTo(target: Target, env: Readonly<Record<string, string>>) {
    const read = readTelemetry({ OTEL_METRICS_EXPORTER: "none", ...env }, true, "1");
    const problems: string[] = [];
    const exporter = createExporter({
      settings: { ...(read.ok ? read.value! : undefined!), traces: target },
      clock: new ManualClock(),
      figures: createFigures(0, "delta"),
      gauges: () => [],
      onProblem: said => problems.push(words(said)),
    });
    return { exporter, problems };
  }
  const spansIn = (body: string): number => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans.length;

  it("[OT5] is bounded: a span too many is lost, and that is told", async () => {
    const { bodies, target } = await listen();
    const { exporter, problems } = exporterTo(target, { OTEL_BSP_MAX_QUEUE_SIZE: "2" });
    for (let at = 0; at < 5; at++) exporter.span(SPAN);
    await exporter.flush();
    exporter.close();
    expect(bodies.map(spansIn)).toEqual([2]);
    expect(problems).toEqual(["3 spans were too many at once"]);
  });

  /** Answers nobody until it is told to. */
  async function silence() {
    const waiting: (() => void)[] = [];
    const server = createServer((_request, response) => waiting.push(() => response.end()));
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const target = { url: `http://127.0.0.1:${port}/`, headers: {}, timeoutMs: 60_000, gzip: false };
    return { waiting, target };
  }

  it("[OT5] one batch follows the other: beside a slow collector no more is held than the queue", async () => {
    const { waiting, target } = await silence();
    const env = { OTEL_BSP_MAX_QUEUE_SIZE: "4", OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "1" };
    const { exporter, problems } = exporterTo(target, env);
    for (let at = 0; at < 9; at++) exporter.span(SPAN);
    const flushed = exporter.flush();
    for (let answered = 0; answered < 5; answered++) {
      await expect.poll(() => waiting.length).toBe(1);
      waiting.pop()?.();
    }
    await flushed;
    exporter.close();
    expect(problems).toEqual(["4 spans were too many at once"]);
  });

  it("[OT5] what is on its way when time is over is broken off, and told", async () => {
    const { waiting, target } = await silence();
    const { exporter, problems } = exporterTo(target, {});
    exporter.span(SPAN);
    const flushed = exporter.flush();
    await expect.poll(() => waiting.length).toBe(1);
    exporter.close();
    await flushed;
    expect(problems).toEqual([`${new URL(target.url).host}: no time was left`]);
  });

  it("[OT7] is whole: no half characters, and amounts are fractions also where they are whole", async () => {
    const { bodies, target } = await listen();
    const { exporter } = exporterTo(target, {});
    exporter.span({ ...SPAN, attributes: { a: `${"x".repeat(65_535)}😀`, "espalier.cost.usd": 2, n: 2 } });
    await exporter.flush();
    exporter.close();
    expect(bodies[0]).not.toMatch(/\\ud83d/i);
    const [text, ...amounts] = JSON.parse(bodies[0]!).resourceSpans[0].scopeSpans[0].spans[0].attributes;
    expect(text.value.stringValue).toHaveLength(65_536);
    expect(amounts.map(({ value }: { value: unknown }) => value)).toEqual([
      { doubleValue: 2 },
      { intValue: "2" },
    ]);
  });
});

it("[OT6] figures are told since the beginning, or since they were told last", () => {
  const counted = (temporality: "cumulative" | "delta") => {
    const figures = createFigures(0, temporality);
    figures.add("a", "1", 2, { k: "v" });
    const first = figures.read(10);
    figures.add("a", "1", 3, { k: "v" });
    return [first, figures.read(20)].map(([metric]) =>
      metric?.points.map(({ value, startMs }) => [value, startMs]),
    );
  };
  expect(counted("cumulative")).toEqual([[[2, 0]], [[5, 0]]]);
  expect(counted("delta")).toEqual([[[2, 0]], [[3, 10]]]);
});
