import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo, type ReactElement, useMemo } from "react";
import type { TaskNow } from "../../../src/server/shapes/run.ts";
import { clock, span } from "../parts/amounts.ts";
import { Id, shownId } from "../parts/id.tsx";
import { StatusMark } from "../parts/mark.tsx";
import { ProgressBar } from "../parts/progress.tsx";
import { countStands, doneIn, standOf, totalOf } from "../parts/stand.ts";
import { useNow } from "../state/now.ts";
import { go } from "../state/route.ts";
import { type RunState, useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import type { Words } from "../words/words.ts";
import type { Lane } from "./layout.ts";

export type TaskNodeType = Node<
  { readonly id: string; readonly title: string; readonly dim: boolean; readonly open: boolean },
  "task"
>;
export type LaneNodeType = Node<
  {
    readonly lane: Lane;
    /** Its tasks that are looked for; undefined while nothing is. */
    readonly found: readonly string[] | undefined;
    readonly toggle: (label: string) => void;
  },
  "lane"
>;

/** The dependencies of a task that have not completed. */
function openBefore({ cards, tasks }: RunState, id: string): string[] {
  return (cards.get(id)?.dependsOn ?? []).filter(other => {
    const status = tasks.get(other)?.status;
    return status !== "completed" && status !== "skipped";
  });
}

/** What a task still waits for, each with its state. */
function waitsFor(state: RunState, id: string, words: Words): string {
  const named = (other: string) =>
    `${shownId(other)} (${words.status[state.tasks.get(other)?.status ?? "pending"]})`;
  return openBefore(state, id).map(named).join(", ");
}

/** What stands under a card's title: what it does, or why it does not. */
function Second({ id }: { readonly id: string }): ReactElement {
  const words = useWords();
  const task = useRun(state => state.tasks.get(id));
  const last = useRun(state => state.last.get(id));
  const max = useRun(state => state.shape?.maxAttempts ?? 0);
  const role = useRun(state => state.cards.get(id)?.role);
  const waits = useRun(state => openBefore(state, id).map(shownId).join(", "));
  const now = useNow(task?.since !== undefined);
  if (task === undefined) return <small />;
  if (task.since !== undefined)
    return (
      <small>
        <b>{span(now - task.since, words.locale)}</b> {last ?? task.agent}
      </small>
    );
  if (task.blockedBy !== undefined) return <small>{words.blockedBy(shownId(task.blockedBy))}</small>;
  const retry = task.retries > 0 && task.status !== "completed" ? words.retry(task.retries, max) : "";
  const again = task.status === "ready" && task.notBefore > now ? words.again(clock(task.notBefore)) : "";
  const stand = standOf(task);
  const unsure = stand === "unverified" || stand === "stale" ? words.stand[stand] : "";
  const took =
    task.status === "completed" && task.tookMs !== undefined ? span(task.tookMs, words.locale) : "";
  const text = [retry, again, unsure, task.reason, took].filter(part => part !== "").join(" · ");
  if (text !== "") return <small>{text}</small>;
  if (task.status === "pending" && waits !== "")
    return (
      <small>
        {words.waitsFor}: {waits}
      </small>
    );
  return <small>{role ?? words.status[task.status]}</small>;
}

/** Columns of a title that one line of a card holds; Hangul takes two. */
const ONE_LINE = 25;

function isLong(title: string): boolean {
  let columns = 0;
  for (const char of title) columns += char > "\u10ff" ? 2 : 1;
  return columns > ONE_LINE;
}

/** A task as a card. */
export const TaskNode = memo(function TaskNode({ data }: NodeProps<TaskNodeType>): ReactElement {
  const { id, dim, open } = data;
  const words = useWords();
  const card = useRun(state => state.cards.get(id));
  const stand = useRun(state => standOf(state.tasks.get(id)));
  const waits = useRun(state => waitsFor(state, id, words));
  return (
    <div
      title={`${shownId(id)} ${card?.title ?? ""}${waits === "" ? "" : `\n${words.waitsFor}: ${waits}`}`}
      className={`card is-${stand}${dim ? " is-dim" : ""}${open ? " is-open" : ""}`}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <StatusMark stand={stand} title={words.stand[stand]} />
      <div>
        <p>
          <Id id={id} />
          {card?.critical === true && <i className="critical" title={words.critical} />}
          {card?.risk === "critical" && <i className="risk">!</i>}
        </p>
        <strong className={isLong(data.title) ? "is-long" : ""}>{data.title}</strong>
        <Second id={id} />
      </div>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
});

/** Tasks of a folded lane that are worth a line of their own, and how many lines there are. */
const TELLING: readonly string[] = ["failed", "paused", "waiting", "in_progress", "blocked"];
const SHOWN = 3;

function Folded({ data: { lane, found } }: { readonly data: LaneNodeType["data"] }): ReactElement {
  const words = useWords();
  const tasks = useRun(state => state.tasks);
  const cards = useRun(state => state.cards);
  const rank = ({ status }: TaskNow) => (TELLING.indexOf(status) + TELLING.length + 1) % (TELLING.length + 1);
  const telling = (found ?? lane.members)
    .flatMap(id => tasks.get(id) ?? [])
    .filter(task => found !== undefined || TELLING.includes(task.status))
    .sort((a, b) => rank(a) - rank(b));
  return (
    <ul>
      {telling.slice(0, SHOWN).map(task => (
        <li key={task.id}>
          <button type="button" className="nodrag" onClick={() => go({ task: task.id })}>
            <StatusMark stand={standOf(task)} title={words.stand[standOf(task)]} /> <Id id={task.id} />{" "}
            <small>{task.reason === "" ? cards.get(task.id)?.title : task.reason}</small>
          </button>
        </li>
      ))}
      {telling.length > SHOWN && <li className="quiet">{words.more(telling.length - SHOWN)}</li>}
    </ul>
  );
}

/** A phase as a lane; folded, it is a card of its own. */
export const LaneNode = memo(function LaneNode({ data }: NodeProps<LaneNodeType>): ReactElement {
  const { lane, found, toggle } = data;
  const words = useWords();
  const tasks = useRun(state => state.tasks);
  const isOpen = useRun(state => state.shape?.run?.phase === lane.label);
  const cards = useRun(state => state.cards);
  const counts = useMemo(
    () =>
      countStands(
        lane.members.flatMap(id => cards.get(id) ?? []),
        tasks,
      ),
    [lane, cards, tasks],
  );
  return (
    <section
      className={`lane${lane.folded ? " is-folded" : ""}${isOpen ? " is-open" : ""}${found?.length === 0 ? " is-dim" : ""}`}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <header>
        <button
          type="button"
          className="nodrag"
          aria-expanded={!lane.folded}
          title={lane.folded ? words.expand : words.collapse}
          onClick={() => toggle(lane.label)}
        >
          <b>{words.phase(shownId(lane.label))}</b> <span>{lane.title}</span>
        </button>
        <em>
          {doneIn(counts)}/{totalOf(counts)}
        </em>
      </header>
      {lane.folded && <ProgressBar counts={counts} words={words} />}
      {lane.folded && <Folded data={data} />}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </section>
  );
});
