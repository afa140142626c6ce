import type { Reason } from "./reason.ts";
import type { Result } from "./result.ts";

/** Tells people outside the terminal what happened. */
export interface Notifier {
  readonly portVersion: 1;
  /** As people know it: `slack`, `webhook`, `command`. */
  readonly name: string;
  /** Says in words why nobody was told; never throws and takes at most half a minute. */
  notify(notice: Notice): Promise<Result<void, string>>;
}

/** Something worth leaving the shared context for. Texts are foreign. */
export type Notice =
  | {
      readonly kind: "phase-ended";
      readonly project: string;
      readonly phase: string;
      readonly completed: number;
      readonly counted: number;
      readonly ms: number;
    }
  | {
      readonly kind: "run-ended";
      readonly project: string;
      readonly outcome: "completed" | "failed" | "waiting" | "interrupted";
      readonly completed: number;
      readonly ms: number;
      readonly reason: Reason | undefined;
    }
  /** The same failure again and again: the task waits for a person. */
  | {
      readonly kind: "stuck";
      readonly project: string;
      readonly task: string;
      readonly reason: Reason | undefined;
    }
  /** An agent waits for a permission; `id` is what `espalier permit` answers it by. */
  | {
      readonly kind: "asked";
      readonly project: string;
      readonly task: string;
      readonly id: number;
      readonly wants: string;
    }
  /** The money or the tokens that were allowed are spent. */
  | { readonly kind: "budget"; readonly project: string; readonly reason: Reason | undefined };
