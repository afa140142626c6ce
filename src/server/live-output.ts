import { isSignal } from "../text/index.ts";
import type { OutputMessage, TailLine } from "./shapes/stream.ts";
import { LINE, shown } from "./shown.ts";

/** Lines of a task that are kept for whoever opens it. */
const KEPT = 300;

interface TaskOutput {
  attempt: number;
  count: number;
  lines: TailLine[];
  /** The last line that says anything. */
  last: string;
  /** How many lines had been told at the last `take`. */
  told: number;
}

/** What agents say right now: bounded, and told in portions however fast they talk. */
export interface LiveOutput {
  /** Takes a line; one by which its agent reports is for us and told to nobody. Constant time. */
  line(task: string, attempt: number, text: string): void;
  /** Drops the lines of a task that has ended. */
  forget(task: string): void;
  /** What was said since the last call: the last line of each task, and the new lines of any one task. */
  take(): { readonly last: Record<string, string>; linesOf(task: string | undefined): OutputMessage };
  /** The last words of every task that has said something. */
  last(): Record<string, string>;
  /** All lines kept of a task. */
  tail(task: string | undefined): OutputMessage | undefined;
}

/** Nobody has spoken yet. */
export function createLiveOutput(): LiveOutput {
  const outputs = new Map<string, TaskOutput>();
  const loud = new Set<string>();
  return {
    line(task, attempt, text) {
      let output = outputs.get(task);
      if (output === undefined || output.attempt !== attempt) {
        output = { attempt, count: 0, lines: [], last: "", told: 0 };
        outputs.set(task, output);
      }
      if (isSignal(text)) return;
      const line = shown(text, LINE);
      output.lines.push({ n: ++output.count, text: line });
      if (line.trim() !== "") output.last = line;
      if (output.lines.length > KEPT * 2) output.lines.splice(0, KEPT);
      loud.add(task);
    },
    forget(task) {
      outputs.delete(task);
      loud.delete(task);
    },
    take() {
      const last: [string, string][] = [];
      const fresh = new Map<string, OutputMessage>();
      for (const task of loud) {
        const output = outputs.get(task)!;
        if (output.last !== "") last.push([task, output.last]);
        const since = output.told;
        fresh.set(task, { attempt: output.attempt, lines: output.lines.filter(line => line.n > since) });
        output.told = output.count;
      }
      loud.clear();
      return { last: Object.fromEntries(last), linesOf: task => (task && fresh.get(task)) || {} };
    },
    last: () =>
      Object.fromEntries([...outputs].flatMap(([task, { last }]) => (last === "" ? [] : [[task, last]]))),
    tail(task) {
      const output = task === undefined ? undefined : outputs.get(task);
      return output && { attempt: output.attempt, lines: output.lines.slice(-KEPT) };
    },
  };
}
