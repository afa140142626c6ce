import type { AgentEvent, AgentFailure, PermissionAnswer, SessionRequest, TurnEnd } from "../ports/agent.ts";
import type { Agent } from "../ports/index.ts";
import { ok, type Result } from "../ports/result.ts";

/** What a scripted agent was asked and told, in its order. */
export interface Script {
  /** Sessions that were opened. */
  readonly requests: SessionRequest[];
  /** The message of each turn. */
  readonly messages: string[];
  readonly answers: (PermissionAnswer | undefined)[];
  readonly cancels: ("soft" | "hard")[];
  closed: number;
}

/** Bytes that are no text. */
export const RAW: Uint8Array = new Uint8Array([0x00, 0xff, 0x80, 0x0a, 0xe2, 0x82]);

const done = (finalMessage: string): AgentEvent => ({
  type: "ended",
  end: { kind: "completed", finalMessage, exitCode: 0, outputBytes: RAW.length },
});

const CANCELLED: TurnEnd = {
  kind: "failed",
  failure: { kind: "cancelled", message: "cancelled", retryable: true },
  finalMessage: "",
};

/**
 * An agent without a process that does what its messages say: `ask` asks a person, `wait` works until it is cancelled, `throw`
 * breaks the contract, and anything else is answered.
 */
export function scriptedAgent(
  name: string,
  opening?: () => Promise<Result<void, AgentFailure>>,
): {
  readonly agent: Agent;
  readonly script: Script;
} {
  const script: Script = { requests: [], messages: [], answers: [], cancels: [], closed: 0 };
  const agent: Agent = {
    portVersion: 1,
    name,
    reports: "signal",
    abilities: {
      followUp: true,
      resume: false,
      usage: true,
      cost: false,
      budget: false,
      sandbox: false,
      asks: true,
      mcp: false,
    },
    probe: async () => ({ found: true }),
    async open(request) {
      script.requests.push(request);
      const opened = (await opening?.()) ?? ok(undefined);
      if (!opened.ok) return opened;
      const cancelled = Promise.withResolvers<void>();
      return ok({
        async *turn(message): AsyncGenerator<AgentEvent, void, undefined> {
          script.messages.push(message);
          if (message === "throw") throw new Error("a contract was broken");
          yield { type: "process", pid: 4711 };
          // Its memory is used again at once, as that of a pipe is.
          const chunk = new Uint8Array(RAW);
          request.log("stdout", chunk);
          chunk.fill(0x78);
          yield { type: "usage", inputTokens: 3, costUsd: 0.25 };
          if (message === "ask")
            script.answers.push(await request.ask?.({ kind: "execute", title: "rm -rf build" }));
          if (message === "wait") {
            yield { type: "line", stream: "stdout", text: "at work" };
            await cancelled.promise;
            yield { type: "ended", end: CANCELLED };
            return;
          }
          yield { type: "line", stream: "stderr", text: `heard ${message}` };
          yield done(`said ${message}`);
        },
        async cancel(how) {
          script.cancels.push(how);
          cancelled.resolve();
        },
        async close() {
          script.closed++;
        },
      });
    },
  };
  return { agent, script };
}
