import { readyToMerge, type Whereabouts } from "../../host/run/phase-work.ts";
import { shellWord } from "../../text/index.ts";
import type { BranchesShape } from "../shapes/branches.ts";
import { shown } from "../shown.ts";

/** Places of work that was set aside, of which more are not told. */
const ASIDE = 50;

/** Where the work of a run is, and what is to be typed to merge what is ready. */
export function branchesShape(found: Whereabouts | undefined): BranchesShape {
  if (found === undefined) return { target: "", phases: [], aside: [] };
  const { target, phases, aside } = found;
  const ready = readyToMerge(phases);
  const [only] = ready;
  const which = only === undefined ? undefined : ready.length === 1 ? shellWord(only) : "--all";
  return {
    target: shown(target),
    phases: phases.map(({ phase, state, branch }) => ({
      phase,
      state,
      ...(branch === undefined ? {} : { branch: shown(branch) }),
    })),
    aside: aside.slice(0, ASIDE).map(({ task, where }) => ({
      ...(task === undefined ? {} : { task }),
      where: shown(where),
    })),
    ...(which === undefined ? {} : { merge: `espalier phase merge ${which}` }),
  };
}
