import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import type { ControlRequest } from "../../engine/control/protocol.ts";
import type { Project } from "../../host/project/project.ts";
import { redactorOf } from "../../host/project/secrets.ts";
import { takenUpAt } from "../../host/run/aftermath.ts";
import { because, EspalierError, EXIT, ok } from "../../ports/index.ts";
import type { Monitor, Reading } from "../../server/index.ts";
import type { Io } from "../io.ts";
import { createLiveModel, type LiveModel } from "../views/live-model.ts";
import { type Look, wantsColor } from "../views/look.ts";
import { createPaint } from "../views/paint.ts";
import { openScreen } from "../views/screen.ts";
import { taskView, taskViewFacts } from "../views/task-view.ts";
import { type Typed, typedLine, typeOn } from "../views/typed-line.ts";
import { choices, type WatchFacts, watchFrame } from "../views/watch-frame.ts";
import { readKeys, type WatchKey } from "../views/watch-keys.ts";
import { wordsFor } from "../views/words-for.ts";
import { budgetOf, copiesOf, runOf } from "./reading.ts";

/** Milliseconds for which what was worked out of documents and outputs is taken as it was. */
const SLOW = 2000;

/** A value that is worked out again when it is older than that. */
function remembered<T>(make: () => T): () => T {
  let value: T | undefined;
  let at = Number.NEGATIVE_INFINITY;
  return () => {
    const now = SYSTEM_CLOCK.monotonic();
    if (value === undefined || now - at > SLOW) {
      value = make();
      at = now;
    }
    return value;
  };
}

/** What the person looks at. */
interface Looking {
  chosen: string;
  detail: boolean;
  scroll: number;
  note: string;
  typed: Typed | undefined;
}

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

/** When the run was last taken up: the clock is that of the process that works on it, as its own view shows it. */
function clockOf(monitor: Monitor): { since(reading: Reading): number; takenUp(at: number): void } {
  let of: string | undefined;
  let since: number | undefined;
  return {
    since({ stored: { run } }) {
      if (of !== run.id) {
        const found = monitor.ask(store => ok(takenUpAt(store, run.id)));
        since = found.ok ? found.value : undefined;
        of = run.id;
      }
      return since ?? run.startedAt;
    },
    takenUp(at) {
      since = at;
    },
  };
}

/** Tells the model of attempts that began before anybody watched. */
function catchUp(model: LiveModel, { stored }: Reading): void {
  const [wall, now] = [SYSTEM_CLOCK.now(), SYSTEM_CLOCK.monotonic()];
  for (const { task, number: attempt, agent, startedAt } of stored.openAttempts) {
    if (model.working.get(task)?.attempt === attempt) continue;
    const event = { type: "attempt-started", task, attempt, agent } as const;
    model.hear({ seq: 0, at: startedAt, event }, now - Math.max(0, wall - startedAt));
  }
}

function detailLines(reading: Reading, id: string, monitor: Monitor, look: Look): string[] {
  const found = monitor.ask(store => store.attempts(reading.stored.run.id, id));
  const facts = taskViewFacts(reading, id, {
    attempts: found.ok ? (found.value ?? []) : [],
    file: reading.stored.run.file,
    maxAttempts: monitor.maxAttempts,
    now: SYSTEM_CLOCK.now(),
    attemptLog: attempt => monitor.log(id, attempt, 0)?.path,
  });
  return facts === undefined ? [] : taskView(facts, look);
}

