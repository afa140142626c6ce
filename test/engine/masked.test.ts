import { describe, expect, it } from "vitest";
import { createLocalFleet } from "../../src/adapters/fleet/index.ts";
import { createByteTail } from "../../src/adapters/process/index.ts";
import { execute } from "../../src/engine/attempt/execution.ts";
import { maskedFleet, maskedLine } from "../../src/engine/masked.ts";
import { openMaskedLog } from "../../src/engine/masked-log.ts";
import type { StateFiles } from "../../src/engine/world.ts";
import { type Agent, type AgentEvent, cappedLog } from "../../src/ports/index.ts";
import { createRedactor } from "../../src/text/index.ts";
import { LIMITS, order } from "../order.ts";

const SECRET = "hunter2-hunter2";
const redact = createRedactor([SECRET]);

/** An agent that says these things, asks once, and logs the secret in two pieces. */
function told(events: readonly AgentEvent[]): Agent {
  return {
    portVersion: 1,
    name: "teller",
    reports: "signal",
    probe: () => Promise.resolve({ found: true }),
    open: request =>
      Promise.resolve({
        ok: true,
        value: {
          async *turn() {
            const log = cappedLog(request.log, request.limits.logBytes);
            log("stdout", Buffer.from(`a ${SECRET.slice(0, 9)}`));
            log("stderr", Buffer.from("between"));
            log("stdout", Buffer.from(`${SECRET.slice(9)} hunter2-h`));
            if (request.mask === undefined) throw new Error("it cannot cut behind a mask");
            const kept = createByteTail(20, request.mask());
            kept.push(Buffer.from(`${SECRET}${"x".repeat(12)}`));
            log("stderr", Buffer.from(kept.text()));
            await request.ask?.({ kind: "execute", title: `echo ${SECRET}` });
            yield* events;
          },
          cancel: () => Promise.resolve(),
          close: () => Promise.resolve(),
        },
      }),
  };
}

async function heard(events: readonly AgentEvent[], logBytes = 1000) {
  let logged = "";
  const asked: string[] = [];
  const agents = new Map([["teller", told(events)]]);
  const fleet = maskedFleet(createLocalFleet({ agents, mask: () => redact.stream() }), redact);
  const attemptLog = () => ({
    path: "",
    write(chunk: Uint8Array) {
      logged += Buffer.from(chunk).toString();
    },
    close() {},
  });
  const files = { attemptLog } as unknown as StateFiles;
  const log = openMaskedLog({ files, redact }, { task: "T1", number: 1 }, logBytes);
  const execution = execute(fleet, order({ agent: "teller", limits: { ...LIMITS, logBytes }, asks: true }), {
    log: log.write,
    ask({ title }) {
      asked.push(title);
      return Promise.resolve({ answer: "rejected", by: "nobody" });
    },
  });
  const opened = await execution.opened();
  if (!opened.ok) throw new Error(opened.failure.message);
  const got: AgentEvent[] = [];
  for await (const event of execution.turn("go")) got.push(event);
  await execution.close();
  log.close();
  return { got, logged, asked };
}

describe("what agents say", () => {
  it("[E43] is masked in every kind of event, in questions, and in the log over its pieces", async () => {
    const title = `run ${SECRET}`;
    const failure = { kind: "exit", message: `exit 1: ${SECRET}`, said: SECRET, retryable: true } as const;
    const { got, logged, asked } = await heard([
      { type: "line", stream: "stdout", text: SECRET },
      { type: "tool", id: "1", kind: "execute", title, state: "started" },
      { type: "permission", kind: "execute", title, answer: "allowed", by: "policy" },
      { type: "ended", end: { kind: "failed", failure, finalMessage: `FAIL: ${SECRET}` } },
    ]);
    expect(JSON.stringify(got)).not.toContain(SECRET);
    expect(JSON.stringify(got).split("[redacted]")).toHaveLength(7);
    expect(asked).toEqual(["echo [redacted]"]);
    // What both streams say stands in one file as it became clear.
    expect(logged).toBe(`a betwee[redacted] nedacted]${"x".repeat(11)}hunter2-hx`);
  });

  it("[E43] is masked in what a finished turn complains of", async () => {
    const complaint = {
      kind: "quota",
      message: `no more for ${SECRET}`,
      said: SECRET,
      retryable: true,
    } as const;
    const end = { kind: "completed", finalMessage: "", exitCode: 1, outputBytes: 0, complaint } as const;
    const { got } = await heard([{ type: "ended", end }]);
    expect(got).toEqual([
      {
        type: "ended",
        end: { ...end, complaint: { ...complaint, message: "no more for [redacted]", said: "[redacted]" } },
      },
    ]);
  });

  it("[E43] is masked where a long line was broken", async () => {
    const text = `${"x".repeat(4090)}${SECRET} y`;
    const { got } = await heard([
      { type: "line", stream: "stdout", text: text.slice(0, 4096) },
      { type: "line", stream: "stdout", text: text.slice(4096) },
    ]);
    expect(got.map(event => (event.type === "line" ? event.text : "")).join("")).toBe(
      `${"x".repeat(4090)}[redacted] y`,
    );
  });

  it("[E43] leaves the beginning of a secret neither before the limit of a log nor before a cut", async () => {
    const { logged } = await heard([], 11);
    expect(logged).toBe("a betwee[re\n[espalier] log limit of 11 bytes reached; later output is not kept\n");
    expect(maskedLine(`${SECRET.slice(0, 9)}…`, redact)).toBe("…");
    expect(maskedLine(`x ${SECRET.slice(0, 9)}… (its process ended)`, redact)).toBe(
      "x … (its process ended)",
    );
    expect(maskedLine("reading hun…, please wait", redact)).toBe("reading hun…, please wait");
    expect(maskedLine(`${SECRET}…`, redact)).toBe("[redacted]…");
  });

  it("[E43] does not join a broken line with what comes after bytes that were left out", async () => {
    const { got } = await heard([
      { type: "line", stream: "stdout", text: `${"x".repeat(4087)}${SECRET.slice(0, 9)}` },
      { type: "line", stream: "stdout", text: "[espalier] … 9 bytes of output are not shown here" },
      { type: "line", stream: "stdout", text: SECRET.slice(9) },
    ]);
    expect(got.flatMap(event => (event.type === "line" ? [event.text] : []))).toEqual([
      "x".repeat(4087),
      "[espalier] … 9 bytes of output are not shown here",
      SECRET.slice(9),
    ]);
  });
});
