import type { Names } from "./names.ts";
import type { Nothing } from "./refusal.ts";

/** What stands against a file that is to be run: a kind, or the code of the system's error. */
export type FileTrouble =
  | "nameless"
  | "missing"
  | "folder"
  | "irregular"
  | "not-executable"
  | "foreign"
  | { readonly code: string };

/** Why a run does not begin or go on with the agents that it names, and what to do about it, by its code. */
export interface AgentRefusalArgs {
  readonly "no-such-agent": { readonly agent: string; readonly tasks: readonly string[] };
  readonly "agents-known": {
    readonly agents: readonly string[];
    readonly guess?: string | undefined;
    /** The name that was given is kept for leads. */
    readonly isLead: boolean;
  };
  readonly "give-command": Nothing;
  readonly "program-not-found": {
    readonly program: string;
    readonly searched: readonly string[];
    /** One of that name that cannot be run. */
    readonly unfit?: { readonly file: string; readonly trouble: FileTrouble } | undefined;
  };
  readonly "program-relative": { readonly program: string };
  readonly "program-unfit": { readonly file: string; readonly trouble: FileTrouble };
  readonly "script-unfit": { readonly program: string; readonly file: string; readonly trouble: FileTrouble };
  readonly "agent-too-old": { readonly agent: string; readonly version: string; readonly needs: string };
  /** An agent that tells only an exit code was named as a reviewer; `by` says where. */
  readonly "cannot-review": { readonly agent: string; readonly by: string };
  readonly "name-reviewer": Nothing;
  /** What must be reviewed has no diff. */
  readonly "review-needs-git": Nothing;
  readonly "get-diffs": Nothing;
  readonly "get-agent": { readonly install?: string | undefined; readonly isOld: boolean };
  readonly "no-run-blocks": { readonly tasks: Names };
  /** `agent` is there and can be taken. */
  readonly "choose-agent": { readonly agent: string };
  /** None can be taken: those that are there are not logged in to; `install` gets one where none is there. */
  readonly "no-agent-yet": { readonly loggedOut: readonly string[]; readonly install: readonly string[] };
  readonly "no-agent-on-path": { readonly programs: readonly string[] };
  /** What it takes counts nothing towards a limit in money. */
  readonly "no-price": { readonly agent: string };
  readonly "not-logged-in": { readonly agent: string };
  readonly "log-in-to": { readonly agent: string };
  readonly "none-logged-in": { readonly agents: readonly string[] };
  /** `install`: a command for each that people can get. */
  readonly "look-at-agents": { readonly install: readonly string[] };
  readonly "log-in": { readonly agent: string };
  /** It did not end when it had to, nor when it was told to; it may go on by itself. */
  readonly "agent-endless": { readonly agent: string };
  /** An event of an agent that a program brought along is none; what is wrong with it is told in English. */
  readonly "agent-event": { readonly agent: string; readonly said: string };
  /** Its service does not let its account in, or the account has no money; the next one does its tasks. */
  readonly "agent-refused": { readonly agent: string; readonly next: string };
  /** It has no login, and these variables of the environment were not handed on to it. Its words are foreign. */
  readonly "keys-withheld": {
    readonly agent: string;
    readonly said: string;
    readonly names: readonly string[];
  };
}
