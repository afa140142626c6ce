import type { Prices } from "../budget/index.ts";
import type {
  Archive,
  ChangedFiles,
  DocumentFiles,
  KeptOutput,
  Summarizer,
  TreeOptions,
} from "../context/library/index.ts";
import type { Plan } from "../plan/index.ts";
import type {
  AgentFacts,
  AgentLimits,
  Clock,
  Fleet,
  McpServer,
  Reason,
  Result,
  Store,
  ToolHook,
} from "../ports/index.ts";
import type { SyncPolicy } from "../sync/index.ts";
import type { Messages, Redactor } from "../text/index.ts";
import type { Questions } from "./questions.ts";
import type { Workspaces } from "./workspaces/index.ts";

/** How a shell command of the user's own (verify, test) ended. */
export interface ShellEnd {
  /** Undefined when it was killed. */
  readonly exitCode: number | undefined;
  /** What ended it instead, e.g. `SIGKILL` or `wall-clock`. */
  readonly killed: string | undefined;
  /** Why it was not even started: a person has not approved it. */
  readonly refused?: Reason;
  /** Why the operating system did not start it. */
  readonly notStarted?: string;
  /** The last 4 KiB of its output. */
  readonly tail: string;
  readonly ms: number;
}

/** A phase that was worked off. */
export interface EndedPhase {
  readonly label: string;
  /** The branch that its work was left on, where it has one. */
  readonly branch?: string;
  /** The branch that it was merged into. */
  readonly into?: string;
  /** Ends what is done. */
  readonly cancel: AbortSignal;
  readonly kill: AbortSignal;
}

export interface ShellRequest {
  readonly task: string;
  /** The agent whose work it runs, or `all`; without one it runs nobody's. */
  readonly agent?: string;
  /** What the command is called where it is set (`verify`, `phase.after`): stands in front of the shell's own messages. */
  readonly name: string;
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The whole of its standard input; without it that is empty. */
  readonly input?: string;
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
}

/** Which attempt of a task a file is of: its number, and behind it that of one of several agents that worked on it at once. */
export type AttemptName = number | `${number}-${number}`;

/** Small durable files beside the database. Each is a view; the database is the truth. */
export interface StateFiles {
  /** Replaces `orchestrate-state.json` atomically; the old one becomes its `.bak`. */
  writeThin(json: string): Result<void, string>;
  /** Appends to `orchestrate.log`. Loss of a line is tolerable. */
  log(line: string): void;
  /** Opens the raw log of one attempt; `path` is what people are told. */
  attemptLog(
    task: string,
    attempt: AttemptName,
  ): { readonly path: string; write(chunk: Uint8Array): void; close(): void };
  /** Where an attempt may leave lessons; a file of its own. */
  learningsPath(task: string, attempt: AttemptName): string;
  /** Merges what an attempt left there into `memory/learnings.md`, with its provenance. */
  collectLearnings(task: string, attempt: AttemptName, agent: string): void;
  /** Keeps what an attempt is given to read as a file of its own, for programs; undefined when that was not possible. */
  packageFile?(task: string, attempt: AttemptName, text: string): string | undefined;
  /** A file in which an attempt may leave the document it prepares; nothing stands there yet. */
  openDocument?(task: string, attempt: number): string;
  /** What an attempt left there; undefined for nothing. */
  documentLeft?(task: string, attempt: number): Result<string | undefined, string>;
  /** Puts there the document that an attempt left elsewhere, for whoever finds it after a crash. Loss is tolerable. */
  keepDocument?(task: string, attempt: number, text: string): void;
  /** Refreshes `espalier.db.bak`. */
  backup(): Promise<Result<void, string>>;
}

