import { deepStrictEqual } from "node:assert/strict";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent, AgentSession, SessionRequest } from "../ports/agent.ts";
import { type Bench, firstLine, listen, NEVER, type Rule } from "./agent-bench.ts";
import { AGENT_RULES } from "./agent-rules.ts";
import type { ConformanceCase } from "./store.ts";

/** What an adapter's author hands to the suite. */
export interface AgentSetup {
  /**
   * An agent of which a process runs this POSIX shell script in every turn: its output is the agent's, its exit code
   * the turn's. For a coding agent that is a stand-in for its program. Called once for each case.
   */
  readonly agent: (script: string) => AgentPlace | Promise<AgentPlace>;
  /** An agent whose program does not exist. */
  readonly missing: () => Agent;
  /** Why the script does not find the turn's message on its stdin, in words. */
  readonly noMessage?: string;
  /** Why what it writes is not the script's output but holds it, in words: events around it, say. */
  readonly encoding?: string;
  /** Why a turn has no exit code of its own, in words. */
  readonly noExitCode?: string;
  /** Why what a turn left running ends with the session only, in words. */
  readonly lasting?: string;
  /** Why detached processes cannot be found, in words; on systems without `/proc` the suite says it itself. */
  readonly noDetached?: string;
}

/** One agent to test. */
export interface AgentPlace {
  readonly agent: Agent;
  /** What a request needs besides the usual, e.g. the script itself. */
  readonly request?: Pick<SessionRequest, "script">;
  /** Called once at the end. */
  readonly dispose?: () => void | Promise<void>;
}

/**
 * Every requirement of the Agent port, as cases for any test runner. A case takes some seconds at most, needs `sh` and
 * writes in a temporary folder only.
 */
export function agentConformance(setup: AgentSetup): readonly ConformanceCase[] {
  return AGENT_RULES.map(rule => {
    const skip = skipOf(rule, setup);
    return { name: rule.name, ...(skip === undefined ? {} : { skip }), run: () => runRule(rule, setup) };
  });
}

function skipOf(rule: Rule, setup: AgentSetup): string | undefined {
  if (rule.needs === "message") return setup.noMessage;
  if (rule.needs === "exit-code") return setup.noExitCode;
  if (rule.needs === "turn-process" && setup.lasting !== undefined) return setup.lasting;
  if (rule.needs === undefined) return undefined;
  return existsSync("/proc/self/environ")
    ? setup.noDetached
    : "this system shows no environments: groups only";
}

/** Bytes of a flood: more than may be kept of it. */
const FLOOD = 200 << 20;

/** Milliseconds from asking for a turn to its first line. */
async function startMsOf(setup: AgentSetup): Promise<number> {
  let first = 0;
  const check = async ({ session }: Bench) => {
    const began = performance.now();
    await firstLine((await session()).turn("do it")[Symbol.asyncIterator](), "ready");
    first = performance.now() - began;
  };
  await runRule({ name: "how long a start takes", script: "echo ready", check }, setup);
  return first;
}

async function runRule(rule: Rule, setup: AgentSetup): Promise<void> {
  const own = typeof rule.limits === "function" ? rule.limits(await startMsOf(setup)) : rule.limits;
  const limits = { wallMs: NEVER, idleMs: NEVER, graceMs: 2_000, logBytes: 1 << 20, ...own };
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "espalier-agent-")));
  const place = await setup.agent(rule.script ?? "echo hello");
  const sessions: AgentSession[] = [];
  const log: Uint8Array[] = [];
  const request: SessionRequest = {
    task: "T1.3",
    attempt: 1,
    token: `conformance-${Math.random().toString(36).slice(2)}`,
    cwd: folder,
    env: {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      GREETING: "salut",
      FLOOD: `${FLOOD}`,
      PAUSE: `${limits.idleMs / 4_000}`,
    },
    limits,
    ...place.request,
    log: (_, chunk) => void log.push(chunk),
  };
  const session = async () => {
    const opened = await place.agent.open(request);
    if (!opened.ok) deepStrictEqual(opened, { ok: true });
    const value = (opened as { readonly value: AgentSession }).value;
    sessions.push(value);
    return value;
  };
  try {
    await rule.check({
      agent: place.agent,
      missing: setup.missing(),
      folder,
      request,
      isEncoded: setup.encoding !== undefined,
      session,
      logged: () => Buffer.concat(log).toString("utf8"),
      turn: async (message = "do it") => listen((await session()).turn(message)),
    });
  } finally {
    for (const each of sessions) await each.close();
    await place.dispose?.();
    rmSync(folder, { recursive: true, force: true });
  }
}
