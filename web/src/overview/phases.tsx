import { type ReactElement, useMemo, useState } from "react";
import type { BranchesShape } from "../../../src/server/shapes/branches.ts";
import { Id, shownId } from "../parts/id.tsx";
import { ProgressBar } from "../parts/progress.tsx";
import { type Counts, countStands, doneIn, totalOf } from "../parts/stand.ts";
import { itemOf } from "../review/place.ts";
import { hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";

/** Phases up to which all are shown; of more, those that are finished are one line. */
const ALL = 12;

type Work = BranchesShape["phases"][number];

/** Where the work of a phase is. */
export function Where({ work, target }: { readonly work: Work; readonly target: string }): ReactElement {
  const { overview } = useWords();
  if (work.state === "merged") return <small className="good">{overview.merged(target)}</small>;
  return (
    <small className="where">
      <span className={work.state === "waits" ? "is-paused" : "is-quiet"}>{overview[work.state]}</span>{" "}
      {work.branch !== undefined && <code>{work.branch}</code>}
    </small>
  );
}

/** A command that is there to be typed. */
function Command({ text }: { readonly text: string }): ReactElement {
  const { overview } = useWords();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Where the browser lets no page write there, the command can still be marked by hand.
    }
  };
  return (
    <p className="command">
      <span>{overview.next}</span> <code>{text}</code>
      <button type="button" onClick={() => void copy()}>
        <span role="status">{copied ? overview.copied : overview.copy}</span>
      </button>
    </p>
  );
}

/** Each phase with how far it is and where its work is, and what to type to bring it home. */
export function Phases({ branches }: { readonly branches: BranchesShape | undefined }): ReactElement {
  const words = useWords();
  const { overview } = words;
  const phases = useRun(state => state.shape?.phases);
  const plan = useRun(state => state.shape?.plan);
  const open = useRun(state => state.shape?.run?.phase);
  const tasks = useRun(state => state.tasks);
  const groups = useMemo(() => Map.groupBy(plan ?? [], card => card.phase), [plan]);
  const rows = useMemo(
    () =>
      (phases ?? []).map(({ label, title }) => {
        const counts: Counts = countStands(groups.get(label) ?? [], tasks);
        return { label, title, counts, done: doneIn(counts), total: totalOf(counts) };
      }),
    [phases, groups, tasks],
  );
  const work = new Map(branches?.phases.map(one => [one.phase, one]));
  const isOver = ({ label, done, total }: (typeof rows)[number]) =>
    rows.length > ALL && done === total && work.get(label)?.state !== "waits";
  const over = rows.filter(isOver).length;
  return (
    <section className="phases" aria-labelledby="phases">
      <h2 id="phases">{overview.work}</h2>
      {branches?.merge !== undefined && <Command text={branches.merge} />}
      <ol>
        {rows
          .filter(row => !isOver(row))
          .map(({ label, title, counts, done, total }) => (
            <li key={label} className={label === open ? "is-open" : ""}>
              <p>
                <a href={hrefOf({ view: "review", item: itemOf({ kind: "phase", phase: label }) })}>
                  <b>{words.phase(shownId(label))}</b> <span>{title}</span>
                </a>
                <em>
                  {done}/{total}
                </em>
              </p>
              <ProgressBar counts={counts} words={words} />
              {work.has(label) && <Where work={work.get(label)!} target={branches?.target ?? ""} />}
            </li>
          ))}
      </ol>
      {over > 0 && <p className="quiet">{overview.finished(over)}</p>}
      {branches?.target === "" && <p className="quiet">{overview.workNone}</p>}
      {branches !== undefined && branches.aside.length > 0 && (
        <>
          <h3>{overview.aside}</h3>
          <ul className="aside">
            {branches.aside.map(({ task, where }) => (
              <li key={where}>
                {task !== undefined && (
                  <a href={hrefOf({ task })}>
                    <Id id={task} />
                  </a>
                )}{" "}
                <code>{where}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
