import { useSyncExternalStore } from "react";
import type { RunShape, TaskCard, TaskNow } from "../../../src/server/shapes/run.ts";
import type { ChangeMessage, Happening, OutputMessage, TailLine } from "../../../src/server/shapes/stream.ts";

/** How this page hears of the run. */
export type Line = "connecting" | "live" | "lost" | "denied" | "keyless";

/** Everything the page knows of the run. Replaced, never changed, where something moved. */
export interface RunState {
  readonly line: Line;
  readonly shape: RunShape | undefined;
  readonly cards: ReadonlyMap<string, TaskCard>;
  readonly tasks: ReadonlyMap<string, TaskNow>;
  /** Newest last. */
  readonly events: readonly Happening[];
  readonly last: ReadonlyMap<string, string>;
  /** Lines of the task that is followed. */
  readonly tail: { readonly attempt: number; readonly lines: readonly TailLine[] };
  /** How far the log of the shared context is, once it has moved. */
  readonly context: number;
  /** The server's clock minus ours, in milliseconds. */
  readonly skew: number;
}

const EVENTS = 2000;
const LINES = 500;
const NO_TAIL = { attempt: 0, lines: [] };

let state: RunState = {
  line: "connecting",
  shape: undefined,
  cards: new Map(),
  tasks: new Map(),
  events: [],
  last: new Map(),
  tail: NO_TAIL,
  context: 0,
  skew: 0,
};
const listeners = new Set<() => void>();
let frame = 0;

/** However fast the run moves, the page is drawn once a frame. */
function changed(next: Partial<RunState>): void {
  state = { ...state, ...next };
  if (frame !== 0) return;
  const draw = () => {
    frame = 0;
    for (const listener of listeners) listener();
  };
  // A hidden page gets no frames; it must not pile up work either.
  frame = document.hidden ? window.setTimeout(draw, 500) : requestAnimationFrame(draw);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A part of the state; the component is drawn again when that part is another one. */
export function useRun<T>(select: (state: RunState) => T): T {
  return useSyncExternalStore(subscribe, () => select(state));
}

/** The state as it is now, for what is no component. */
export function current(): RunState {
  return state;
}

/** What the project is called: as its run says, else as its folder. */
export function projectName(shape: RunShape | undefined): string {
  const folder = shape?.project.split(/[\\/]/).findLast(part => part !== "");
  return shape?.run?.project ?? folder ?? "Espalier";
}

/** Whether the page is connected. */
export function setLine(line: Line): void {
  if (line !== state.line) changed({ line });
}

/** The run as a whole, after the page was opened or has missed something. */
export function setShape(shape: RunShape): void {
  changed({
    shape,
    cards: new Map(shape.plan.map(card => [card.id, card])),
    tasks: new Map(shape.tasks.map(task => [task.id, task])),
    last: new Map(Object.entries(shape.last)),
    skew: shape.now - Date.now(),
  });
}

/** The events that were read once; what came over the stream meanwhile stays. */
export function setEvents(events: readonly Happening[]): void {
  const newest = events.at(-1)?.seq ?? 0;
  changed({ events: [...events, ...state.events.filter(event => event.seq > newest)] });
}

/** Takes what is new. */
export function takeChange({ run, link, tasks, events, context }: ChangeMessage): void {
  const { shape } = state;
  if (shape === undefined) return;
  const moved = new Map(state.tasks);
  const last = new Map(state.last);
  for (const task of tasks ?? []) {
    moved.set(task.id, task);
    if (task.status !== "in_progress") last.delete(task.id);
  }
  const seen = state.events.at(-1)?.seq ?? 0;
  const fresh = (events ?? []).filter(event => event.seq > seen);
  changed({
    ...(run || link ? { shape: { ...shape, run: run ?? shape.run, link: link ?? shape.link } } : {}),
    ...(tasks ? { tasks: moved, last } : {}),
    ...(context === undefined ? {} : { context }),
    ...(fresh.length > 0 ? { events: [...state.events, ...fresh].slice(-EVENTS) } : {}),
  });
}

/** Takes what agents say. */
export function takeOutput({ last, lines, attempt }: OutputMessage): void {
  if (last !== undefined) {
    const all = new Map(state.last);
    for (const [task, text] of Object.entries(last))
      if (state.tasks.get(task)?.status === "in_progress") all.set(task, text);
    changed({ last: all });
  }
  if (lines === undefined || attempt === undefined) return;
  const before = state.tail.attempt === attempt ? state.tail.lines : [];
  const seen = before.at(-1)?.n ?? 0;
  changed({
    tail: { attempt, lines: [...before, ...lines.filter(line => line.n > seen)].slice(-LINES) },
  });
}

/** Another task is followed from now on. */
export function clearTail(): void {
  changed({ tail: NO_TAIL });
}
