import { countedTasks, type PhaseState, type RunState } from "../../../run/index.ts";
import { visible } from "../../../text/index.ts";
import { type Look, line } from "../look.ts";
import { bar } from "../terminal/bar.ts";
import { MARKS, type Mark } from "../terminal/marks.ts";
import { alignRight, columnWidth, filled } from "../terminal/width.ts";

/** Columns of a phase's bar, on narrow and on wide terminals. */
const BAR = { narrow: 8, wide: 20 } as const;
const NAME = 400;

interface PhaseView {
  readonly mark: Mark;
  readonly label: string;
  readonly title: string;
  readonly state: PhaseState;
  readonly running: number;
}

function markOfPhase(run: RunState, state: PhaseState, at: number): Mark {
  if (state.ended === state.members.length) {
    // The newest open phase has ended and the next one has not begun: it waits for a person.
    if (at === run.open && at + 1 < run.phases.length) return MARKS.paused;
    return state.completed === countedTasks(state)
      ? MARKS.completed
      : { ...MARKS.completed, style: "yellow" };
  }
  return at <= run.open ? MARKS.in_progress : MARKS.pending;
}

function phaseLine(view: PhaseView, labelWidth: number, titleWidth: number, look: Look): string {
  const { state, running } = view;
  const counted = countedTasks(state);
  const broken = state.ended - state.completed - state.skipped;
  const counts = `${state.completed}/${counted}`;
  const style = view.mark === MARKS.pending ? "dim" : "plain";
  const notes = [
    running > 0 ? `${MARKS.in_progress.sign}${running}` : "",
    broken > 0 ? `${MARKS.failed.sign}${broken}` : "",
  ];
  return line(
    look,
    { text: ` ${view.mark.sign} `, style: view.mark.style },
    { text: filled(view.label, labelWidth), style: style === "dim" ? "dim" : "bold" },
    { text: titleWidth > 0 ? `  ${filled(view.title, titleWidth)}` : "", style },
    { text: "  " },
    ...bar(
      { completed: state.completed, broken, running, total: counted },
      look.width < 60 ? BAR.narrow : BAR.wide,
    ),
    { text: ` ${alignRight(counts, 7)}`, style },
    { text: `  ${notes[0] ?? ""}`, style: "cyan" },
    { text: ` ${notes[1] ?? ""}`, style: "red" },
  );
}

/** Which phases are shown: the open one always, then what follows it, then what came before. */
function window(count: number, open: number, lines: number): { from: number; to: number } {
  if (count <= lines) return { from: 0, to: count };
  // One line each is kept for what is left out on either side.
  const room = Math.max(1, lines - 2);
  const from = Math.max(0, Math.min(open - (room > 2 ? 1 : 0), count - room));
  const before = from > 0 ? 1 : 0;
  const to = Math.min(count, from + Math.max(1, lines - before - 1));
  return { from, to };
}

function hidden(phases: readonly PhaseState[], look: Look): string[] {
  if (phases.length === 0) return [];
  const done = phases.every(phase => phase.ended === phase.members.length);
  const mark = done ? MARKS.completed : MARKS.pending;
  return [
    line(
      look,
      { text: ` ${mark.sign} `, style: mark.style },
      { text: look.words.hiddenPhases(phases.length), style: "dim" },
    ),
  ];
}

/** The phases as a list of at most `lines` lines with small bars. */
export function phaseLines(run: RunState, lines: number, look: Look): string[] {
  if (lines <= 0 || run.phases.length === 0) return [];
  const open = Math.max(0, run.open);
  const { from, to } = window(run.phases.length, open, lines);
  const running = new Map<number, number>();
  for (const { phaseIndex } of run.running) running.set(phaseIndex, (running.get(phaseIndex) ?? 0) + 1);
  const views = run.phases.slice(from, to).map((state, offset) => ({
    mark: markOfPhase(run, state, from + offset),
    label: visible(look.width < 60 ? state.label : look.words.phase(state.label), NAME),
    title: visible(state.title, NAME),
    state,
    running: running.get(from + offset) ?? 0,
  }));
  const labelWidth = columnWidth(views, view => view.label, 16);
  const fixed = 3 + labelWidth + 2 + 2 + (look.width < 60 ? BAR.narrow : BAR.wide) + 8 + 8;
  const titleWidth = columnWidth(views, view => view.title, Math.max(0, look.width - fixed));
  const shown = views.map(view => phaseLine(view, labelWidth, titleWidth >= 4 ? titleWidth : 0, look));
  const before = lines > 1 ? hidden(run.phases.slice(0, from), look) : [];
  const after = lines > 2 || (lines > 1 && before.length === 0) ? hidden(run.phases.slice(to), look) : [];
  return [...before, ...shown, ...after].slice(0, lines);
}
