/** The kinds of an agent's failures. */
export type AgentProblem =
  /** The program does not exist or is not executable. */
  | "not-found"
  /** The operating system refused to start it (EAGAIN, EMFILE, ENOMEM). Costs no attempt. */
  | "spawn"
  | "exit"
  | "killed"
  | "wall-clock"
  | "idle"
  | "cancelled"
  /** The task lacks what this agent needs, e.g. a `run:` block. */
  | "unsuitable"
  /** Not logged in, or the key is refused. */
  | "auth"
  /** A limit of the account; `retryAt` says until when, where it is known. */
  | "quota"
  /** The service has too much to do. */
  | "overloaded"
  /** It came to its limit of turns, or of money. */
  | "max-turns"
  | "budget"
  /** What it said is not what it should speak: another version, or another program. */
  | "protocol";

/** Why a turn of an agent came to nothing by what was seen of it, and not by its own words. */
export interface AgentTurnArgs {
  /** It was ended for its time; of a hello, nobody knows whether it speaks the protocol. */
  readonly "agent-late": {
    readonly agent: string;
    readonly ms: number;
    readonly why: "at-work" | "no-progress" | "wrote-nothing" | "no-hello";
  };
  readonly "agent-cancelled": { readonly agent: string };
  /** It ended its turn by itself, without having done what it was asked to. */
  readonly "agent-left-off": {
    readonly agent: string;
    readonly why: "tokens" | "turns" | "refused" | "gave-up" | "no-reason" | "no-result";
  };
  /** It does not keep the Agent Client Protocol: another version, or as many permissions asked for as nobody answers. */
  readonly "agent-unruly": {
    readonly agent: string;
    readonly why:
      | "no-version"
      | "no-session"
      | "deaf"
      | { readonly version: number }
      | { readonly asked: number };
  };
  /** What the settings want of it, and what it offers; without `offered` there is no choice. */
  readonly "agent-offers": {
    readonly agent: string;
    readonly key: "mode" | "model" | "effort";
    readonly wanted: string;
    readonly offered?: string | undefined;
  };
}
