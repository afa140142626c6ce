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
