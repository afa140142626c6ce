import type { AgentProblem } from "./agent-turn.ts";
import type { ByteMask, OutputLog } from "./capped-log.ts";
import type { Reason } from "./reason.ts";
import type { Result } from "./result.ts";

/**
 * A program that can work on a task: a shell, any command, or a coding agent.
 * Every implementation passes `agentConformance` from `espalier/testing`.
 */
export interface Agent {
  readonly portVersion: 1;
  /** The name tasks and flags use, e.g. `shell`. */
  readonly name: string;
  /** How it reports: `signal` in its final message, or `exit`, where code 0 is DONE and anything else FAIL. */
  readonly reports: "signal" | "exit";
  /** What it can do beyond answering one message; absent: nothing more. */
  readonly abilities?: AgentAbilities;
  /** Abilities that only its work shows: it is treated as `abilities` says of them, and nobody is told that it has them. */
  readonly unseen?: readonly (keyof AgentAbilities)[];
  /** What it works by; for people. */
  readonly terms?: AgentTerms;
  /** Looks for the agent without starting work or spending anything. Never throws. */
  probe(): Promise<AgentProbe>;
  /** Opens a session for one attempt. Never throws; a program that cannot start is a failure value. */
  open(request: SessionRequest): Promise<Result<AgentSession, AgentFailure>>;
}

/** What an agent works by, as its settings say. */
export interface AgentTerms {
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  /** What it may do: the name of a policy, or its decisions. */
  readonly permissions: string;
  readonly jailed: boolean;
}

/** What an agent can do, as far as it is known without starting it. */
export interface AgentAbilities {
  /** A second turn of a session continues the conversation; without it every turn begins afresh. */
  readonly followUp: boolean;
  /** A session of an earlier process can be gone on with. */
  readonly resume: boolean;
  /** It can be on the machine that had it, and begins afresh on any other: what it is told has to say everything. */
  readonly resumesThere?: boolean;
  /** It reports tokens; `cost`: and money. */
  readonly usage: boolean;
  readonly cost: boolean;
  /** It stops by itself at an amount of money. */
  readonly budget: boolean;
  /** It confines its own commands. */
  readonly sandbox: boolean;
  /** It asks us before it does what its policy does not allow. */
  readonly asks: boolean;
  /** It takes MCP servers for a session. */
  readonly mcp: boolean;
  /** It runs a program after each of its tool calls, and its model reads what that prints. */
  readonly hook?: boolean;
}

/** `out` is certain; `unseen`: nothing shows one, and there may be one all the same. */
export type AgentLogin = "in" | "out" | "unseen" | "unknown";

export interface AgentProbe {
  readonly found: boolean;
  /** Absolute path of the program, when it has one. */
  readonly path?: string;
  readonly version?: string;
  /** The oldest version that understands what it would be told, where the one found is older. */
  readonly needs?: string;
  /** Whether it is logged in, as far as that shows without spending. */
  readonly login?: AgentLogin;
  /** What is missing and where it was looked for, when not found. */
  readonly problem?: string;
  /** The same where it is this program that says so. */
  readonly reason?: Reason;
}

/** Everything a session needs; nothing refers to the coordinator's memory. */
export interface SessionRequest {
  readonly task: string;
  /** 1-based number of this attempt of the task. */
  readonly attempt: number;
  /** Unique per attempt; stands in the environment of every process of the attempt. */
  readonly token: string;
  /** Absolute path of the folder to work in. */
  readonly cwd: string;
  /** The whole environment of the agent: an allow-list plus the task's own variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly limits: AgentLimits;
  /** The task's `run:` block, for agents that execute one. */
  readonly script?: string;
  /** The agent's own name of an earlier session to go on with. */
  readonly resume?: string;
  /** Absolute paths of files outside of `cwd` that it may write. */
  readonly writable?: readonly string[];
  /** MCP servers to attach, where the agent takes them. */
  readonly mcp?: readonly McpServer[];
  /** A program to be run after each tool call, where the agent has that. */
  readonly hook?: ToolHook;
  /** Asks a person; absent when nobody can be asked. Settles on `rejected` by itself when nobody answers. */
  readonly ask?: (question: PermissionQuestion) => Promise<PermissionAnswer>;
  /**
   * Masks secrets in one stream of output. An agent keeps the end of a long output behind it: the rest of a secret that was
   * cut is known to nobody. Absent where nothing is secret.
   */
  readonly mask?: () => ByteMask;
  /** Receives raw output as it comes, already bounded to `limits.logBytes` in total. Must not throw. */
  readonly log: OutputLog;
}

