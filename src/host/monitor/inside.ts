import { replyWith } from "../../engine/control/protocol.ts";
import type { Subscribe } from "../../engine/control/server.ts";
import type { Engine, Questions } from "../../engine/index.ts";
import { because } from "../../ports/index.ts";
import { answer, type Beside } from "../control/answer.ts";
import type { ReadingMonitor } from "./reading.ts";
import type { Monitor } from "./types.ts";

/** What stands around an engine that others look at. */
export interface Surroundings extends Beside {
  readonly questions: Questions;
  readonly redact: (text: string) => string;
}

/**
 * The events of an engine as others may hear them: raw lines of agents are masked, everything else is already. Whoever
 * begins to listen is told first of the questions that wait.
 */
export function heardOutside(
  engine: Engine,
  { questions, redact }: Pick<Surroundings, "questions" | "redact">,
): Subscribe {
  return listener => {
    for (const event of questions.pending()) listener({ seq: 0, at: Date.now(), event });
    return engine.listen(stamped => {
      const { event } = stamped;
      if (event.type !== "attempt-line") listener(stamped);
      else listener({ ...stamped, event: { ...event, text: redact(event.text) } });
    });
  };
}

/** The monitor of the process that runs the project itself. */
export function insideMonitor(reading: ReadingMonitor, engine: Engine, around: Surroundings): Monitor {
  return {
    ...reading,
    link: () => ({ live: true, held: engine.run.held, asked: around.questions.pending() }),
    follow: heardOutside(engine, around),
    attend: around.questions.attend,
    act: request => answer(engine, request, around),
    goOn: () => Promise.resolve(replyWith(false, because("runs-already", {}))),
  };
}
