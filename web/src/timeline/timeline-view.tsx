import { type ReactElement, useState } from "react";
import { Checkpoints } from "./checkpoints.tsx";
import { Events } from "./events.tsx";
import { History } from "./history.tsx";
import { LogSearch } from "./log-search.tsx";
import "./timeline.css";

/** The run in time: attempts as bars, any moment of it, what happened, what agents put out, checkpoints as a line. */
export function TimelineView(): ReactElement {
  const [moment, setMoment] = useState<number>();
  return (
    <div className="page timeline">
      <History moment={moment} onMoment={setMoment} />
      <div className="halves">
        <Events moment={moment} />
        <LogSearch />
      </div>
      <Checkpoints />
    </div>
  );
}
