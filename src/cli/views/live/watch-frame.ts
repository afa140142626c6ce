import { type KnownMachine, standOf } from "../../../fleet/index.ts";
import type { MachinesSeen } from "../../../host/monitor/machines.ts";
import type { Result } from "../../../ports/index.ts";
import type { RunState, TaskState } from "../../../run/index.ts";
import { type Locale, visible } from "../../../text/index.ts";
import { type Look, line } from "../look.ts";
import { bar, percent } from "../terminal/bar.ts";
import { MARKS, markOf } from "../terminal/marks.ts";
import type { Piece } from "../terminal/paint.ts";
import { textWidth } from "../terminal/width.ts";
import { machinesWords } from "../words/machines-words.ts";
import { liveFrame } from "./live-frame.ts";
import type { LiveModel, Moment } from "./live-model.ts";
import { type Typed, typedLine } from "./typed-line.ts";

/** How copies of one document stand. */
export interface CopyFacts {
  readonly label: string;
  readonly version: number;
  readonly standings: ReadonlyMap<string, number>;
}

/** What is shown below the run's own picture. */
export interface WatchFacts {
  readonly run: RunState;
  readonly model: LiveModel;
  readonly moment: Omit<Moment, "hint">;
  readonly live: boolean;
  readonly held: boolean;
  /** How completed outputs fill the window, and what the agents reported. */
  readonly budget:
    | {
        readonly used: number;
        readonly total: number;
        readonly tokens: number;
        readonly cost: number | undefined;
      }
    | undefined;
  readonly copies: readonly CopyFacts[];
  /** The machines of the hub that the run has, or why they are not known; undefined where it is worked on here. */
  readonly machines?: Result<MachinesSeen, string> | undefined;
  /** The task that keys act on. */
  readonly chosen: TaskState | undefined;
  /** What an agent asks for, in lines. */
  readonly asked?: readonly string[];
  /** What came of the last key. */
  readonly note: string;
  /** What is being typed to the agent of a task, if anything is. */
  readonly typed?: Typed | undefined;
  /** The keys, as the last line names them. */
  readonly keys: string;
  /** The same where there is little room. */
  readonly fewKeys: string;
}

/** States of tasks that a person may want to look at, in this order. */
const TELLING = [
  "paused",
  "failed",
  "in_progress",
  "waiting",
  "blocked",
  "ready",
  "pending",
  "completed",
] as const;
/** Documents that have a place in the line. */
const LABELS = 3;
/** Machines that have a place in the line. */
const MACHINES = 4;
const SHOWN_STANDINGS = ["current", "updating", "behind", "stale", "lost"] as const;

/** The tasks that can be chosen, those that want a person first. */
export function choices(run: RunState): TaskState[] {
  const groups = new Map<string, TaskState[]>(TELLING.map(status => [status, []]));
  for (const state of run.tasks) groups.get(state.status)?.push(state);
  return [...groups.values()].flat();
}

