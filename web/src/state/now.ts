import { useEffect, useState } from "react";
import { useRun } from "./run.ts";

/** The server's wall clock, each second while `ticking`. */
export function useNow(ticking: boolean): number {
  const skew = useRun(state => state.skew);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [ticking]);
  return now + skew;
}
