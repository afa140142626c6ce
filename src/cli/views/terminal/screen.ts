import type { Clock } from "../../../ports/index.ts";
import { openKeyboard } from "./keyboard.ts";

/** A screen of its own that is drawn whole each time, and keys that come without Enter. */
export interface Screen {
  /** Asks for a redraw soon; however often, it is drawn at most ten times a second. */
  changed(): void;
  /** Gives the terminal back as it was. Idempotent. */
  close(): void;
}

export interface ScreenOptions {
  readonly stdout: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly clock: Clock;
  /** The lines to show; none may be wider than `columns`. */
  readonly draw: (columns: number, rows: number) => readonly string[];
  readonly onInput: (bytes: string) => void;
}

/** Least milliseconds between two drawings, and the most while nothing happens: the clocks go on. */
const FRAME = 100;
const TICK = 1000;

const ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l";
const LEAVE = "\u001b[?7h\u001b[?25h\u001b[?1049l";

/** Takes the terminal over until closed. */
export function openScreen({ stdout, stdin, clock, draw, onInput }: ScreenOptions): Screen {
  let cancel: (() => void) | undefined;
  let due = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let closed = false;

  const paint = () => {
    if (closed) return;
    due = Number.POSITIVE_INFINITY;
    last = clock.monotonic();
    const columns = stdout.columns > 0 ? stdout.columns : 80;
    const rows = stdout.rows > 0 ? stdout.rows : 24;
    const lines = draw(columns, rows).slice(0, rows);
    stdout.write(`\u001b[H${lines.map(text => `${text}\u001b[K`).join("\r\n")}\u001b[J`);
    plan(last + TICK);
  };
  const plan = (at: number) => {
    if (closed || at >= due) return;
    cancel?.();
    due = at;
    cancel = clock.after(Math.max(0, at - clock.monotonic()), paint);
  };
  const changed = () => plan(last + FRAME);
  const resized = () => plan(clock.monotonic());

  stdout.write(ENTER);
  const closeKeyboard = openKeyboard(stdin, onInput);
  stdout.on("resize", resized);
  paint();
  return {
    changed,
    close() {
      if (closed) return;
      closed = true;
      cancel?.();
      stdout.off("resize", resized);
      closeKeyboard();
      stdout.write(LEAVE);
    },
  };
}
