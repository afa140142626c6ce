import { isForeground } from "../../adapters/process/index.ts";
import { insideMonitor } from "../../host/monitor/inside.ts";
import { readingMonitor } from "../../host/monitor/reading.ts";
import { isElsewhere } from "../../host/project/invocation.ts";
import type { Running } from "../../host/run/conduct.ts";
import type { Io } from "../io.ts";
import { openKeyboard } from "../views/terminal/keyboard.ts";
import { wordsFor } from "../views/words/words-for.ts";
import { detailLines } from "./detail.ts";
import { placeWorkers } from "./reading.ts";
import { remembered } from "./remembered.ts";
import { createSteering, type Steering } from "./steering.ts";

/** What a terminal sends for its signals while keys are read: they stay signals. */
const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  "\u0003": "SIGINT",
  "\u001c": "SIGQUIT",
  "\u001a": "SIGTSTP",
};

/** What a terminal sent, each key for a signal by itself: a busy process reads several at once. */
export function apartFromSignals(bytes: string): readonly string[] {
  return bytes.split(/([\u0003\u001a\u001c])/u).filter(part => part !== "");
}

export interface KeysBeside extends Pick<Steering, "frame"> {
  close(): void;
}

/**
 * The keys of `espalier watch` beside the picture of a run in its own terminal. What stops a process stops this one, too;
 * in the background nothing is read, which would stop it there.
 */
export function keysBeside(io: Io, { session, engine, around }: Running, changed: () => void): KeysBeside {
  const words = wordsFor(session.project.locale);
  const { liveKeys, liveKeysShort, liveDetailKeys } = words.watch;
  const monitor = insideMonitor(readingMonitor(session.project, io.env), session.project, engine, around);
  let isRead = false;
  const steering = createSteering({
    monitor,
    words,
    by: "the live view",
    keys: () =>
      isRead ? [liveKeys, liveKeysShort, liveDetailKeys] : [words.hint, words.hintShort, words.hint],
    detail: (task, look) => {
      const found = monitor.read();
      return found.ok && found.value !== undefined ? detailLines(found.value, task, monitor, look) : [];
    },
    besides: () => ({ budget: undefined, copies: [] }),
    changed,
    quit: () => words.hintShort,
  });
  let closeKeyboard = () => {};
  const press = (keys: string) => {
    const signal = SIGNALS[keys];
    if (signal === undefined) steering.input(keys);
    else {
      if (signal !== "SIGINT") closeKeyboard();
      process.kill(process.pid, signal);
    }
  };
  const open = () => {
    closeKeyboard();
    isRead = isForeground();
    if (isRead) closeKeyboard = openKeyboard(io.stdin, bytes => apartFromSignals(bytes).forEach(press));
    changed();
  };
  process.on("SIGCONT", open);
  open();
  const stored = remembered(() => {
    const found = monitor.read();
    return found.ok ? found.value?.stored : undefined;
  });
  return {
    frame(run, model, moment, look) {
      const now = isElsewhere(session.invocation) ? stored() : undefined;
      if (now !== undefined) placeWorkers(model, now, words);
      return steering.frame(run, model, moment, look);
    },
    close() {
      process.off("SIGCONT", open);
      closeKeyboard();
      monitor.close();
    },
  };
}
