import { stripVTControlCharacters } from "node:util";
import type { Clock, StampedEvent } from "../../../ports/index.ts";
import type { RunState } from "../../../run/index.ts";
import type { Messages } from "../../../text/index.ts";
import { createPaint } from "../terminal/paint.ts";
import { textWidth } from "../terminal/width.ts";
import { wordsFor } from "../words/words-for.ts";
import { liveFrame } from "./live-frame.ts";
import { createLiveModel } from "./live-model.ts";

/** A picture of the run that stays at the bottom of the terminal until it is closed. */
export interface LiveView {
  /** Takes one event of the engine; never throws, never draws at once. */
  event(event: StampedEvent): void;
  /** Asks for a redraw soon. */
  changed(): void;
  /** Shows that a stop was asked for. */
  stopping(): void;
  /** Removes the picture and gives the terminal back. Idempotent. */
  close(): void;
}

export interface LiveOptions {
  readonly stdout: NodeJS.WriteStream;
  /** Read at each redraw; the view changes nothing in it. */
  readonly run: RunState;
  readonly messages: Pick<Messages, "locale">;
  readonly clock: Clock;
  readonly color: boolean;
  /** Masks known secrets in what agents print. */
  readonly redact: (text: string) => string;
  /** Draws the picture in place of the usual one. */
  readonly frame?: ((...facts: Parameters<typeof liveFrame>) => readonly string[]) | undefined;
  /** Hears why the picture could not be drawn; the view has closed itself by then. */
  readonly onProblem: (error: unknown) => void;
}

/** Least milliseconds between two redraws. */
const FRAME = 100;
/** Milliseconds between redraws while nothing happens: the clocks go on. */
const TICK = 1000;
/** Drawing takes at most about this share of the time. */
const WORK_SHARE = 0.2;

/** Hides and shows the cursor. */
const HIDE = "\x1b[?25l";
const SHOW = "\x1b[?25h";

/** Goes back to the beginning of what was drawn: the cursor rests in the line below it, behind what somebody typed there. */
function back(lines: readonly string[]): string {
  return lines.length === 0 ? "\r" : `\r\x1b[${lines.length}A`;
}

/** Columns and rows as they are now: the stream itself hears of a change only later. */
function sizeOf(stdout: NodeJS.WriteStream): readonly [columns: number, rows: number] {
  const [columns, rows] = stdout.getWindowSize?.() ?? [stdout.columns, stdout.rows];
  return [columns > 0 ? columns : 80, rows > 0 ? rows : 24];
}

/** Draws lines over the ones before, as one picture where the terminal knows how. */
function redraw(before: readonly string[], lines: readonly string[]): string {
  return `\x1b[?2026h${back(before)}${lines.map(text => `${text}\x1b[K\n`).join("")}\x1b[J\x1b[?2026l`;
}

/** Moves the cursor up over the rows a frame gained when a narrower terminal broke its lines, and empties them. */
function eraseBroken(lines: readonly string[], columns: number): string {
  let rows = 0;
  for (const line of lines)
    rows += Math.max(0, Math.ceil(textWidth(stripVTControlCharacters(line)) / columns) - 1);
  return "\x1b[2K\x1b[1A".repeat(rows);
}

/**
 * Opens the live view. Input is left alone: keys beside it are the caller's, as is what they change of the picture.
 * Whatever the rate of events, the picture is drawn at most ten times a second.
 */
export function createLiveView(options: LiveOptions): LiveView {
  const { stdout, run, clock } = options;
  const words = wordsFor(options.messages.locale);
  const paint = createPaint(options.color);
  const model = createLiveModel(words, options.redact);
  const began = clock.monotonic();
  let shown: readonly string[] = [];
  let columns = 0;
  let nextFrame = began;
  let due = Number.POSITIVE_INFINITY;
  let cancelTimer = () => {};
  let isClosed = false;

  const paintFrame = () => {
    model.keep(task => run.byId.get(task)?.status === "in_progress");
    const before = columns;
    const [width, rows] = sizeOf(stdout);
    columns = width;
    if (columns < before) stdout.write(eraseBroken(shown, columns));
    const moment = { now: clock.now(), monotonic: clock.monotonic(), began, rows };
    // One column stays free: a terminal that shows a character wider than we think must not break the line.
    const look = { words, paint, width: Math.max(1, columns - 1) };
    const lines = (options.frame ?? liveFrame)(run, model, moment, look);
    stdout.write(`${shown.length === 0 ? HIDE : ""}${redraw(shown, lines)}`);
    shown = lines;
  };

  const draw = () => {
    if (isClosed) return;
    const start = clock.monotonic();
    try {
      paintFrame();
    } catch (error) {
      // A picture is never worth a run.
      close();
      options.onProblem(error);
      return;
    }
    const end = clock.monotonic();
    nextFrame = end + Math.min(TICK, Math.max(FRAME, (end - start) / WORK_SHARE));
    // The clocks turn with the second they show.
    plan(Math.max(nextFrame, began + TICK * (Math.floor((end - began) / TICK) + 1)));
  };

  /** Draws at a monotonic time, unless something sooner is planned. */
  const plan = (at: number) => {
    if (isClosed || at >= due) return;
    cancelTimer();
    due = at;
    cancelTimer = clock.after(Math.max(0, at - clock.monotonic()), () => {
      due = Number.POSITIVE_INFINITY;
      draw();
    });
  };

  /** Also when the process leaves without closing it: a terminal without a cursor is broken. */
  const restore = () => void stdout.write(`${back(shown)}\x1b[J${SHOW}`);

  const close = () => {
    if (isClosed) return;
    isClosed = true;
    cancelTimer();
    stdout.off("resize", draw);
    process.off("exit", restore);
    restore();
  };

  stdout.on("resize", draw);
  process.once("exit", restore);
  draw();
  return {
    event(event) {
      model.hear(event, clock.monotonic());
      plan(nextFrame);
    },
    changed: () => plan(nextFrame),
    stopping() {
      model.stop();
      plan(nextFrame);
    },
    close,
  };
}
