import type { Reason } from "./reason.ts";

/** Exit codes of the command line, by what a caller would do next. */
export const EXIT = {
  done: 0,
  failedTasks: 1,
  usage: 2,
  invalidPlan: 3,
  locked: 4,
  waitingForPerson: 5,
  environment: 6,
  bug: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The one error class of the edges: what happened, what to do, and whether trying again can help. */
export class EspalierError extends Error {
  /** Stable and machine-readable, e.g. `TASKS_NOT_FOUND`. */
  readonly code: string;
  /** One sentence that names the next command or edit, if there is one. */
  readonly hint: string | undefined;
  /** What happened and what to do, for people who read another language; where they are known by codes. */
  readonly reason: Reason | undefined;
  readonly advice: Reason | undefined;
  readonly retryable: boolean;
  /** What the process should exit with if nobody handles this. */
  readonly exitCode: ExitCode;

  constructor(
    code: string,
    message: string,
    options: {
      hint?: string;
      reason?: Reason;
      advice?: Reason;
      cause?: unknown;
      retryable?: boolean;
      exitCode: ExitCode;
    },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "EspalierError";
    this.code = code;
    this.hint = options.hint;
    this.reason = options.reason;
    this.advice = options.advice;
    this.retryable = options.retryable ?? false;
    this.exitCode = options.exitCode;
  }
}
