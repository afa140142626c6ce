import type { Clock, PermissionAnswer, PermissionQuestion, RunEvent } from "../ports/index.ts";

/** What agents ask while somebody is there to answer. */
export interface Questions {
  /** How an attempt asks; absent while nobody is there, so that its agent is answered at once. */
  asker(
    task: string,
    attempt: number,
  ): ((question: PermissionQuestion) => Promise<PermissionAnswer>) | undefined;
  /** Answers a question by its number; false when it is none, or has been answered. `by` is who did. */
  answer(id: number, allowed: boolean, by: string): boolean;
  /** The questions that wait, oldest first. */
  pending(): Asked[];
  /** Somebody is there from now on; the returned function says that they have left. */
  attend(): () => void;
}

/** A question as people are told of it. */
export type Asked = Extract<RunEvent, { type: "asked" }>;

interface Open {
  readonly asked: Asked;
  settle(answer: PermissionAnswer, by: string): void;
}

/** Milliseconds a person has to answer. */
const PATIENCE = 5 * 60_000;
/** Questions that may be open at once; an agent that floods is answered by nobody. */
const MOST = 100;

const NOBODY: PermissionAnswer = { answer: "rejected", by: "nobody" };

/** Nobody asks yet. `tell` publishes a question, and its end. */
export function createQuestions(clock: Clock, tell: (event: RunEvent) => void): Questions {
  const open = new Map<number, Open>();
  let last = 0;
  let present = 0;

  const ask = (task: string, attempt: number, { kind, title }: PermissionQuestion) => {
    if (present === 0 || open.size >= MOST) return Promise.resolve(NOBODY);
    const id = ++last;
    const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
    const settle = (answer: PermissionAnswer, by: string) => {
      cancel();
      open.delete(id);
      tell({ type: "answered", task, id, allowed: answer.answer === "allowed", by });
      resolve(answer);
    };
    const cancel = clock.after(PATIENCE, () => settle(NOBODY, ""));
    const asked: Asked = { type: "asked", task, attempt, id, kind, title };
    open.set(id, { asked, settle });
    tell(asked);
    return promise;
  };

  return {
    asker: (task, attempt) => (present === 0 ? undefined : question => ask(task, attempt, question)),
    answer(id, allowed, by) {
      const found = open.get(id);
      found?.settle({ answer: allowed ? "allowed" : "rejected", by: "person" }, by);
      return found !== undefined;
    },
    pending: () => [...open.values()].map(one => one.asked),
    attend() {
      present++;
      return () => {
        present--;
        if (present === 0) for (const one of open.values()) one.settle(NOBODY, "");
      };
    },
  };
}
