import type { ReactElement } from "react";
import { Checkpoints } from "./checkpoints.tsx";
import { Events } from "./events.tsx";

/** Checkpoints as a line, and what happened to the run. */
export function TimelineView(): ReactElement {
  return (
    <div className="page timeline">
      <Checkpoints />
      <Events />
    </div>
  );
}
