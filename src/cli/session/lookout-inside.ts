import type { Engine } from "../../engine/index.ts";
import type { StampedEvent } from "../../ports/index.ts";
import type { Lookout } from "../../server/index.ts";
import { answer } from "./answer.ts";
import type { ReadingLookout } from "./lookout.ts";

/** An event as others may hear it: raw lines of agents are masked, everything else is already. */
export function outward(stamped: StampedEvent, redact: (text: string) => string): StampedEvent {
  const { event } = stamped;
  if (event.type !== "attempt-line") return stamped;
  return { ...stamped, event: { ...event, text: redact(event.text) } };
}

/** The lookout of the process that runs the project itself. */
export function insideLookout(
  reading: ReadingLookout,
  engine: Engine,
  redact: (text: string) => string,
): Lookout {
  return {
    ...reading,
    link: () => ({ live: true, held: engine.run.held }),
    follow: listener => engine.listen(stamped => listener(outward(stamped, redact))),
    act: request => answer(engine, request),
  };
}
