import { type ReactElement, type ReactNode, useId, useMemo, useState } from "react";
import type { ActRequest } from "../../../src/server/shapes/action.ts";
import type { BranchesShape } from "../../../src/server/shapes/branches.ts";
import { Button } from "../parts/button.tsx";
import { useFocusStay } from "../parts/focus-stay.ts";
import { Id, shownId } from "../parts/id.tsx";
import { StatusMark } from "../parts/mark.tsx";
import { standOf } from "../parts/stand.ts";
import { itemOf } from "../review/place.ts";
import { hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { Outlives, useAct } from "../task/decide.tsx";
import { useWords } from "../words/use-words.ts";
import { Answer } from "./answer.tsx";
import { alikeOf, type Need, needsOf } from "./facts.ts";

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
  answer,
  children,
}: {
  readonly mark: ReactElement;
  readonly title?: ReactNode;
  readonly note?: string;
  readonly choices: readonly Choice[];
  /** The task to whose agent a note can be written right here. */
  readonly answer?: string;
  readonly children: ReactNode;
}): ReactElement {
  const words = useWords();
  const connected = useRun(state => state.line === "live");
  const { busy, said, send } = useAct();
  // Several entries offer the same act: it is told what it would be done to.
  const about = useId();
  const [answers, setAnswers] = useState(false);
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
        {answer !== undefined && (
          <button
            type="button"
            data-act=""
            aria-describedby={about}
            aria-expanded={answers}
            onClick={() => setAnswers(!answers)}
          >
            {words.overview.answer}
          </button>
        )}
      </div>
      {answer !== undefined && answers && <Answer id={answer} />}
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
  const hasWorked = useRun(state => (state.tasks.get(need.task)?.attempts ?? 0) > 0);
  const { ask } = need;
  return (
    <Entry
      mark={<StatusMark stand={stand} title={words.stand[stand]} />}
      title={<TaskTitle id={need.task} />}
      {...(need.behind === 0 ? {} : { note: words.overview.behind(need.behind) })}
      {...(hasWorked && { answer: need.task })}
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

type Act = ReturnType<typeof useAct>;

/** Phases that are done and not merged: each can be looked at, all are merged in their order. */
function Home({
  phases,
  merging,
}: {
  readonly phases: readonly string[];
  readonly merging: Act;
}): ReactElement {
  const { overview } = useWords();
  const connected = useRun(state => state.line === "live");
  return (
    <li>
      <StatusMark stand="paused" />
      <div>
        <p className="cause">{overview.home(phases.length)}</p>
        <p className="looks">
          {phases.slice(0, SHOWN).map(phase => (
            <a key={phase} href={hrefOf({ view: "review", item: itemOf({ kind: "phase", phase }) })}>
              {overview.look(shownId(phase))}
            </a>
          ))}
        </p>
      </div>
      <div className="buttons">
        <Button
          className="is-first"
          title={overview.mergeWhy}
          disabled={!connected}
          waits={merging.busy}
          onClick={() => void merging.send({ kind: "merge" })}
        >
          {overview.mergeAll}
        </Button>
      </div>
    </li>
  );
}

/** The same decision for all that wait for it; what came of it stays to be read. */
function Together({ needs }: { readonly needs: readonly Need[] }): ReactElement {
  const words = useWords();
  const connected = useRun(state => state.line === "live");
  const { busy, said, send } = useAct();
  return (
    <div className="together">
      {alikeOf(needs).map(group => {
        const [first] = group;
        const wishes = group.flatMap((need): ActRequest[] => {
          if (need.kind === "question") return [{ kind: "permit", id: need.id, allowed: true }];
          return need.kind === "task" ? [{ kind: "task", action: need.ask, task: need.task, note: "" }] : [];
        });
        const name = first?.kind === "task" ? words.action[first.ask] : words.allow;
        return (
          <Button
            key={first === undefined ? "" : keyOf(first)}
            title={first?.kind === "task" ? words.why[first.ask] : undefined}
            disabled={!connected}
            waits={busy}
            onClick={() => void send(...wishes)}
          >
            {words.overview.all(name, group.length)}
            {first?.kind === "question" && <code>{first.title}</code>}
          </Button>
        );
      })}
      <p role="status" className={said?.ok === false ? "bad" : "quiet"}>
        {busy ? words.sending : said?.message}
      </p>
    </div>
  );
}

function keyOf(need: Need): string {
  if (need.kind === "task") return `task ${need.task}`;
  return need.kind === "question" ? `question ${need.id}` : need.kind;
}

/** What goes on only when a person decides: each cause in a sentence, with what is decided most often. */
export function Needs({ branches }: { readonly branches: BranchesShape | undefined }): ReactElement {
  const words = useWords();
  const shape = useRun(state => state.shape);
  const tasks = useRun(state => state.tasks);
  const needs = useMemo(() => needsOf({ shape, tasks }), [shape, tasks]);
  const { overview } = words;
  const { anchor, stay } = useFocusStay<HTMLHeadingElement>();
  const merging = useAct();
  const [refusal, setRefusal] = useState("");
  const home = branches?.merge === undefined ? [] : branches.phases.filter(({ state }) => state === "waits");
  const count = needs.length + (home.length > 0 ? 1 : 0);
  return (
    <section className="needs" aria-labelledby="needs" aria-live="polite" {...stay}>
      <h2 id="needs" ref={anchor} tabIndex={-1}>
        {overview.needs} {count > 0 && <b className="count">{count}</b>}
      </h2>
      <Together needs={needs} />
      <p role="status" className="came bad">
        {refusal}
      </p>
      {count === 0 ? (
        <p className="calm">
          <StatusMark stand="completed" /> <b>{overview.needsNone}</b>{" "}
          <span className="quiet">{overview.needsNoneWhy}</span>
        </p>
      ) : (
        <ul>
          <Outlives value={setRefusal}>
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
          </Outlives>
          {home.length > 0 && <Home phases={home.map(({ phase }) => phase)} merging={merging} />}
        </ul>
      )}
      {needs.length > SHOWN && (
        <a className="more" href={hrefOf({ view: "graph", item: "paused,failed" })}>
          {words.more(needs.length - SHOWN)}
        </a>
      )}
      <p role="status" className={`came ${merging.said?.ok === false ? "bad" : "good"}`}>
        {merging.busy ? overview.merging : merging.said?.message}
      </p>
    </section>
  );
}
