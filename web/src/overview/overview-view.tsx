import type { ReactElement } from "react";
import { useWork } from "../state/branches.ts";
import { Machines } from "./machines.tsx";
import { Needs } from "./needs.tsx";
import { Numbers } from "./numbers.tsx";
import { Phases } from "./phases.tsx";
import { EndedLately, RunningNow } from "./work-now.tsx";

/** The first screen: how the run stands, and what to do about it. */
export function OverviewView(): ReactElement {
  const { value: branches } = useWork();
  return (
    <div className="page overview">
      <Numbers />
      <div className="halves">
        <div>
          <Needs branches={branches} />
          <RunningNow />
          <Machines />
          <EndedLately />
        </div>
        <Phases branches={branches} />
      </div>
    </div>
  );
}
