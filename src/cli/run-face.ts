import { maskedValues } from "../host/project/secrets.ts";
import type { Face, RunEnd, Running } from "../host/run/conduct.ts";
import type { StampedEvent } from "../ports/index.ts";
import { eventText } from "../text/index.ts";
import { type Io, isInteractive, say, sayJsonLine } from "./io.ts";
import { lastFacts, lastJson } from "./last-block.ts";
import { type PageWish, pageBeside } from "./page.ts";
import { onSignals } from "./signals.ts";
import { lookOf, wantsColor } from "./views/look.ts";
// Whoever updates the package during a run takes away what is not loaded by then.
import { reportView } from "./views/report.ts";
import { createPlainView } from "./views/terminal/plain.ts";

/** What shows a run to the person who started it. */
interface Views {
  event(event: StampedEvent): void;
  /** A stop was asked for. */
  stopping(): void;
  close(): void;
  /** The last word: what became of the tasks and what to do next. */
  report(end: RunEnd): Promise<void>;
}

const NOTHING = { stopping: () => {}, close: () => {} };

function jsonViews(io: Io, { engine, session, world, aftermath }: Running): Views {
  return {
    ...NOTHING,
    event: ({ seq, at, event }) => {
      if (event.type !== "attempt-line")
        sayJsonLine(io, { seq, at, ...eventText(event, "en") }, maskedValues(world.redact));
    },
    async report() {
      const { run } = engine;
      const facts = lastFacts(session.project, run, 0, await aftermath());
      sayJsonLine(io, lastJson(session.runId, facts, run.counts), maskedValues(world.redact));
    },
  };
}

async function showReport(io: Io, { engine, session, aftermath }: Running, ms: number): Promise<void> {
  const facts = lastFacts(session.project, engine.run, ms, await aftermath());
  for (const line of reportView(facts, lookOf(io.stdout, io.env, session.project.locale))) say(io, line);
}

/** The live view on a terminal, plain log lines elsewhere, one JSON object a line with `--json`. */
async function createViews(io: Io, running: Running, isJson: boolean): Promise<Views> {
  const { engine, world, options, session } = running;
  if (isJson) return jsonViews(io, running);
  const began = world.clock.monotonic();
  // The run is over before its process leaves: a page may keep that open for as long as a person looks.
  let over: number | undefined;
  engine.listen(({ event: { type } }) => {
    if (type === "run-ended") over = world.clock.monotonic();
    if (type === "dispatched") over = undefined;
  });
  const report = () => showReport(io, running, (over ?? world.clock.monotonic()) - began);
  const plain = createPlainView({
    write: text => void io.stdout.write(text),
    messages: options.messages,
    redact: world.redact,
  });
  if (!isInteractive(io)) return { ...NOTHING, event: plain.event, report };
  const { createLiveView } = await import("./views/live/live.ts");
  const { keysBeside } = await import("./watch/beside.ts");
  let event = (stamped: StampedEvent) => live.event(stamped);
  // The first picture is drawn before anything can be typed.
  let changed = () => {};
  const keys = keysBeside(io, running, () => changed());
  const live = createLiveView({
    stdout: io.stdout,
    run: engine.run,
    messages: session.project,
    clock: world.clock,
    color: wantsColor(io.stdout, io.env),
    redact: world.redact,
    frame: keys.frame,
    onProblem: () => {
      keys.close();
      event = plain.event;
    },
  });
  changed = live.changed;
  return {
    event: stamped => event(stamped),
    stopping: live.stopping,
    close() {
      live.close();
      keys.close();
    },
    report,
  };
}

/** Shows a run on the terminal and, where it is wanted, on a page; signals stop it. */
export async function showRun(
  io: Io,
  running: Running,
  wishes: PageWish & { readonly json: boolean },
): Promise<Face> {
  const { engine } = running;
  const page = await pageBeside(io, running, wishes);
  const views = await createViews(io, running, wishes.json);
  engine.listen(views.event);
  const release = onSignals((by, how) => {
    views.stopping();
    void engine.send({ type: "stop", by, how });
  });
  return {
    async ended() {
      release();
      views.close();
    },
    report: views.report,
    async close() {
      await page?.close();
    },
  };
}
