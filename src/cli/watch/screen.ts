import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import type { Project } from "../../host/project/project.ts";
import { redactorOf } from "../../host/project/secrets.ts";
import type { Stretch } from "../../host/run/aftermath.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import type { Monitor, Reading } from "../../server/index.ts";
import type { Io } from "../io.ts";
import { createLiveModel, type LiveModel } from "../views/live/live-model.ts";
import { type Look, wantsColor } from "../views/look.ts";
import { createPaint } from "../views/terminal/paint.ts";
import { openScreen } from "../views/terminal/screen.ts";
import type { Words } from "../views/words/words.ts";
import { wordsFor } from "../views/words/words-for.ts";
import { detailLines } from "./detail.ts";
import { budgetOf, copiesOf, machinesHeard, placeWorkers, runOf, stretchOf } from "./reading.ts";
import { remembered } from "./remembered.ts";
import { createSteering } from "./steering.ts";

/** The reading a picture is made of, read again after the state has changed. */
function currentReading(monitor: Monitor): { get(): Reading | undefined; forget(): void } {
  let fresh = false;
  let reading: Reading | undefined;
  return {
    get() {
      if (!fresh) {
        const found = monitor.read();
        if (!found.ok)
          throw new EspalierError("STATE_UNREADABLE", found.failure, { exitCode: EXIT.environment });
        reading = found.value;
        fresh = true;
      }
      return reading;
    },
    forget() {
      fresh = false;
    },
  };
}

/** When the run was last taken up and ended: the clock is that of the process that works on it, as its own view shows it. */
function clockOf(monitor: Monitor): { stretch(reading: Reading): Stretch; takenUp(at: number): void } {
  let of: string | undefined;
  let last: Stretch = {};
  return {
    stretch({ stored: { run, lastSeq } }) {
      const isAtWork = run.state === "running" && monitor.link().live;
      const moment = isAtWork ? run.id : `${run.id} ${lastSeq}`;
      if (of !== moment) {
        last = stretchOf(monitor, run);
        of = moment;
      }
      return last;
    },
    takenUp(at) {
      last = { from: at };
    },
  };
}

/** Tells the model of attempts that began before anybody watched. */
function catchUp(model: LiveModel, { stored }: Reading, words: Words): void {
  const [wall, now] = [SYSTEM_CLOCK.now(), SYSTEM_CLOCK.monotonic()];
  for (const { task, number: attempt, agent, startedAt } of stored.openAttempts) {
    if (model.working.get(task)?.attempt === attempt) continue;
    const event = { type: "attempt-started", task, attempt, agent } as const;
    model.hear({ seq: 0, at: startedAt, event }, now - Math.max(0, wall - startedAt));
  }
  placeWorkers(model, stored, words);
}

/** Shows the run on a screen of its own until the person leaves; returns the exit code. */
export function watchOnScreen(io: Io, project: Project, monitor: Monitor): Promise<number> {
  const words = wordsFor(project.locale);
  const paint = createPaint(wantsColor(io.stdout, io.env));
  const model = createLiveModel(words, redactorOf(io.env, project.root));
  const current = currentReading(monitor);
  const clock = clockOf(monitor);
  const budget = remembered(() => ({ facts: budgetOf(monitor) }));
  const copies = remembered(() => copiesOf(monitor));
  const machines = machinesHeard(monitor, () => screen.changed());
  const end = Promise.withResolvers<number>();
  const steering = createSteering({
    monitor,
    words,
    by: "espalier watch",
    keys: () => [words.watch.keys, words.watch.keysShort, words.watch.detailKeys],
    detail(task, look) {
      const reading = current.get();
      return reading === undefined ? [] : detailLines(reading, task, monitor, look);
    },
    besides: () => ({ budget: budget().facts, copies: copies(), machines: machines() }),
    changed: () => screen.changed(),
    quit() {
      end.resolve(EXIT.done);
      return "";
    },
  });

  const draw = (columns: number, rows: number): readonly string[] => {
    const look: Look = { words, paint, width: Math.max(1, columns - 1) };
    const reading = current.get();
    if (reading === undefined) return [` ${words.watch.noRun}`];
    const run = runOf(reading, monitor);
    catchUp(model, reading, words);
    model.keep(task => run.byId.get(task)?.status === "in_progress");
    const [now, monotonic] = [SYSTEM_CLOCK.now(), SYSTEM_CLOCK.monotonic()];
    const { startedAt, updatedAt } = reading.stored.run;
    const { from = startedAt, to = updatedAt } = clock.stretch(reading);
    const until = run.ended === undefined ? now : to;
    const began = monotonic - Math.max(0, until - from);
    return steering.frame(run, model, { now, monotonic, began, rows }, look);
  };

  const screen = openScreen({
    stdout: io.stdout,
    stdin: io.stdin,
    clock: SYSTEM_CLOCK,
    draw(columns, rows) {
      try {
        return draw(columns, rows);
      } catch (error) {
        end.reject(error as Error);
        return [];
      }
    },
    onInput: steering.input,
  });
  const goAway = monitor.attend();
  const leave = monitor.follow(news => {
    if (news !== "changed") {
      model.hear(news, SYSTEM_CLOCK.monotonic());
      if (news.event.type === "run-started") clock.takenUp(news.at);
    }
    if (news === "changed" || news.event.type !== "attempt-line") current.forget();
    screen.changed();
  });
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const)
    process.once(signal, () => end.resolve(EXIT.done));
  return end.promise.finally(() => {
    leave();
    goAway();
    screen.close();
  });
}
