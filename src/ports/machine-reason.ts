import type { HubSaid } from "./hub-refusal.ts";
import type { Nothing } from "./refusal.ts";

/** Why an order is lost. */
export interface Loss {
  /** One line for people. */
  readonly why: string;
  /** What of that every version knows: in the language of whoever reads it. */
  readonly how?: LossKind | undefined;
  /** The machine that it is about. */
  readonly machine?: string | undefined;
}

/**
 * `coordinator`: whoever asked for it is not heard any more; `taken`: somebody else conducts its run; `unknown`: the hub has never heard
 * of it, or has lost what it knew; `unread`: it is over, and nobody has what was told of it.
 */
export type LossKind =
  | "anew"
  | "silent"
  | "token"
  | "given-up"
  | "full"
  | "coordinator"
  | "taken"
  | "unknown"
  | "unread";

/** Why a machine does not carry an order out: in English, and what of that every version knows. */
export interface MachineRefusal {
  readonly said: string;
  /** `bare`: the order comes without a repository. */
  readonly how?: "agent" | "repository" | "bare" | "setup";
  /** The agent, the repository, or the command that sets a folder up. */
  readonly of?: string;
  /** Which one. */
  readonly machine?: string;
  /** Machines that have refused it before. */
  readonly others?: readonly string[];
}

/** What becomes of work on other machines. */
export interface MachineReasonArgs {
  readonly "machine-lost": { readonly said: string } & Pick<Loss, "how" | "machine">;
  /** What another machine made did not come into the folder here. */
  readonly "work-not-taken": { readonly said: string };
  /** Files of a repository within it do not travel. */
  readonly "work-hidden": { readonly path: string };
  readonly "work-kept": { readonly said: string; readonly ref: string };
  /** What an order of an earlier process had taken along. */
  readonly "sent-unknown": Nothing;
  /** The hub of other machines does not answer, and does again. */
  readonly "hub-full": HubSaid;
  readonly "hub-has-room": { readonly url: string };
  readonly "hub-away": HubSaid;
  readonly "hub-reached": { readonly url: string };
  /** The run ended while its hub was away, or before its machines had ended its agents; what that means for those. */
  readonly "stopped-without-hub": { readonly url: string };
  readonly "stopped-without-machines": Nothing;
  readonly "agents-go-on": Nothing;
  /** The copy of the run at the hub is not as new as the run. */
  readonly "not-copied": { readonly said: string };
  /** This machine alone conducts the run from now on, and the hub could not be told. */
  readonly "hub-not-left": HubSaid;
  /** The run of another machine is this one's from now on; `at` is when it was copied, as that machine's clock told it. */
  readonly "run-taken-over": { readonly host: string; readonly at: number };
  /** The other machine has gone on with it in between. */
  readonly "brought-anew": Nothing;
  /** No machine of the hub has this agent now, with these labels. */
  readonly "no-machine": { readonly agent: string; readonly labels?: readonly string[] };
  /** The owners of all machines of the hub that have this agent, with these labels, let others than this repository be worked in there. */
  readonly "repository-not-taken": {
    readonly repository: string;
    readonly agent: string;
    readonly labels?: readonly string[];
  };
  /** All machines of the hub that have this agent, with these labels, and could take an order, are drained. */
  readonly "machines-drained": {
    readonly machines: readonly string[];
    readonly agent: string;
    readonly labels?: readonly string[];
    readonly url: string;
  };
  /** All machines of the hub that have this agent, with these labels, and could take an order, are drained or have full disks: these do. */
  readonly "machines-full": {
    readonly machines: readonly string[];
    readonly agent: string;
    readonly labels?: readonly string[];
  };
  /** No machine of the hub offers these now. */
  readonly "no-resource": { readonly resources: readonly string[] };
  /** Each machine that could take an order has its last one of this in use. */
  readonly "resource-in-use": {
    readonly task: string;
    readonly resource: string;
    readonly machines: readonly string[];
  };
  /** Tasks say of no agent that could work on them; those that the machines have. */
  readonly "machines-have": { readonly agents: readonly string[] };
  /** Tasks name labels of machines, and this machine alone works on them. */
  readonly "labels-here": { readonly labels: readonly string[] };
  /** A machine does not carry the order out, or its owner does not let it. */
  readonly "machine-refuses": MachineRefusal;
}
