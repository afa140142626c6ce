import type { TailLine, VoiceMessage } from "./shapes/stream.ts";
import { LINE, shown } from "./shown.ts";

/** Lines of a task that are kept for whoever opens it. */
const KEPT = 300;

interface Voice {
  attempt: number;
  count: number;
  lines: TailLine[];
  /** How many lines had been told at the last `take`. */
  told: number;
}

/** What agents say right now: bounded, and told in portions however fast they talk. */
export interface Voices {
  /** Takes a line; constant time. */
  line(task: string, attempt: number, text: string): void;
  /** Drops the lines of a task that has ended. */
  forget(task: string): void;
  /** What was said since the last call: the last line of each task, and the new lines of any one task. */
  take(): { readonly last: Record<string, string>; linesOf(task: string | undefined): VoiceMessage };
  /** All lines kept of a task. */
  tail(task: string | undefined): VoiceMessage | undefined;
}

/** Nobody has spoken yet. */
export function createVoices(): Voices {
  const voices = new Map<string, Voice>();
  const loud = new Set<string>();
  return {
    line(task, attempt, text) {
      let voice = voices.get(task);
      if (voice === undefined || voice.attempt !== attempt) {
        voice = { attempt, count: 0, lines: [], told: 0 };
        voices.set(task, voice);
      }
      voice.lines.push({ n: ++voice.count, text: shown(text, LINE) });
      if (voice.lines.length > KEPT * 2) voice.lines.splice(0, KEPT);
      loud.add(task);
    },
    forget(task) {
      voices.delete(task);
      loud.delete(task);
    },
    take() {
      const last: [string, string][] = [];
      const fresh = new Map<string, VoiceMessage>();
      for (const task of loud) {
        const voice = voices.get(task)!;
        last.push([task, voice.lines.at(-1)?.text ?? ""]);
        const since = voice.told;
        fresh.set(task, { attempt: voice.attempt, lines: voice.lines.filter(line => line.n > since) });
        voice.told = voice.count;
      }
      loud.clear();
      return { last: Object.fromEntries(last), linesOf: task => (task && fresh.get(task)) || {} };
    },
    tail(task) {
      const voice = task === undefined ? undefined : voices.get(task);
      return voice && { attempt: voice.attempt, lines: voice.lines.slice(-KEPT) };
    },
  };
}
