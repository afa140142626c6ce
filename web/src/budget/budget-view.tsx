import type { ReactElement, ReactNode } from "react";
import type { BudgetShape, Spender } from "../../../src/server/shapes/budget.ts";
import { dollars, percent, tokens } from "../parts/amounts.ts";
import { shownId } from "../parts/id.tsx";
import { useRead } from "../state/read.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
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
          <span>{name}</span>
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

function Fact({ name, value, why }: { readonly name: string; readonly value: ReactNode; readonly why?: string }): ReactElement {
  return (
    <div className="fact">
      <small>{name}</small>
      <b>{value}</b>
      {why !== undefined && <small className="quiet">{why}</small>}
    </div>
  );
}

/** How full the budget is, with the marks at which something happens. */
function Gauge({ budget }: { readonly budget: BudgetShape }): ReactElement {
  const { pages } = useWords();
  const share = budget.used / Math.max(1, budget.total);
  return (
    <div className={`gauge is-${budget.compression}`}>
      <p>
        <b>{percent(share)}</b>
        <span>
          {tokens(budget.used)} / {tokens(budget.total)}
        </span>
        <span className="quiet">
          {pages.remaining} {tokens(Math.max(0, budget.total - budget.used))}
        </span>
      </p>
      <div>
        <i style={{ width: `${Math.min(1, share) * 100}%` }} />
        {[0.7, 0.8, 0.9].map(mark => (
          <u key={mark} style={{ left: `${mark * 100}%` }} />
        ))}
      </div>
    </div>
  );
}

/** What the run takes: the documents' budget dashboard as a page. */
export function BudgetView(): ReactElement {
  const words = useWords();
  const { pages } = words;
  const { value: budget, error } = useRead<BudgetShape>("budget");
  const phases = useRun(state => state.shape?.phases);
  if (error !== undefined) return <p className="empty">{error}</p>;
  if (budget === undefined) return <p className="empty">{words.loading}</p>;
  const { updates, next } = budget;
  const titles = new Map(phases?.map(({ label, title }) => [label, title]));
  const stages = budget.stages.map(stage => ({
    ...stage,
    name: `${words.phase(shownId(stage.name))} ${titles.get(stage.name) ?? ""}`,
  }));
  return (
    <div className="page budget">
      <Gauge budget={budget} />
      <div className="facts">
        <Fact name={words.cost} value={dollars(budget.costUsd)} {...(budget.unpriced > 0 ? { why: pages.unpriced(budget.unpriced) } : {})} />
        {(budget.maxTokens ?? budget.maxCost) !== undefined && (
          <Fact
            name={pages.limit}
            value={[budget.maxTokens && tokens(budget.maxTokens), budget.maxCost && dollars(budget.maxCost)].filter(Boolean).join(" · ")}
          />
        )}
        <Fact name={pages.compression} value={pages.compressionState[budget.compression]} />
        <Fact
          name={pages.next}
          value={next === undefined ? "–" : `${tokens(next.tokens)} ${words.tokens}`}
          why={
            next === undefined
              ? pages.nextNone
              : `${shownId(next.task)}${next.role === "" ? "" : ` · ${next.role}`} · ${pages.vsLevel[next.level] ?? next.level}`
          }
        />
        <Fact
          name={pages.cacheHit}
          value={budget.input === 0 ? "–" : percent(budget.cached / budget.input)}
          why={pages.cacheHitWhy}
        />
        <Fact
          name={pages.saved}
          value={updates.full === 0 ? "–" : percent(Math.max(0, 1 - updates.sent / updates.full))}
          why={pages.savedWhy(tokens(updates.sent), tokens(updates.full), updates.messages)}
        />
      </div>
      {budget.used === 0 ? (
        <p className="quiet">{pages.noUsage}</p>
      ) : (
        <div className="columns">
          <section className="whole">
            <h2>{pages.overTime}</h2>
            <Spending points={budget.spending} />
          </section>
          <section>
            <h2>{pages.perAgent}</h2>
            <Bars rows={withOthers(budget.agents, pages.others)} total={budget.used} />
          </section>
          <section>
            <h2>{pages.perStage}</h2>
            <Bars rows={stages} total={budget.used} />
          </section>
        </div>
      )}
    </div>
  );
}
