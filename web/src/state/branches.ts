import { useMemo } from "react";
import type { BranchesShape } from "../../../src/server/shapes/branches.ts";
import { type Answer, useRead } from "./read.ts";

/** Milliseconds between two questions about branches: git is asked for them. */
const PAUSE = 3000;

/** Where the work of the run is. */
export function useWork(): Answer<BranchesShape> {
  return useRead<BranchesShape>("branches", {}, PAUSE);
}

/** The branches and places that still hold work: others may be gone, and are not named. */
export function useBranches(): ReadonlySet<string> {
  const { value } = useWork();
  return useMemo(
    () =>
      new Set([
        ...(value?.phases ?? []).flatMap(({ branch }) => branch ?? []),
        ...(value?.aside ?? []).map(({ where }) => where),
      ]),
    [value],
  );
}