/** The request a key stands for; undefined where it asks for nothing of the run. */
function requestOf(
  key: WatchKey,
  status: string | undefined,
  id: string,
  held: boolean,
): ControlRequest | undefined {
  if (key === "hold") return { method: "hold", held: !held, by: "espalier watch" };
  if (status === undefined || (key !== "retry" && key !== "pause")) return undefined;
  const rests = status === "paused" || status === "waiting";
  const action = key === "retry" ? "retry" : rests ? "resume" : "pause";
  return { method: "act", action, task: id, note: "", by: "espalier watch" };
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
  const looking: Looking = { chosen: "", detail: false, scroll: 0, note: "", typed: undefined };
  const end = Promise.withResolvers<number>();

  const draw = (columns: number, rows: number): readonly string[] => {
    const look: Look = { words, paint, width: Math.max(1, columns - 1) };
    const reading = current.get();
    if (reading === undefined) return [` ${words.watch.noRun}`];
    if (looking.detail) {
      const lines = detailLines(reading, looking.chosen, monitor, look);
      looking.scroll = Math.max(0, Math.min(looking.scroll, lines.length - rows + 3));
      const shown = lines.slice(looking.scroll, looking.scroll + rows - 3);
      const { typed } = looking;
      const keys = typed === undefined ? words.watch.detailKeys : words.watch.typingKeys;
      const said = typed === undefined ? ` ${looking.note}` : typedLine(typed, look);
      return [...shown, said, ` ${keys}`.slice(0, look.width)];
    }
    const run = runOf(reading, monitor);
    catchUp(model, reading);
    model.keep(task => run.byId.get(task)?.status === "in_progress");
    const all = choices(run);
    const chosen = run.byId.get(looking.chosen) ?? all[0];
    looking.chosen = chosen?.task.id ?? "";
    const [now, monotonic] = [SYSTEM_CLOCK.now(), SYSTEM_CLOCK.monotonic()];
    const until = run.ended === undefined ? now : reading.stored.run.updatedAt;
    const began = monotonic - Math.max(0, until - clock.since(reading));
    const facts: WatchFacts = {
      run,
      model,
      moment: { now, monotonic, began, rows },
      live: monitor.link().live,
      held: monitor.link().held,
      budget: budget().facts,
      copies: copies(),
      chosen,
      note: looking.note,
      typed: looking.typed,
    };
    return watchFrame(facts, look);
  };

  const move = (by: number) => {
    const reading = current.get();
    if (looking.detail) looking.scroll = Math.max(0, looking.scroll + by);
    else if (reading !== undefined) {
      const all = choices(runOf(reading, monitor)).map(state => state.task.id);
      const at = all.indexOf(looking.chosen) + by;
      looking.chosen = all[Math.max(0, Math.min(all.length - 1, at))] ?? "";
    }
  };
  const statusOf = (id: string) => current.get()?.stored.tasks.find(row => row.id === id)?.status;
  const ask = async (request: ControlRequest) => {
    const reply = await monitor.act(request);
    looking.note = reply?.message ?? words.watch.notRunning;
    screen.changed();
  };
  const act = async (key: WatchKey) => {
    const request = requestOf(key, statusOf(looking.chosen), looking.chosen, monitor.link().held);
    if (request !== undefined) await ask(request);
  };
  const beginTyping = () => {
    const { chosen: task } = looking;
    if (!monitor.link().live) looking.note = words.watch.notRunning;
    else if (statusOf(task) === "in_progress") looking.typed = { task, text: "" };
    else looking.note = words.reason(because("not-at-work", { task }));
  };
  const type = ({ task, text: before }: Typed, bytes: string) => {
    const typing = typeOn(before, bytes);
    looking.typed = typing.kind === "open" ? { task, text: typing.text } : undefined;
    if (typing.kind === "send" && typing.text !== "")
      void ask({ method: "tell", task, text: typing.text, by: "espalier watch" });
    screen.changed();
  };
  const press = (key: WatchKey) => {
    looking.note = "";
    if (key === "quit") end.resolve(EXIT.done);
    else if (key === "tell") beginTyping();
    else if (key === "up" || key === "down") move(key === "up" ? -1 : 1);
    else if (key === "open" || key === "back") {
      looking.detail = key === "open";
      looking.scroll = 0;
    } else void act(key);
    screen.changed();
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
    onInput(bytes) {
      if (looking.typed !== undefined) {
        type(looking.typed, bytes);
        return;
      }
      for (const key of readKeys(bytes)) {
        press(key);
        // What came with it are words, not keys.
        if (key === "tell") return;
      }
    },
  });
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
    screen.close();
  });
}