function short(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(2)}M`;
}

function budgetLine({ budget }: WatchFacts, look: Look): string[] {
  if (budget === undefined) return [];
  const { used, total, tokens, cost } = budget;
  const { watch } = look.words;
  const spent =
    tokens === 0 ? "" : `  ${watch.spent(short(tokens), cost === undefined ? "" : `$${cost.toFixed(2)}`)}`;
  const text = `  ${short(used)}/${short(total)}  ${percent(used, total)}${spent}`;
  const room = Math.min(30, look.width - textWidth(watch.budget) - textWidth(text) - 3);
  const pieces = bar(
    { completed: used, broken: 0, running: 0, total: Math.max(used, total, 1) },
    Math.max(4, room),
  );
  const style = used >= 0.9 * total ? "red" : used >= 0.7 * total ? "yellow" : "plain";
  return [line(look, { text: ` ${watch.budget} `, style: "dim" }, ...pieces, { text, style })];
}

function copiesLine({ copies }: WatchFacts, look: Look): string[] {
  if (copies.length === 0) return [];
  const { watch } = look.words;
  const pieces = copies.slice(0, LABELS).flatMap(({ label, version, standings }): Piece[] => {
    const told = SHOWN_STANDINGS.filter(standing => standings.has(standing));
    return [
      { text: `  ${visible(label, 40)} v${version}`, style: "bold" },
      ...told.map((standing): Piece => {
        const isLate = standing === "stale" || standing === "lost";
        return { text: ` ${standings.get(standing)} ${watch[standing]}`, style: isLate ? "yellow" : "plain" };
      }),
    ];
  });
  const more = copies.length > LABELS ? [{ text: `  ${look.words.more(copies.length - LABELS)}` }] : [];
  return [line(look, { text: ` ${watch.context}`, style: "dim" }, ...pieces, ...more)];
}

/** What a machine does: how it stands where it is not just there, orders of how many at once, and what it offers. */
function machinePieces(machine: KnownMachine, locale: Locale): Piece[] {
  const { name, slots, holds, silent, resources } = machine;
  const words = machinesWords(locale);
  const stands = {
    there: "",
    silent: ` ${words.silent(Math.round(silent / 1000))}`,
    draining: ` ${words.drains}`,
    full: ` ${words.diskFull}`,
  };
  const used = Object.entries(resources).map(
    ([of, { taken, offers }]) => ` ${visible(of, 40)} ${taken}/${offers}`,
  );
  return [
    { text: `  ${visible(name, 40)}`, style: "bold" },
    { text: stands[standOf(machine)], style: "yellow" },
    { text: ` ${holds.length}/${slots}${used.join("")}` },
  ];
}

function machinesLine({ machines: found }: WatchFacts, look: Look): string[] {
  if (found === undefined) return [];
  const { words } = look;
  const label = { text: ` ${words.watch.machines}`, style: "dim" } as const;
  if (!found.ok) return [line(look, label, { text: `  ${visible(found.failure, 400)}`, style: "yellow" })];
  const { machines, waiting } = found.value;
  const pieces = machines.slice(0, MACHINES).flatMap(machine => machinePieces(machine, words.locale));
  const more = machines.length > MACHINES ? [{ text: `  ${words.more(machines.length - MACHINES)}` }] : [];
  const waits = waiting > 0 ? [{ text: `  ${machinesWords(words.locale).waiting(waiting)}` }] : [];
  return [line(look, label, ...pieces, ...more, ...waits)];
}

function chosenLine({ chosen }: WatchFacts, look: Look): string[] {
  if (chosen === undefined) return [];
  const { task, status, verified, reason } = chosen;
  const mark = markOf(status, verified);
  return [
    line(
      look,
      { text: " ▸ ", style: "cyan" },
      { text: `${mark.sign} `, style: mark.style },
      { text: visible(task.id, 200), style: "bold" },
      { text: ` ${look.words.status[status]}`, style: mark.style },
      { text: `  ${visible(look.words.reason(reason) || task.title, 400)}` },
    ),
  ];
}

/** The whole picture of `espalier watch`, none of its lines wider than the terminal, all together less than its rows. */
export function watchFrame(facts: WatchFacts, look: Look): string[] {
  const { run, model, moment, live, held, note, typed } = facts;
  const { watch } = look.words;
  const below = [
    ...budgetLine(facts, look),
    ...copiesLine(facts, look),
    ...machinesLine(facts, look),
    ...(live ? [] : [line(look, { text: ` ! ${watch.notRunning}`, style: "yellow" })]),
    ...(held ? [line(look, { text: ` ${MARKS.paused.sign} ${watch.held}`, style: "yellow" })] : []),
    ...chosenLine(facts, look),
    ...(facts.asked ?? []),
    ...(note === "" ? [] : [line(look, { text: ` ${visible(note, 400)}`, style: "yellow" })]),
    ...(typed === undefined ? [] : [typedLine(typed, look)]),
  ];
  // The keys and the chosen task come before everything else when there is hardly any room.
  const kept = below.slice(-Math.max(1, Math.min(below.length, moment.rows - 6)));
  const keys = textWidth(facts.keys) < look.width ? facts.keys : facts.fewKeys;
  // How to stop at once comes before what else a key does.
  const isStopping = model.stopping || run.stopping;
  const hint = isStopping && live ? {} : { hint: typed === undefined ? keys : watch.typingKeys };
  const top = liveFrame(
    run,
    model,
    { ...moment, rows: Math.max(2, moment.rows - kept.length), ...hint },
    look,
  );
  return [...top.slice(0, -1), ...kept, ...top.slice(-1)].slice(0, Math.max(1, moment.rows - 1));
}