/** A program that speaks the Model Context Protocol over its standard streams. */
export interface McpServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A program that reads what a tool call came to and prints what its agent is to read of it. */
export interface ToolHook {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a tool call does, in the words of the Agent Client Protocol. */
export type ToolKind = "read" | "edit" | "execute" | "fetch" | "other";

/** Something an agent wants to do and may not do unasked. Foreign text. */
export interface PermissionQuestion {
  readonly kind: ToolKind;
  /** One line: the command, the file, the tool. */
  readonly title: string;
}

export interface PermissionAnswer {
  readonly answer: "allowed" | "rejected";
  readonly by: "person" | "nobody";
}

export interface AgentLimits {
  /** Milliseconds from the start of a turn to its forced end. */
  readonly wallMs: number;
  /** Milliseconds without output until a turn is ended. */
  readonly idleMs: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** Bytes of output that reach the log; the rest is counted and dropped. */
  readonly logBytes: number;
}

/** One conversation. Turns are sequential; agents without memory answer each turn afresh. */
export interface AgentSession {
  /**
   * Sends one message and yields what happens until exactly one `ended` event, which is always the last.
   * Never throws and never hangs beyond `limits.wallMs` + `limits.graceMs`.
   */
  turn(message: string): AsyncIterable<AgentEvent>;
  /**
   * Ends the running turn (its iterator then yields `ended` with failure `cancelled`).
   * `soft` walks the ladder protocol cancel → SIGTERM → SIGKILL; `hard` begins at SIGKILL.
   * Resolves when no process of the session is alive. Idempotent.
   */
  cancel(how: "soft" | "hard"): Promise<void>;
  /** Releases the session; cancels what still runs. Idempotent. */
  close(): Promise<void>;
}

export type AgentEvent =
  /** The operating system started a process of this session: who to look for after a crash. */
  | { readonly type: "process"; readonly pid: number }
  /** A complete or forcibly broken line of output, decoded, at most 4,096 characters, not sanitised. */
  | { readonly type: "line"; readonly stream: "stdout" | "stderr"; readonly text: string }
  /** Tokens and money as the agent reports them, cumulative for the session. */
  | ({ readonly type: "usage" } & AgentUsage)
  /** The agent's own name for the conversation, to resume it. */
  | { readonly type: "session"; readonly id: string }
  /** A tool call began or ended; `id` is the agent's own. Foreign text. */
  | {
      readonly type: "tool";
      readonly id: string;
      readonly kind: ToolKind;
      readonly title: string;
      readonly state: "started" | "done" | "failed";
      /** When it has ended: bytes of what it was given and of what it returned, where the agent tells them. */
      readonly bytes?: number;
    }
  /** The agent asked for a permission and was answered: evidence of what it was let do. */
  | ({ readonly type: "permission"; readonly answer: "allowed" | "rejected" } & PermissionQuestion & {
        readonly by: "policy" | PermissionAnswer["by"];
      })
  | { readonly type: "ended"; readonly end: TurnEnd };

export interface AgentUsage {
  /** All tokens that were read, those that came from a cache among them. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  /** Those of `outputTokens` that nobody sees. */
  readonly reasoningTokens?: number;
  /** Those among all tokens that were estimated, because the agent does not count them. */
  readonly estimatedTokens?: number;
  readonly costUsd?: number;
  /** Tokens in the agent's window now, and the window's size, when it tells. */
  readonly contextUsed?: number;
  readonly contextSize?: number;
}

/** How a turn ended. A `completed` turn says nothing yet about the task: signals and proof decide that. */
export type TurnEnd =
  | {
      readonly kind: "completed";
      /** The agent's own final message: the last 64 KiB of it when longer, which its first line says. */
      readonly finalMessage: string;
      readonly exitCode: number;
      /** Bytes the agent wrote in all, kept or not. */
      readonly outputBytes: number;
      /** What its output complains of, of agents that tell their errors as text; of a turn with a claim it means nothing. */
      readonly complaint?: AgentFailure;
    }
  | { readonly kind: "failed"; readonly failure: AgentFailure; readonly finalMessage: string };

/** Why an agent could not do its turn. `retryable` is decided where the failure is made. */
export interface AgentFailure {
  readonly kind: AgentProblem;
  /** One line for people. */
  readonly message: string;
  /** The same where it is this program that refuses, and not the agent that fails. */
  readonly reason?: Reason;
  readonly retryable: boolean;
  readonly exitCode?: number;
  readonly signal?: string;
  /** Its own last words alone, where its process ended by itself or was killed. Foreign text. */
  readonly said?: string;
  /** For `quota`: epoch milliseconds at which trying again makes sense. */
  readonly retryAt?: number;
}
