import type { Clock, PermissionAnswer, PermissionQuestion, RunEvent } from "../ports/index.ts";
import type { Ask } from "./attempt/execution.ts";

/** What agents ask, until a person answers or time is up. */
export interface Questions {
  /** How a session of an attempt asks. */
  asker(task: string, attempt: number): Ask;
  /** Answers a question by its number: undefined when it is none, or has been answered. `by` is who did. */
  answer(id: number, allowed: boolean, by: string): Asked | undefined;
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

/** How long questions wait, and which are answered already. */
export interface QuestionRules {
  /** Milliseconds a person has to answer; with 0 only one who is there is asked, for five minutes. */
  readonly patienceMs: number;
  /** Whether a person has allowed this for good. */
  readonly allows?: (question: PermissionQuestion) => boolean;
}

/** Milliseconds a person who is there has to answer at least. */
const ATTENDED = 5 * 60_000;
/** Questions that may be open at once; an agent that floods is answered by nobody. */
const MOST = 100;

const NOBODY: PermissionAnswer = { answer: "rejected", by: "nobody" };

/** Nobody asks yet. `tell` publishes a question, and its end. */
export function createQuestions(
  clock: Clock,
  tell: (event: RunEvent) => void,
  { patienceMs, allows }: QuestionRules,
): Questions {
  const open = new Map<number, Open>();
  let last = 0;
  let present = 0;

  const ask = (task: string, attempt: number, { kind, title }: PermissionQuestion, over: AbortSignal) => {
    const id = ++last;
    const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
    const settle = (answer: PermissionAnswer, by: string) => {
      cancel();
      over.removeEventListener("abort", leave);
      open.delete(id);
      tell({ type: "answered", task, id, allowed: answer.answer === "allowed", by });
      resolve(answer);
    };
    const cancel = clock.after(present > 0 ? Math.max(patienceMs, ATTENDED) : patienceMs, () =>
      settle(NOBODY, ""),
    );
    const leave = () => settle(NOBODY, "");
    over.addEventListener("abort", leave);
    const asked: Asked = { type: "asked", task, attempt, id, kind, title };
    open.set(id, { asked, settle });
    tell(asked);
    return promise;
  };

  return {
    asker(task, attempt) {
      // One that waited for nobody once would wait as long for each of its commands.
      let isAlone = patienceMs === 0;
      return async (question, over) => {
        if (allows?.(question) === true) return { answer: "allowed", by: "person" };
        if ((isAlone && present === 0) || open.size >= MOST || over.aborted) return NOBODY;
        const answer = await ask(task, attempt, question, over);
        isAlone ||= answer.by === "nobody";
        return answer;
      };
    },
    answer(id, allowed, by) {
      const found = open.get(id);
      found?.settle({ answer: allowed ? "allowed" : "rejected", by: "person" }, by);
      return found?.asked;
    },
    pending: () => [...open.values()].map(one => one.asked),
    attend() {
      present++;
      return () => {
        present--;
      };
    },
  };
}
