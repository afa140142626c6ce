import type { Agent, AgentLimits, Clock, Result, Store } from "../ports/index.ts";
import type { Messages } from "../text/index.ts";

/** How a shell command of the user's own (verify, test) ended. */
export interface ShellEnd {
  /** Undefined when it was killed. */
  readonly exitCode: number | undefined;
  /** What ended it instead, e.g. `SIGKILL` or `wall-clock`. */
  readonly killed: string | undefined;
  /** Why it was not even started: a person has not approved it. */
  readonly refused?: string;
  /** Why the operating system did not start it. */
  readonly notStarted?: string;
  /** The last 4 KiB of its output. */
  readonly tail: string;
  readonly ms: number;
}

export interface ShellRequest {
  readonly task: string;
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Marks every process of it, so that nothing it leaves behind outlives the attempt. */
  readonly token: string;
  readonly limits: AgentLimits;
  /** Ends the command: SIGTERM, then SIGKILL after the grace. */
  readonly cancel: AbortSignal;
  /** Ends it with SIGKILL. */
  readonly kill: AbortSignal;
}

/** The task file as the engine meets it: read whole, written whole, never half. */
export interface TaskFile {
  /** As agents and people are told to open it. */
  readonly displayPath: string;
  read(): Result<Uint8Array, string>;
  /** Replaces the file atomically, keeping its mode. */
  write(bytes: Uint8Array): Result<void, string>;
  /** Calls back when it begins to watch, and after the file changed, also by our own writes. Returns how to stop. */
  watch(onChange: () => void): () => void;
}

/** Small durable files beside the database. Each is a view; the database is the truth. */
export interface StateFiles {
  /** Replaces `orchestrate-state.json` atomically; the old one becomes its `.bak`. */
  writeThin(json: string): Result<void, string>;
  /** Appends to `orchestrate.log`. Loss of a line is tolerable. */
  log(line: string): void;
  /** Opens the raw log of one attempt; `path` is what people are told. */
  attemptLog(
    task: string,
    attempt: number,
  ): { readonly path: string; write(chunk: Uint8Array): void; close(): void };
  /** Where an attempt may leave lessons; a file of its own. */
  learningsPath(task: string, attempt: number): string;
  /** Merges what an attempt left there into `memory/learnings.md`, with its provenance. */
  collectLearnings(task: string, attempt: number, agent: string): void;
  /** Refreshes `espalier.db.bak`. */
  backup(): Promise<Result<void, string>>;
}

/** Everything of the outside that a run touches. Handed in; the engine imports no adapter. */
export interface World {
  readonly clock: Clock;
  readonly store: Store;
  /** Fencing epoch claimed with the lock. */
  readonly epoch: number;
  /** False once the lock's file was removed or replaced: another process may hold a lock of its own then. */
  stillOurs(): boolean;
  readonly taskFile: TaskFile;
  readonly files: StateFiles;
  /** An agent by name; undefined when none is configured under it. */
  agent(name: string): Agent | undefined;
  shell(request: ShellRequest): Promise<ShellEnd>;
  /** Whether a repository path exists, for `expects:`. Never follows it out of the repository. */
  exists(path: string): boolean;
  /** A fresh unguessable string of lower-case letters and digits. */
  random(length: number): string;
  /** The environment of agents and user commands: an allow-list. */
  readonly env: Readonly<Record<string, string>>;
  /** Masks known secrets; applied to everything that is stored or logged. */
  redact(text: string): string;
}

/** What the person and the project's configuration decided for this run. */
export interface EngineOptions {
  readonly runId: string;
  /** Absolute path of the checkout tasks work in. */
  readonly cwd: string;
  readonly messages: Messages;
  readonly limits: AgentLimits;
  readonly signals: "nonce" | "plain";
  /** Agent of tasks that name none and whose role maps to none. */
  readonly defaultAgent: string;
  /** Names of the agents that the project's configuration adds. */
  readonly agents: ReadonlySet<string>;
  /** Role (`specialist`) → agent name. */
  readonly roles: ReadonlyMap<string, string>;
  /** Project-wide proof for tasks without a `verify:` of their own. */
  readonly verify: string | undefined;
  /** Milliseconds between heartbeats. */
  readonly heartbeatMs: number;
  /** `frozen` ignores edits of the task file while running. */
  readonly planChanges: "reconcile" | "frozen";
}
