import type { RunState, TaskState } from "../../../run/index.ts";
import { visible } from "../../../text/index.ts";
import { type Look, line } from "../look.ts";
import { elapsed } from "../terminal/clock-text.ts";
import { MARKS } from "../terminal/marks.ts";
import { alignRight, columnWidth, filled } from "../terminal/width.ts";
import { waitText } from "../waits.ts";
import type { LiveModel, Moment, Working } from "./live-model.ts";

/** Characters of a title that are looked at: no terminal shows more. */
const LOOKED_AT = 1000;

interface Row {
  readonly id: string;
  readonly title: string;
  readonly agent: string;
  readonly time: string;
  readonly retry: string;
  readonly working: Working | undefined;
}

interface Columns {
  readonly id: number;
  readonly title: number;
  readonly agent: number;
  readonly time: number;
  readonly retry: number;
}

/** Who works on a task, and on which other machine. */
function workerOf(working: Working | undefined, { words }: Look): string {
  if (working === undefined) return "";
  const { agent, machine } = working;
  return visible(machine === undefined ? agent : words.agentOn(agent, machine), 200);
}

function rowOf(
  run: RunState,
  state: TaskState,
  working: Working | undefined,
  moment: Moment,
  look: Look,
): Row {
  return {
    id: visible(state.task.id, 200),
    title: visible(state.task.title, LOOKED_AT),
    agent: look.width < 60 ? "" : workerOf(working, look),
    time: elapsed(working === undefined ? 0 : moment.monotonic - working.since),
    retry: state.retries === 0 ? "" : look.words.retryOf(state.retries, run.policy.maxAttempts),
    working,
  };
}

function columnsOf(rows: readonly Row[], look: Look): Columns {
  const id = columnWidth(rows, row => row.id, 16);
  const agent = columnWidth(rows, row => row.agent, Math.max(14, Math.floor(look.width / 4)));
  const time = columnWidth(rows, row => row.time, 7);
  const retry = columnWidth(rows, row => row.retry, 14);
  const others = [3 + id, agent, time, retry].reduce((sum, width) => sum + (width > 0 ? width + 2 : 0));
  return {
    id,
    agent,
    time,
    retry,
    title: columnWidth(rows, row => row.title, Math.max(0, look.width - others - 2)),
  };
}

function taskLine(row: Row, columns: Columns, look: Look): string {
  return line(
    look,
    { text: ` ${MARKS.in_progress.sign} `, style: MARKS.in_progress.style },
    { text: filled(row.id, columns.id), style: "bold" },
    { text: `  ${filled(row.title, columns.title)}` },
    { text: columns.agent > 0 ? `  ${filled(row.agent, columns.agent)}` : "", style: "dim" },
    { text: `  ${alignRight(row.time, columns.time)}` },
    { text: columns.retry > 0 ? `  ${filled(row.retry, columns.retry)}` : "", style: "yellow" },
  );
}

function detailLine(working: Working | undefined, model: LiveModel, look: Look): string {
  const verify = working?.verify;
  const text = model.safe(verify ?? working?.waits ?? working?.line ?? "");
  return line(
    look,
    { text: "   └ ", style: "dim" },
    { text: verify === undefined ? "" : `${look.words.labels.verify}: `, style: "cyan" },
    { text, style: "dim" },
  );
}

/** What happens next while nothing runs: the earliest task that waits for a time. While the run is held, nothing does. */
function idleLine(run: RunState, moment: Moment, look: Look): string[] {
  if (run.held) return [];
  let next: TaskState | undefined;
  for (const state of run.tasks) {
    const waits = (state.status === "ready" || state.status === "waiting") && state.notBefore > 0;
    if (waits && (next === undefined || state.notBefore < next.notBefore)) next = state;
  }
  if (next === undefined || run.ended !== undefined) return [];
  const left = next.notBefore - moment.now;
  const id = visible(next.task.id, 200);
  const isLong = left > 3_600_000 || (next.status === "waiting" && left > 60_000);
  const text = isLong
    ? `${id} ${waitText(next, look.words, moment.now)}`
    : look.words.again(id, elapsed(left + 999));
  return [
    line(look, { text: ` ${MARKS.waiting.sign} `, style: MARKS.waiting.style }, { text, style: "dim" }),
  ];
}

/** The running tasks in the order of their dispatch, in at most `lines` lines; with room, each with its last line. */
export function runningLines(
  run: RunState,
  model: LiveModel,
  moment: Moment,
  lines: number,
  look: Look,
): string[] {
  if (lines <= 0) return [];
  const count = run.running.size;
  if (count === 0) return idleLine(run, moment, look);
  const shown = count <= lines ? count : Math.max(1, lines - 1);
  // Every task comes first, then as many last lines as there is room for.
  const detailed = lines - count;
  const rows: Row[] = [];
  for (const state of run.running) {
    if (rows.length === shown) break;
    rows.push(rowOf(run, state, model.working.get(state.task.id), moment, look));
  }
  const columns = columnsOf(rows, look);
  const out = rows.flatMap((row, at) => {
    const own = taskLine(row, columns, look);
    return at < detailed ? [own, detailLine(row.working, model, look)] : [own];
  });
  if (count > shown && lines > 1)
    out.push(line(look, { text: `   ${look.words.more(count - shown)}`, style: "dim" }));
  return out;
}
