import { type ReactElement, type ReactNode, useMemo } from "react";
import { about, dollars, span, tokens } from "../parts/amounts.ts";
import { StatusMark } from "../parts/mark.tsx";
import { ProgressBar } from "../parts/progress.tsx";
import { countStands, doneIn, ORDER, totalOf } from "../parts/stand.ts";
import { useNow } from "../state/now.ts";
import { hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { leftWords } from "./left.ts";

function Fact({
  name,
  value,
  children,
}: {
  readonly name: string;
  readonly value: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="number">
      <dt>{name}</dt>
      <dd>
        <b>{value}</b>
        <small>{children}</small>
      </dd>
    </div>
  );
}

/** How far the run is, how long it still takes, what it took. */
export function Numbers(): ReactElement | null {
  const words = useWords();
  const { overview } = words;
  const run = useRun(state => state.shape?.run);
  const phases = useRun(state => state.shape?.phases);
  const asks = useRun(state => (state.shape?.link.asked.length ?? 0) > 0);
  const cards = useRun(state => state.cards);
  const tasks = useRun(state => state.tasks);
  const counts = useMemo(() => countStands(cards.values(), tasks), [cards, tasks]);
  const running = run?.state === "running";
  const now = useNow(running);
  if (!run) return null;
  const total = totalOf(counts);
  const done = doneIn(counts);
  const at = phases?.findIndex(({ label }) => label === run.phase) ?? -1;
  const stuck =
    counts.in_progress + counts.ready === 0 && counts.paused + counts.failed + counts.cancelled > 0;
  const [left, range, why] = leftWords(run.left, run, { now, done: done === total, stuck, asks }, words);
  const spent = [
    ...(run.costUsd > 0 ? [`${about(run)}${tokens(run.tokens)} ${words.tokens}`] : []),
    ...(run.estimated > 0 ? [words.pages.estimated(tokens(run.estimated))] : []),
    overview.attempts(run.attempts),
    ...(run.unpriced > 0 ? [words.pages.unpriced(run.unpriced)] : []),
  ];
  return (
    <section className="numbers" aria-label={overview.progress}>
      <div className="far">
        <p>
          <b>{done}</b> {words.ofAll(total)}
        </p>
        <ProgressBar counts={counts} words={words} />
        <ul>
          {ORDER.filter(stand => counts[stand] > 0).map(stand => (
            <li key={stand}>
              <a className={`is-${stand}`} href={hrefOf({ view: "graph", item: stand, task: "" })}>
                <StatusMark stand={stand} /> <b>{counts[stand]}</b> {words.stand[stand]}
              </a>
            </li>
          ))}
        </ul>
      </div>
      <dl>
        <Fact name={overview.left} value={left}>
          {range} <span className="why">{why}</span>
        </Fact>
        <Fact
          name={overview.elapsed}
          value={span((running ? now : (run.endedAt ?? run.updatedAt)) - run.startedAt, words.locale)}
        >
          {at >= 0 && phases !== undefined && overview.phaseOf(at + 1, phases.length)}
        </Fact>
        <Fact
          name={overview.spent}
          value={
            run.costUsd > 0
              ? `${about(run)}${dollars(run.costUsd)}`
              : run.tokens > 0
                ? `${about(run)}${tokens(run.tokens)} ${words.tokens}`
                : "–"
          }
        >
          <span className="why">{run.tokens === 0 ? overview.spentNone : spent.join(" · ")}</span>
        </Fact>
      </dl>
    </section>
  );
}
