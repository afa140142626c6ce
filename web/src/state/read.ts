import { useEffect, useRef, useState } from "react";
import { useWords } from "../words/use-words.ts";
import { ApiError, failureText, read } from "./api.ts";
import { useRun } from "./run.ts";

/** What was asked for: while it loads again the old answer stays. */
export interface Answer<T> {
  readonly value: T | undefined;
  readonly error: string | undefined;
}

/** Milliseconds between two questions at least. */
const PAUSE = 400;

/**
 * Reads one thing of the API, and again when the run has moved: at once after a pause, no sooner than `pause` after the
 * last time however fast it moves. An empty path reads nothing.
 */
export function useRead<T>(
  path: string,
  query: Record<string, string | number> = {},
  pause: number = PAUSE,
): Answer<T> {
  const moved = useRun(
    ({ events, line, shape, context }) => `${events.at(-1)?.seq ?? 0} ${line} ${shape?.locale} ${context}`,
  );
  const { silent } = useWords();
  const key = path === "" ? "" : JSON.stringify([path, query]);
  const [answer, setAnswer] = useState<Answer<T> & { readonly key: string }>({
    key: "",
    value: undefined,
    error: undefined,
  });
  const began = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for path and query
  useEffect(() => {
    if (key === "") return;
    let gone = false;
    const load = () => {
      began.current = performance.now();
      read<T>(path, query).then(
        value => !gone && setAnswer({ key, value, error: undefined }),
        (error: unknown) => {
          if (gone) return;
          const failed = { key, value: undefined, error: failureText(error, silent) };
          // That nobody answers, or takes this tab's key, stands above every view: below it stays what was said last.
          const isRefused = error instanceof ApiError && error.status !== 401;
          setAnswer(last => (isRefused || last.key !== key || last.value === undefined ? failed : last));
        },
      );
    };
    const due = answer.key === key ? began.current + pause - performance.now() : 0;
    const timer = setTimeout(load, Math.max(0, due));
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [key, moved]);
  return answer.key === key ? answer : { value: undefined, error: undefined };
}
