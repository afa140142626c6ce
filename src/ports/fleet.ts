import type {
  Agent,
  AgentEvent,
  AgentFailure,
  PermissionAnswer,
  PermissionQuestion,
  SessionRequest,
} from "./agent.ts";
import type { Loss } from "./machine-reason.ts";
import type { Reason } from "./reason.ts";
import type { Result } from "./result.ts";

/**
 * Machines that carry out attempts. What goes to them and comes back is data alone, so that it may cross a network; work is
 * judged, proved and landed elsewhere. Every implementation passes `fleetConformance`.
 */
export interface Fleet {
  readonly portVersion: 1;
  /**
   * Hands an order over. One that is known already changes nothing. `waits` hears why no machine begins it, each time that changes;
   * undefined once nothing that is known stands against it. Never throws.
   */
  submit(order: Order, waits?: Waits): Promise<Result<void, FleetFailure>>;
  /**
   * What became of an order, from the report of this number on (the first is 1): each once, in order, the last of them `closed`
   * or `lost`. To ask for a report says that those before it have arrived: they need not be kept. Leaving it early changes
   * nothing. Never throws; of an order that is not known it says `lost`.
   */
  follow(id: string, fromSeq: number): AsyncIterable<Report>;
  /** Says something to an order under way. One that has ended or is not known hears nothing. Never throws. */
  tell(id: string, message: OrderMessage): Promise<void>;
  /**
   * Ends the running turn, or keeps the next one from beginning: `soft` asks first, `hard` kills. The order itself goes on
   * until it is told its end. Never throws.
   */
  cancel(id: string, how: "soft" | "hard"): Promise<void>;
  /** Nobody asks for the orders of an attempt any more: what became of it is durable. Never throws. */
  settled?(token: string): Promise<void>;
  /** The machines there are now, and what their agents can do. */
  machines(): Promise<readonly Machine[]>;
}

/** Hears why an order waits for a machine; undefined where nothing is known that stands against it. */
export type Waits = (why: Reason | undefined) => void;

/** What is known of an agent without opening it. */
export type AgentFacts = Pick<Agent, "name" | "reports" | "abilities">;

export interface Machine {
  readonly name: string;
  readonly agents: readonly AgentFacts[];
  /** What it has that others have not; its name counts as one. Absent: nothing is known. */
  readonly labels?: readonly string[];
  /** Named things of its own, which only so many orders use at once. Absent: nothing is known. */
  readonly resources?: Readonly<Record<string, ResourceUse>>;
  /** First commits of the repositories that its owner lets be worked in there; absent: all. */
  readonly repositories?: readonly string[];
}

export interface ResourceUse {
  readonly offers: number;
  /** How many orders use one of them now. */
  readonly taken: number;
}

/** One session of an agent, from its first message to its end. */
export interface Order extends Omit<SessionRequest, "ask" | "mask" | "log"> {
  readonly version: 1;
  /** No other order has it, ever: the attempt's token with the number of the session. */
  readonly id: string;
  /** By name. */
  readonly agent: string;
  /** What the first turn is given. */
  readonly message: string;
  /** Whether somebody answers what the agent asks. */
  readonly asks: boolean;
  /** Labels that the machine must have; absent: any takes it. */
  readonly labels?: readonly string[];
  /** Named things that it uses one of each. */
  readonly uses?: readonly string[];
  /** The machine that had the session to go on with: it has the order where it is free, and nobody waits for it. */
  readonly prefers?: string;
  /** What its folder holds, where that came by git. */
  readonly base?: OrderBase;
  /** How its agent asks the run in the middle of a turn, where that is elsewhere: its machine gives it the means. */
  readonly calls?: readonly OrderCalls[];
}

/** `tools`: those of `SessionRequest.mcp`; `hook`: what it runs after each tool call. */
export type OrderCalls = "tools" | "hook";

/** Where the work of an order begins: a commit that was made for it. */
export interface OrderBase {
  /** The first commit of the repository: every clone has the same. */
  readonly repository: string;
  /** Holds the folder as it stood, on top of `head`. */
  readonly commit: string;
  /** What the folder's branch stood at. */
  readonly head: string;
  /** Where in it the project lies, which is where its agents work; absent: at its top. */
  readonly project?: string;
}

/** What is said to an order under way. Each may arrive twice. */
export type OrderMessage =
  /** Begins turn `turn` (the order's own message was the first) once the one before has ended. */
  | { readonly type: "turn"; readonly turn: number; readonly text: string }
  /** Answers the question of this number. */
  | ({ readonly type: "answer"; readonly question: number } & PermissionAnswer)
  /** What the run says to the call of this number, as JSON. Whoever does not wait for it any more does not hear it. */
  | { readonly type: "reply"; readonly call: number; readonly text: string }
  /** No further turn: the session is closed as soon as none runs. */
  | { readonly type: "end" };

/** What this machine is called in reports and rows. */
export const HERE = "local";

/** What a machine tells of an order; `seq` counts from 1. */
export interface Report {
  readonly version: 1;
  readonly seq: number;
  readonly event: OrderEvent;
}

export type OrderEvent =
  /** The agent is ready on this machine. */
  | { readonly type: "opened"; readonly machine: string }
  /** The agent could not be opened; only `closed` follows. */
  | { readonly type: "refused"; readonly failure: AgentFailure }
  | AgentEvent
  /** Raw output as it came. */
  | { readonly type: "output"; readonly stream: "stdout" | "stderr"; readonly bytes: Uint8Array }
  /** The agent waits for an answer; questions count from 1. */
  | ({ readonly type: "question"; readonly question: number } & PermissionQuestion)
  /** The agent asks the run something while it works, as JSON, and waits for the reply; calls count from 1. */
  | { readonly type: "call"; readonly call: number; readonly op: string; readonly text: string }
  /** No process of the order is left. */
  | { readonly type: "closed" }
  /** Nothing more is known of it: its machine is gone, or never heard of it. */
  | ({ readonly type: "lost" } & Loss);

/** Why an order could not be handed over: nothing of it was begun. */
export interface FleetFailure {
  readonly kind: "no-machine" | "unreachable";
  /** One line for people. */
  readonly message: string;
  /** What the order uses and no machine offers, where that is why. */
  readonly lacks?: readonly string[];
  /** The order's repository, where machines that could take the order are let work in others alone. */
  readonly repository?: string;
}
