import type { AgentFailure } from "../../ports/index.ts";
import { callAfter } from "../process/index.ts";
import { type Complaint, complaintFailure } from "./complaint.ts";

/** Milliseconds an agent may go on trying against what trying does not mend. */
const PATIENCE_MS = 20_000;
/** What only time or a person mends. */
const HOPELESS: ReadonlySet<AgentFailure["kind"]> = new Set(["quota", "auth", "budget"]);

/** The obstacle an agent meets, as long as it does not get on. */
export interface Obstacle {
  /** It says what stands against it, and tries again by itself. */
  meet(complaint: Omit<Complaint, "agent">): AgentFailure;
  /** It gets on, or its turn is over. */
  clear(): void;
  /** Why it does not get on; undefined when it does. */
  readonly failure: AgentFailure | undefined;
}

/** Keeps the obstacle of one turn. `giveUp` is called once it has lasted and only time or a person could mend it. */
export function createObstacle(
  agent: string,
  giveUp: () => void,
  patienceMs: number = PATIENCE_MS,
): Obstacle {
  let failure: AgentFailure | undefined;
  let stop: (() => void) | undefined;
  return {
    meet(complaint) {
      failure = complaintFailure({ ...complaint, agent }, Date.now());
      if (HOPELESS.has(failure.kind)) stop ??= callAfter(patienceMs, giveUp);
      return failure;
    },
    clear() {
      failure = undefined;
      stop?.();
      stop = undefined;
    },
    get failure() {
      return failure;
    },
  };
}
