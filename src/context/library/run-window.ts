import { because, type Reason, type Store } from "../../ports/index.ts";
import type { Library } from "./library.ts";
import { mayFillWindow, shareIn, type WindowUse, windowUse } from "./window-use.ts";

/** How the window of the run stands; undefined where nothing comes of it: no agents share one, and it cannot be full. */
export function runWindow(
  library: Library,
  { runId, store }: { readonly runId: string; readonly store: Pick<Store, "attempts"> },
): WindowUse | undefined {
  const { standing, rows, options, plan } = library;
  const { budget } = options;
  if (standing === undefined || budget === undefined) return undefined;
  const run = {
    budget,
    tasks: plan().tasks,
    standing,
    attempts: (task: string) => {
      const found = store.attempts(runId, task);
      return found.ok ? found.value : [];
    },
    promised: (task: string, attempt: number) => {
      const found = rows.receipts(runId, task);
      return shareIn((found.ok ? found.value : []).findLast(row => row.attempt === attempt)?.receipt);
    },
    count: library.count,
  };
  if (budget.workflow === undefined && !mayFillWindow(run, library.outputs)) {
    library.inBrief = false;
    return undefined;
  }
  const use = windowUse(run, library.outputs);
  const inBrief = use.finest === 2;
  // A run that goes on has been told before.
  if (inBrief && library.inBrief === false) library.tell("COMPRESSION", inBriefText(use));
  library.inBrief = inBrief;
  return use;
}

function inBriefText({ tracker: { used, total } }: WindowUse): Reason {
  const percent = Math.floor((100 * used) / Math.max(1, total));
  return because("outputs-in-brief", { percent });
}
