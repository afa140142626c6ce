import { unheardBy } from "../context/library/index.ts";
import { type AttemptRow, because, type RunEvent } from "../ports/index.ts";
import { firstLine } from "../text/index.ts";
import { keptWork } from "./attempt/index.ts";

/** Messages of a person that may wait for the end of one turn. */
export const MOST_WORDS = 20;

/** What a person has said to an attempt under way. */
export interface Said {
  /** How many messages wait. */
  readonly size: number;
  /** Has one more message wait. */
  add(word: string): void;
  /** What has waited, for the turn that tells it. */
  take(): readonly string[];
}

/**
 * What is said to an attempt: `note` is told what waits, whenever that changes, for whoever finds the attempt after a crash. What was said
 * to `before`, whose work this one brings home, waits for the next turn of its agent too.
 */
export function createSaid(before: AttemptRow | undefined, note: (waiting: string) => void): Said {
  const waiting = before === undefined ? "" : unheardBy(before);
  const words = waiting === "" ? [] : [waiting];
  const changed = () => note(words.join("\n"));
  return {
    get size() {
      return words.length;
    },
    add(word) {
      words.push(word);
      changed();
    },
    take() {
      const taken = words.splice(0);
      if (taken.length > 0) changed();
      return taken;
    },
  };
}

/** An attempt with what waits to be told to its agent, which is nothing where it is empty. */
export function withUnheard(row: AttemptRow, waiting: string): AttemptRow {
  const { unheard: _, ...heard } = row;
  return waiting === "" ? heard : { ...heard, unheard: waiting };
}

/** An ended attempt with what its agent did not hear any more, for whoever does; what nobody is to hear is told. */
export function withLate(
  row: AttemptRow,
  late: readonly string[],
  tell: (events: readonly RunEvent[]) => void,
): AttemptRow {
  const unheard = withUnheard(row, late.join("\n"));
  // The attempt that brings its work home may have no agent to tell.
  if (keptWork(row) !== undefined) return unheard;
  const again = row.outcome !== "done";
  for (const word of late) {
    const message = because("word-late", { said: firstLine(word, 200), again });
    tell([{ type: "warning", code: "TOLD_TOO_LATE", message, task: row.task }]);
  }
  return again ? unheard : withUnheard(row, "");
}
