import type { Level } from "../../budget/index.ts";
import { because, type Reason, type Store } from "../../ports/index.ts";
import type { Library } from "./library.ts";
import { shareIn, type TaskShare, windowUse } from "./window-use.ts";

/** What a package is told of the window of its run. */
export interface RunWindow {
  /** The finest level at which outputs are carried on. */
  readonly finest: Level;
  /** What the author of an output was told that it may hand on; undefined where nobody was told. */
  readonly shareOf: (task: string) => number | undefined;
  /** What the reader may hand on itself; undefined without a workflow. */
  readonly share: TaskShare | undefined;
}

/** How the window of the run stands for a package of a task; undefined where nobody shares one. */
export function runWindow(
  library: Library,
  {
    runId,
    store,
    task,
  }: {
    readonly runId: string;
    readonly store: Pick<Store, "attempts">;
    readonly task: { readonly id: string };
  },
): RunWindow | undefined {
  const { standing, rows, options, plan } = library;
  const { budget } = options;
  if (standing === undefined || budget === undefined) return undefined;
  const run = {
    budget,
    tasks: plan().tasks,
    standing,
    attempts: (id: string) => {
      const found = store.attempts(runId, id);
      return found.ok ? found.value : [];
    },
    promised: (id: string, attempt: number) => {
      const found = rows.receipts(runId, id);
      return shareIn((found.ok ? found.value : []).findLast(row => row.attempt === attempt)?.receipt);
    },
    count: library.count,
  };
  if (budget.workflow === undefined) {
    const { used, total, finest, shareOf } = library.window.look(run, task.id);
    tellOfBrief(library, finest, used, total);
    return { finest, shareOf, share: undefined };
  }
  const { tracker, finest, outputs, shares } = windowUse(run, library.outputs);
  tellOfBrief(library, finest, tracker.used, tracker.total);
  return { finest, shareOf: id => outputs.get(id)?.share, share: shares.get(task.id) };
}

/** Tells once that outputs are handed on in brief from now on; a run that goes on has been told before. */
function tellOfBrief(library: Library, finest: Level, used: number, total: number): void {
  const inBrief = finest === 2;
  if (inBrief && library.inBrief === false) library.tell("COMPRESSION", inBriefText(used, total));
  library.inBrief = inBrief;
}

function inBriefText(used: number, total: number): Reason {
  return because("outputs-in-brief", { percent: Math.floor((100 * used) / Math.max(1, total)) });
}
