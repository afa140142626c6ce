import { type ReactElement, type ReactNode, useId, useMemo } from "react";
import type { ActRequest } from "../../../src/server/shapes/action.ts";
import { Button } from "../parts/button.tsx";
import { useFocusStay } from "../parts/focus-stay.ts";
import { Id, shownId } from "../parts/id.tsx";
import { StatusMark } from "../parts/mark.tsx";
import { standOf } from "../parts/stand.ts";
import { hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useAct } from "../task/decide.tsx";
import { useWords } from "../words/use-words.ts";
import { type Need, needsOf } from "./facts.ts";

/** Entries that are shown; the others are counted. */
const SHOWN = 12;

interface Choice {
  readonly name: string;
  readonly why?: string;
  readonly wish: ActRequest;
}

/** One cause, and what to do about it. */
function Entry({
  mark,
  title,
  note,
  choices,
  children,
}: {
  readonly mark: ReactElement;
  readonly title?: ReactNode;
  readonly note?: string;
  readonly choices: readonly Choice[];
  readonly children: ReactNode;
}): ReactElement {
  const words = useWords();
  const connected = useRun(state => state.line === "live");
  const { busy, said, send } = useAct();
  // Several entries offer the same act: it is told what it would be done to.
  const about = useId();
  return (
    <li>
      {mark}
      <div>
        {title !== undefined && (
          <p className="title" id={about}>
            {title}
          </p>
        )}
        <p className="cause" {...(title === undefined && { id: about })}>
          {children}
        </p>
        {note !== undefined && <small className="quiet">{note}</small>}
        <p role="status" className={said?.ok === false ? "bad" : "quiet"}>
          {busy ? words.sending : said?.message}
        </p>
      </div>
      <div className="buttons">
        {choices.map(({ name, why, wish }, at) => (
          <Button
            key={name}
            className={at === 0 ? "is-first" : ""}
            title={why}
            aria-describedby={about}
            disabled={!connected}
            waits={busy}
            onClick={() => void send(wish)}
          >
            {name}
          </Button>
        ))}
      </div>
    </li>
  );
}

function TaskTitle({ id }: { readonly id: string }): ReactElement {
  const title = useRun(state => state.cards.get(id)?.title);
  return (
    <a href={hrefOf({ task: id })}>
      <Id id={id} /> {title}
    </a>
  );
}

function TaskNeed({ need }: { readonly need: Extract<Need, { kind: "task" }> }): ReactElement {
  const words = useWords();
  const stand = useRun(state => standOf(state.tasks.get(need.task)));
  const { ask } = need;
  return (
    <Entry
      mark={<StatusMark stand={stand} title={words.stand[stand]} />}
      title={<TaskTitle id={need.task} />}
      {...(need.behind === 0 ? {} : { note: words.overview.behind(need.behind) })}
      choices={[
        {
          name: words.action[ask],
          why: words.why[ask],
          wish: { kind: "task", action: ask, task: need.task, note: "" },
        },
      ]}
    >
      {need.cause === "" ? words.stand[stand] : need.cause}
    </Entry>
  );
}

function Question({ need }: { readonly need: Extract<Need, { kind: "question" }> }): ReactElement {
  const words = useWords();
  const wish = (allowed: boolean) => ({ kind: "permit" as const, id: need.id, allowed });
  return (
    <Entry
      mark={<StatusMark stand="paused" title={words.asks} />}
      title={<TaskTitle id={need.task} />}
      choices={[
        { name: words.allow, wish: wish(true) },
        { name: words.reject, wish: wish(false) },
      ]}
    >
      {words.wants(need.wants)} <code>{need.title}</code>
    </Entry>
  );
}

function RunNeed({ need }: { readonly need: Exclude<Need, { kind: "task" | "question" }> }): ReactElement {
  const words = useWords();
  const canGoOn = useRun(({ shape }) => shape?.link.live === false && shape.run?.state !== "completed");
  const mark = <StatusMark stand="paused" />;
  switch (need.kind) {
    case "gate": {
      const phase = shownId(need.phase);
      const wish = { kind: "force-phase" as const, phase: need.phase };
      return (
        <Entry mark={mark} choices={[{ name: words.force(phase), why: words.forceWhy, wish }]}>
          {words.overview.gate(phase)}
        </Entry>
      );
    }
    case "held":
      return (
        <Entry mark={mark} choices={[{ name: words.release, wish: { kind: "hold", held: false } }]}>
          {words.overview.held}
        </Entry>
      );
    case "rests":
      return (
        <Entry
          mark={mark}
          choices={canGoOn ? [{ name: words.goOn, why: words.goOnWhy, wish: { kind: "go-on" } }] : []}
        >
          {need.cause === "" ? words.restsHint : need.cause}
        </Entry>
      );
    default:
      return need satisfies never;
  }
}

function keyOf(need: Need): string {
  if (need.kind === "task") return `task ${need.task}`;
  return need.kind === "question" ? `question ${need.id}` : need.kind;
}

/** What goes on only when a person decides: each cause in a sentence, with what is decided most often. */
export function Needs(): ReactElement {
  const words = useWords();
  const shape = useRun(state => state.shape);
  const tasks = useRun(state => state.tasks);
  const needs = useMemo(() => needsOf({ shape, tasks }), [shape, tasks]);
  const { overview } = words;
  const { anchor, stay } = useFocusStay<HTMLHeadingElement>();
  return (
    <section className="needs" aria-labelledby="needs" aria-live="polite" {...stay}>
      <h2 id="needs" ref={anchor} tabIndex={-1}>
        {overview.needs} {needs.length > 0 && <b className="count">{needs.length}</b>}
      </h2>
      {needs.length === 0 ? (
        <p className="calm">
          <StatusMark stand="completed" /> <b>{overview.needsNone}</b>{" "}
          <span className="quiet">{overview.needsNoneWhy}</span>
        </p>
      ) : (
        <ul>
          {needs
            .slice(0, SHOWN)
            .map(need =>
              need.kind === "task" ? (
                <TaskNeed key={keyOf(need)} need={need} />
              ) : need.kind === "question" ? (
                <Question key={keyOf(need)} need={need} />
              ) : (
                <RunNeed key={keyOf(need)} need={need} />
              ),
            )}
        </ul>
      )}
      {needs.length > SHOWN && (
        <a className="more" href={hrefOf({ view: "graph", item: "paused,failed" })}>
          {words.more(needs.length - SHOWN)}
        </a>
      )}
    </section>
  );
}
