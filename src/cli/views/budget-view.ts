import type { AgentRole } from "../../budget/index.ts";
import type { BudgetFacts } from "../../host/monitor/facts.ts";
import { visible } from "../../text/index.ts";
import { cell, type Look, line } from "./look.ts";
import type { Style } from "./terminal/paint.ts";
import { textWidth } from "./terminal/width.ts";
import type { BudgetWords } from "./words/budget-words.ts";

const number = (tokens: number): string => Math.round(tokens).toLocaleString("en-US");
const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;

/** Agents that have a line of their own. */
const NAMED = 4;
const NARROW = 20;
const WIDE = 34;
const SPARKS = "▁▂▃▄▅▆▇█";

/** A bar of `width` columns; a share above 1 fills it. */
function gauge(share: number, width: number): string {
  const full = Math.min(width, Math.max(0, Math.round(share * width)));
  return "█".repeat(full) + "░".repeat(width - full);
}

/** The course of a value as a row of blocks, at most `width` of them. */
export function sparkline(values: readonly number[], width: number): string {
  const top = Math.max(...values, 1);
  const step = Math.max(1, values.length / width);
  const columns = Math.min(width, values.length);
  return Array.from({ length: columns }, (_, at) => {
    // The last value of each stretch, so that the row ends where the course does.
    const value = values[Math.min(values.length - 1, Math.ceil((at + 1) * step) - 1)] ?? 0;
    return SPARKS[Math.min(SPARKS.length - 1, Math.floor((value / top) * SPARKS.length))];
  }).join("");
}

function styleOf(share: number): Style {
  return share >= 0.9 ? "red" : share >= 0.8 ? "yellow" : "green";
}

function agentLines(facts: BudgetFacts, words: BudgetWords, look: Look): string[] {
  const named = facts.agents.slice(0, NAMED);
  const rest = facts.agents.slice(NAMED);
  const others = rest.reduce((sum, { tokens }) => sum + tokens, 0);
  const rows = [
    ...named.map(({ agent, tokens }) => [visible(agent, 40), tokens] as const),
    ...(rest.length === 0 ? [] : [[words.others, others] as const]),
  ];
  if (rows.length === 0) return [line(look, { text: `  ${words.nothing}`, style: "dim" })];
  const widest = Math.max(...rows.map(([label]) => textWidth(label)));
  const top = Math.max(...rows.map(([, tokens]) => tokens), 1);
  return rows.map(([label, tokens]) =>
    line(
      look,
      { text: `  ${cell(look, label, widest)}  ` },
      { text: gauge(tokens / top, NARROW), style: "cyan" },
      { text: `  ${number(tokens)} (${percent(facts.total === 0 ? 1 : tokens / facts.total)})` },
    ),
  );
}

/** `Full VS`, as the document writes it. */
function vsName({ vsLevel }: AgentRole): string {
  return `${vsLevel.charAt(0).toUpperCase()}${vsLevel.slice(1).replace("_vs", " VS")}`;
}

function spentLine({ spent }: BudgetFacts, words: BudgetWords): string {
  const limit = (value: string, most: string | undefined): string =>
    most === undefined ? value : `${value} ${words.of} ${most}`;
  const about = spent.estimated > 0 ? "≈ " : "";
  const parts = [
    `${about}${limit(number(spent.tokens), spent.maxTokens === undefined ? undefined : number(spent.maxTokens))} ${words.tokens}`,
  ];
  if (spent.cost !== undefined || spent.maxCost !== undefined) {
    const most = spent.maxCost === undefined ? undefined : `$${spent.maxCost.toFixed(2)}`;
    parts.push(limit(`$${(spent.cost ?? 0).toFixed(2)}`, most));
    if (spent.unpriced > 0) parts.push(words.unpriced(spent.unpriced));
  }
  return parts.join(", ");
}

/** The dashboard: total, used and remaining, a bar, the agents, and what comes next. */
export function budgetView(facts: BudgetFacts, words: BudgetWords, look: Look): string[] {
  const { total, used, share, finest, next, history } = facts;
  const status = share > 1 ? words.over : finest === 2 ? words.compressing : words.normal;
  const row = (label: string, text: string, style: Style = "plain"): string =>
    line(look, { text: `${label}: `, style: "dim" }, { text, style });
  return [
    line(look, { text: words.title, style: "title" }),
    "",
    row(words.total, `${number(total)} ${words.tokens}`),
    row(words.used, `${number(used)} ${words.tokens} (${percent(share)})`),
    row(words.remaining, `${number(Math.max(0, total - used))} ${words.tokens}`),
    "",
    line(look, { text: gauge(share, WIDE), style: styleOf(share) }, { text: ` ${percent(share)}` }),
    "",
    line(look, { text: `${words.perAgent}:`, style: "dim" }),
    ...agentLines(facts, words, look),
    "",
    row(words.compression, status, finest === 2 || share > 1 ? "yellow" : "green"),
    ...(next === undefined
      ? []
      : [
          row(
            words.next,
            `${number(next.tokens)} ${words.tokens} (${[vsName(next.role), ...new Set([visible(next.role.label, 40), visible(next.task, 40)])].join(", ")})`,
          ),
        ]),
    ...(history.length < 2 ? [] : [row(words.history, sparkline(history, WIDE))]),
    row(words.spent, spentLine(facts, words)),
  ];
}
