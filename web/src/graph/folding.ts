import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { TaskCard } from "../../../src/server/shapes/run.ts";
import { useRun } from "../state/run.ts";

/** Tasks up to which every phase is open at first. */
const OPEN_AT_FIRST = 120;

/** Which phases are folded, and how that changes. */
export interface Folding {
  readonly folded: ReadonlySet<string>;
  readonly fold: (folded: ReadonlySet<string>) => void;
  readonly toggle: (label: string) => void;
  /** The phase that a person opened last; empty when the last act folded one. */
  readonly opened: { readonly current: string };
}

/** Which phases are folded: at first, in a large plan, all but those where something goes on. */
export function useFolding(plan: readonly TaskCard[], labels: readonly string[], task: string): Folding {
  const phase = useRun(state => state.shape?.run?.phase ?? "");
  const initial = useCallback(
    (): ReadonlySet<string> =>
      new Set(
        plan.length <= OPEN_AT_FIRST ? [] : labels.filter(label => label !== phase || plan.length > 400),
      ),
    [plan, labels, phase],
  );
  /** `lent` is open only for as long as a task in it is looked at. */
  const [{ folded }, set] = useState(() => ({ folded: initial(), lent: "" }));
  const fold = useCallback((next: ReadonlySet<string>) => set({ folded: next, lent: "" }), []);
  const size = useRef(plan.length);
  useEffect(() => {
    if (size.current === plan.length) return;
    size.current = plan.length;
    fold(initial());
  }, [plan, initial, fold]);
  const phaseOf = useMemo(() => new Map(plan.map(card => [card.id, card.phase])), [plan]);
  const looked = phaseOf.get(task) ?? "";
  useEffect(() => {
    set(before => {
      const back = before.lent === looked ? "" : before.lent;
      if (back === "" && !before.folded.has(looked)) return before;
      const next = new Set(before.folded);
      if (back !== "") next.add(back);
      return { lent: next.delete(looked) ? looked : "", folded: next };
    });
  }, [looked]);
  const opened = useRef("");
  const toggle = useCallback(
    (label: string) =>
      set(before => {
        const next = new Set(before.folded);
        opened.current = next.delete(label) ? label : "";
        if (opened.current === "") next.add(label);
        return { folded: next, lent: "" };
      }),
    [],
  );
  return { folded, fold, toggle, opened };
}
