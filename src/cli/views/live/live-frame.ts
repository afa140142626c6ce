import { inScope, type RunState, type Tally, tally } from "../../../run/index.ts";
import { timeOfDay, visible } from "../../../text/index.ts";
import { allot } from "../allot.ts";
import { countsLine } from "../counts-line.ts";
import { type Look, line } from "../look.ts";
import { bar, percent } from "../terminal/bar.ts";
import { elapsed } from "../terminal/clock-text.ts";
import { MARKS } from "../terminal/marks.ts";
import type { Piece } from "../terminal/paint.ts";
import { columnWidth, textWidth } from "../terminal/width.ts";
import type { LiveModel, Moment } from "./live-model.ts";
import { phaseLines } from "./live-phases.ts";
import { runningLines } from "./live-running.ts";
import type { Recent } from "./recent.ts";

/** Rows from which sections are set apart by a blank line. */
const ROOMY = 20;
/** Columns beyond which the eye loses the line from left to right. */
const WIDEST = 110;
/** Characters of a name that are looked at. */
const NAME = 400;

function narrowed(look: Look): Look {
  return { ...look, width: Math.min(look.width, WIDEST) };
}

function hintLine(stopping: boolean, look: Look): string {
  const { hint, hintShort, hintStopping, hintStoppingShort } = look.words;
  const full = stopping ? hintStopping : hint;
  const text = textWidth(full) < look.width ? full : stopping ? hintStoppingShort : hintShort;
  return line(look, { text: ` ${text}`, style: stopping ? "yellow" : "dim" });
}

function header(run: RunState, model: LiveModel, moment: Moment, look: Look): string {
  const { words } = look;
  const state =
    run.ended !== undefined
      ? words.run[run.ended.outcome]
      : model.stopping || run.stopping
        ? words.stopping
        : words.run.running;
  const calm = state === words.run.running || state === words.run.completed;
  return line(
    narrowed(look),
    { text: " " },
    { text: visible(run.plan.project, NAME), style: "title", flexible: true },
    { text: `  ${state}`, style: calm ? "dim" : "yellow" },
    { text: `  ${elapsed(moment.monotonic - moment.began)}`, style: "bold" },
  );
}

function progress(run: RunState, counted: Tally, look: Look): string {
  const { counts, total } = counted;
  const done = counts.completed + counts.skipped;
  const broken = counts.failed + counts.blocked + counts.cancelled;
  const text = `  ${done}/${total}  ${percent(done, total)}`;
  const width = Math.max(4, narrowed(look).width - 1 - textWidth(text));
  const pieces = bar({ completed: done, broken, running: run.running.size, total }, width);
  return line(look, { text: " " }, ...pieces, { text, style: "bold" });
}

function recentLine(recent: Recent, subjectWidth: number, look: Look): string {
  const wide = look.width >= 60;
  const times =
    recent.times === 1 ? "" : recent.mark === MARKS.blocked ? ` +${recent.times - 1}` : ` ×${recent.times}`;
  const subject = recent.subject === "" ? "" : `${recent.subject}${times}`;
  const pieces: Piece[] = [
    { text: wide ? ` ${timeOfDay(recent.at)} ` : " ", style: "dim" },
    { text: recent.mark.sign.padEnd(3), style: recent.mark.style },
  ];
  if (subject !== "") {
    const padding = " ".repeat(Math.max(0, subjectWidth - textWidth(subject)));
    pieces.push({ text: `${subject}${padding}  `, style: "bold" });
  }
  pieces.push({ text: recent.text }, { text: subject === "" ? times : "", style: "dim" });
  return line(look, ...pieces);
}

function recentLines(list: readonly Recent[], lines: number, look: Look): string[] {
  const shown = lines > 0 ? list.slice(-lines) : [];
  const width = columnWidth(shown, recent => recent.subject, 12);
  return shown.map(recent => recentLine(recent, width, look));
}

/** The whole picture as lines, none wider than `look.width`, all together less than `moment.rows`. */
export function liveFrame(run: RunState, model: LiveModel, moment: Moment, look: Look): string[] {
  const counted = tally(run.only === undefined ? run.tasks : run.tasks.filter(state => inScope(run, state)));
  const roomy = moment.rows >= ROOMY;
  const top = [
    header(run, model, moment, look),
    progress(run, counted, look),
    countsLine(counted, look, " "),
  ];
  const hint =
    moment.hint === undefined
      ? hintLine(model.stopping || run.stopping, look)
      : line(look, { text: ` ${moment.hint}`, style: "dim" });
  const active = Math.max(1, run.running.size);
  const phases = run.phases.length;
  const recent = model.recent.length;
  const few = Math.min(active, 3);
  const lines = allot(moment.rows - 1 - top.length - 1 - (roomy ? 1 : 0), roomy ? 1 : 0, [
    { section: "running", lines: few },
    { section: "phases", lines: Math.min(phases, 1) },
    { section: "recent", lines: Math.min(recent, 2) },
    { section: "running", lines: Math.min(active, 6) },
    { section: "phases", lines: Math.min(phases, 3) },
    { section: "running", lines: 2 * few },
    { section: "phases", lines: Math.min(phases, 5) },
    { section: "recent", lines: Math.min(recent, 3) },
    { section: "running", lines: 2 * Math.min(active, 6) },
    { section: "recent", lines: Math.min(recent, 6) },
    { section: "phases", lines: Math.min(phases, 12) },
    { section: "running", lines: 2 * active },
    { section: "phases", lines: phases },
    { section: "recent", lines: recent },
  ]);
  const sections = [
    phaseLines(run, lines.get("phases") ?? 0, look),
    runningLines(run, model, moment, lines.get("running") ?? 0, look),
    recentLines(model.recent, lines.get("recent") ?? 0, look),
  ].filter(section => section.length > 0);
  const body = sections.flatMap(section => (roomy ? ["", ...section] : section));
  return [...top, ...body, ...(roomy ? [""] : []), hint].slice(0, Math.max(1, moment.rows - 1));
}
