import type { ReactElement, ReactNode } from "react";
import type { BudgetShape, Spender } from "../../../src/server/shapes/budget.ts";
import { about, dollars, percent, tokens } from "../parts/amounts.ts";
import { shownId } from "../parts/id.tsx";
import { Teach } from "../parts/teach.tsx";
import { useRead } from "../state/read.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { fullness } from "./fullness.ts";
import { Spending } from "./spending.tsx";

/** Agents that are named; the rest are one line. */
const NAMED = 6;

function withOthers(agents: readonly Spender[], others: string): Spender[] {
  if (agents.length <= NAMED + 1) return [...agents];
  const rest = agents.slice(NAMED);
  const sum = (of: (one: Spender) => number) => rest.reduce((total, one) => total + of(one), 0);
  return [
    ...agents.slice(0, NAMED),
    {
      name: `${others} (${rest.length})`,
      tokens: sum(one => one.tokens),
      costUsd: sum(one => one.costUsd ?? 0),
      calls: sum(one => one.calls),
    },
  ];
}

function Bars({ rows, total }: { readonly rows: readonly Spender[]; readonly total: number }): ReactElement {
  const { pages } = useWords();
  const most = Math.max(1, ...rows.map(row => row.tokens));
  return (
    <ul className="spenders">
      {rows.map(({ name, tokens: count, costUsd, calls }) => (
        <li key={name} title={pages.calls(calls)}>
          <span>{name === "" ? pages.packages : name}</span>
          <i style={{ width: `${(count / most) * 100}%` }} />
          <em>
            {tokens(count)} <small>{percent(count / Math.max(1, total))}</small>
          </em>
          <em>{costUsd === undefined || costUsd === 0 ? "" : dollars(costUsd)}</em>
        </li>
      ))}
    </ul>
  );
}

function Fact({
  name,
  value,
  why,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly why?: string;
}): ReactElement {
  return (
    <div className="fact">
      <small>{name}</small>
      <b>{value}</b>
      {why !== undefined && <small className="quiet">{why}</small>}
    </div>
  );
}

/** How full the window is, with the marks at which something happens. */
function Gauge({ budget }: { readonly budget: BudgetShape["window"] }): ReactElement {
  const { pages } = useWords();
  const share = budget.used / Math.max(1, budget.total);
  const state = fullness(budget);
  return (
    <div className={`gauge is-${state}`}>
      <p>
        <b>{percent(share)}</b>
        <span>
          {tokens(budget.used)} / {tokens(budget.total)}
        </span>
        <span className="quiet">
          {pages.remaining} {tokens(Math.max(0, budget.total - budget.used))} · {pages.compression}:{" "}
          {pages.compressionState[state]}
        </span>
      </p>
      <div aria-hidden="true">
        <i style={{ width: `${Math.min(1, share) * 100}%` }} />
        {[0.7, 0.8, 0.9].map(mark => (
          <u key={mark} style={{ left: `${mark * 100}%` }} />
        ))}
      </div>
    </div>
  );
}

function Facts({ budget }: { readonly budget: BudgetShape }): ReactElement {
  const words = useWords();
  const { pages } = words;
  const { spent, updates } = budget;
  const { next } = budget.window;
  const limits = [spent.maxTokens && tokens(spent.maxTokens), spent.maxCost && dollars(spent.maxCost)].filter(
    Boolean,
  );
  return (
    <div className="facts">
      <Fact
        name={pages.spent}
        value={`${about(spent)}${tokens(spent.tokens)} ${words.tokens}`}
        {...(spent.estimated > 0 ? { why: pages.estimated(tokens(spent.estimated)) } : {})}
      />
      <Fact
        name={pages.cost}
        value={spent.costUsd === 0 && spent.unpriced > 0 ? "–" : dollars(spent.costUsd)}
        {...(spent.unpriced > 0 ? { why: pages.unpriced(spent.unpriced) } : {})}
      />
      {limits.length > 0 && <Fact name={pages.limit} value={limits.join(" · ")} />}
      <Fact
        name={pages.next}
        value={next === undefined ? "–" : `${tokens(next.tokens)} ${words.tokens}`}
        why={
          next === undefined
            ? pages.nextNone
            : [...new Set([shownId(next.task), next.role, pages.vsLevel[next.level] ?? next.level])].join(
                " · ",
              )
        }
      />
      <Fact
        name={pages.cacheHit}
        value={spent.input === 0 ? "–" : percent(spent.cached / spent.input)}
        why={pages.cacheHitWhy}
      />
      <Fact
        name={pages.saved}
        value={updates.full === 0 ? "–" : percent(Math.max(0, 1 - updates.sent / updates.full))}
        why={
          updates.messages === 0
            ? pages.savedNone
            : pages.savedWhy(tokens(updates.sent), tokens(updates.full), updates.messages)
        }
      />
    </div>
  );
}

/** What the run takes: the documents' budget dashboard as a page, and what the agents reported. */
export function BudgetView(): ReactElement {
  const words = useWords();
  const { pages } = words;
  const { value: budget, error } = useRead<BudgetShape>("budget");
  const phases = useRun(state => state.shape?.phases);
  if (error !== undefined) return <p className="empty">{error}</p>;
  if (budget === undefined) return <p className="empty">{words.loading}</p>;
  const { window: room, spent } = budget;
  if (room.used === 0 && spent.tokens === 0 && spent.unpriced === 0)
    return (
      <div className="page">
        <Teach lesson={pages.budgetLesson} />
      </div>
    );
  const titles = new Map(phases?.map(({ label, title }) => [label, title]));
  const stages = spent.stages.map(stage => ({
    ...stage,
    name: `${words.phase(shownId(stage.name))} ${titles.get(stage.name) ?? ""}`,
  }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a page that scrolls must be reachable by keyboard
    <section className="page budget" tabIndex={0} aria-label={words.view.budget}>
      <h2>{pages.window}</h2>
      <Gauge budget={room} />
      <Facts budget={budget} />
      <div className="columns">
        {spent.tokens > 0 && (
          <section className="whole">
            <h2>{pages.overTime}</h2>
            <Spending points={spent.curve} />
          </section>
        )}
        {room.used > 0 && (
          <section>
            <h2>{pages.perRole}</h2>
            <Bars rows={withOthers(room.agents, pages.others)} total={room.total} />
          </section>
        )}
        {spent.tokens > 0 ? (
          <>
            <section>
              <h2>{pages.perAgent}</h2>
              <Bars rows={withOthers(spent.agents, pages.others)} total={spent.tokens} />
            </section>
            <section>
              <h2>{pages.perStage}</h2>
              <Bars rows={stages} total={spent.tokens} />
            </section>
          </>
        ) : (
          <p className="quiet">{pages.noUsage}</p>
        )}
      </div>
    </section>
  );
}