/** Everything of the outside that a run touches. Handed in; the engine imports no adapter. */
export interface World {
  /** How agents ask a person for permission; absent where nobody can be asked. */
  readonly questions?: Pick<Questions, "asker">;
  /** The model that condenses long outputs; absent where none is configured or approved. */
  readonly summarizer?: Summarizer;
  /** What earlier runs have kept of outputs. */
  readonly kept?: (key: string, now: number) => KeptOutput | undefined;
  /** Texts that outlive the process. */
  readonly archive?: Archive;
  /** What git knows that a commit changed. */
  readonly changed?: ChangedFiles;
  readonly clock: Clock;
  readonly store: Store;
  /** Fencing epoch claimed with the lock. */
  readonly epoch: number;
  /** False once the lock's file was removed or replaced: another process may hold a lock of its own then. */
  stillOurs(): boolean;
  readonly taskFile: TaskFile;
  readonly files: StateFiles;
  /** What is known of an agent, by name; undefined when none is configured under it. */
  agent(name: string): AgentFacts | undefined;
  /** Where attempts are carried out. */
  readonly fleet: Fleet;
  shell(request: ShellRequest): Promise<ShellEnd>;
  /** Whether a path exists in a folder (by default the project's), for `expects:`. Never follows it out of there. */
  exists(path: string, folder?: string): boolean;
  /** The repository's documents; undefined where tasks read none. */
  readonly documents?: DocumentFiles;
  /** Those of another folder that holds the project, such as a worktree. */
  documentsIn?(folder: string): DocumentFiles;
  /** Branches and worktrees; undefined where all tasks work in the main checkout. */
  readonly workspaces?: Workspaces;
  /** Does what is asked for after a phase has ended and was worked off; says what stood against it. Undefined where nothing is. */
  afterPhase?(ended: EndedPhase): Promise<Reason | undefined>;
  /** Blocks that an attempt handed over by a tool while it worked, once: they count like those of its final message. */
  takeHanded?(token: string): readonly string[];
  /** How an attempt reaches its own documents while it works, for agents that take tools. */
  tools?(task: string, token: string): McpServer;
  /** What agents run after each tool call to ask what has become due; undefined where it would find nobody. */
  hook?(): ToolHook | undefined;
  /** Serves, while the attempt of a token works, what has become due for it; returns what ends that. */
  serve?(token: string, due: () => Promise<string>): () => void;
  /** What is said, as JSON, to what the attempt of a token asks from another machine while it works. Never rejects. */
  answer?(task: string, token: string, asked: string): Promise<string>;
  /** A fresh unguessable string of lower-case letters and digits. */
  random(length: number): string;
  /** The environment of agents and user commands: an allow-list. */
  readonly env: Readonly<Record<string, string>>;
  /** Masks secrets; see `maskedWorld` for where. */
  readonly redact: Redactor;
}

declare const HEARD: unique symbol;

/** A world in which others' words are masked where they come in. `maskedWorld` alone makes one. */
export interface HeardWorld extends World {
  readonly [HEARD]: true;
}

/** How work is reviewed: by an agent of this name, or by a command. */
export interface ReviewRules {
  readonly agent?: string | undefined;
  readonly command?: string | undefined;
  /** How often findings go back to the agent of an attempt. */
  readonly rounds: number;
  /** Whether work that could not be reviewed waits for a person; else it lands, and that is told. */
  readonly required: boolean;
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
  /** Agents that take over, in this order, from one that is out of quota. */
  readonly fallback?: readonly string[];
  /** The account whose quota an agent uses up; by default each has its own. */
  readonly accountOf?: (agent: string) => string;
  /** Role (`specialist`) → agent name. */
  readonly roles: ReadonlyMap<string, string>;
  /** Project-wide proof for tasks without a `verify:` of their own. */
  readonly verify: string | undefined;
  /** Test command of tasks without a `test:` of their own. */
  readonly test?: string | undefined;
  /** Whether tests run before and after the work; on unless said. */
  readonly tdd?: "on" | "refactor" | "off";
  /** Who judges work that was proved before it lands; nobody unless said. */
  readonly review?: ReviewRules | undefined;
  /** Command that a phase's work has to pass before it is merged. */
  readonly phaseVerify?: string | undefined;
  /** Who solves a conflict first; the agent unless said. */
  readonly conflicts?: "agent" | "person";
  /** US dollars per million tokens, by agent. */
  readonly prices?: Prices;
  /** What the model of an agent is called, by agent: its family decides how tokens are counted. */
  readonly models?: ReadonlyMap<string, string>;
  /** Milliseconds between heartbeats. */
  readonly heartbeatMs: number;
  /** How the shared context is kept in step; by default as the documents have it. */
  readonly context?: SyncPolicy;
  /** What comes of a completion whose agent does not hold what its documents say now; default `warn`. */
  readonly staleContext?: "warn" | "verify" | "refuse";
  /** The plan as the run's row keeps it, where the run itself adds to it. */
  readonly planJson?: (plan: Plan) => string;
  /** How the context tree is used. */
  readonly tree?: TreeOptions;
  /** Stay after the run has ended, so that a person can mend it, until a stop is asked for. */
  readonly stays?: boolean;
}
