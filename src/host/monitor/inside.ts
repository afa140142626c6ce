import { replyWith } from "../../engine/control/protocol.ts";
import type { Subscribe } from "../../engine/control/server.ts";
import type { Engine, Questions } from "../../engine/index.ts";
import { because } from "../../ports/index.ts";
import { answer, type Beside } from "../control/answer.ts";
import type { Project } from "../project/project.ts";
import type { ReadingMonitor } from "./reading.ts";
import { createStateTrace, LOOK } from "./state-trace.ts";
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

/** The monitor of the process that runs the project itself. What it keeps without an event of the run is noticed in the state. */
export function insideMonitor(
  reading: ReadingMonitor,
  { stateDir }: Project,
  engine: Engine,
  around: Surroundings,
): Monitor {
  const hear = heardOutside(engine, around);
  return {
    ...reading,
    link: () => ({ live: true, held: engine.run.held, asked: around.questions.pending() }),
    follow(listener) {
      const leave = hear(listener);
      const hasMoved = createStateTrace(stateDir);
      const timer = setInterval(() => hasMoved() && listener("changed"), LOOK).unref();
      return () => {
        clearInterval(timer);
        leave();
      };
    },
    attend: around.questions.attend,
    act: request => answer(engine, request, around),
    goOn: () => Promise.resolve(replyWith(false, because("runs-already", {}))),
  };
}
