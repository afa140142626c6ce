import type { Execution } from "./execution.ts";
import type { StopSignals } from "./types.ts";

/** The controls of an agent at work, and whether they were used. */
export interface Control {
  readonly cancel: AbortController;
  readonly kill: AbortController;
  execution: Execution | undefined;
  /** Each ends a review that is under way. */
  readonly reviews: Set<() => void>;
}

/** Controls that nobody has used; with `above`, whatever is ended there is ended here. */
export function createControl(above?: Control): Control {
  const control: Control = {
    cancel: new AbortController(),
    kill: new AbortController(),
    execution: undefined,
    reviews: above?.reviews ?? new Set(),
  };
  const follow = ({ signal }: AbortController, how: "soft" | "hard") => {
    if (signal.aborted) endWork(control, how);
    else signal.addEventListener("abort", () => endWork(control, how), { once: true });
  };
  if (above !== undefined) {
    follow(above.cancel, "soft");
    follow(above.kill, "hard");
  }
  return control;
}

/** Ends whatever runs there: `soft` asks first. */
export function endWork(control: Control, how: "soft" | "hard"): void {
  control.cancel.abort();
  if (how === "hard") control.kill.abort();
  control.execution?.cancel(how);
}

/** The same as signals. */
export function stopOf({ cancel, kill }: Control): StopSignals {
  return { cancel: cancel.signal, kill: kill.signal };
}
