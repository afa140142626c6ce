import type { AgentEstimate, Amount, RunEstimate } from "../../run/index.ts";
import { type Locale, visible } from "../../text/index.ts";
import { columnWidth, filled } from "./terminal/width.ts";

/** What `espalier run --dry-run` says of what a run would take, in one language. */
interface EstimateWords {
  readonly title: string;
  readonly together: string;
  readonly tasks: (tasks: number) => string;
  readonly tokens: (text: string) => string;
  /** At least this much: nothing else is known. */
  readonly least: (text: string) => string;
  readonly between: (low: string, high: string) => string;
  readonly noPast: string;
  readonly basis: (tasks: number, attempts: string) => string;
  readonly noSpread: string;
  readonly noPrice: string;
  readonly partly: string;
}

const ENGLISH: EstimateWords = {
  title: "Estimate",
  together: "together",
  tasks: tasks => `${tasks} ${tasks === 1 ? "task" : "tasks"}`,
  tokens: text => `${text} tokens`,
  least: text => `at least ${text}`,
  between: (low, high) => `(${low} to ${high})`,
  noPast: "no past attempts of this agent here: only the texts of the tasks are counted",
  basis: (tasks, attempts) =>
    `from ${tasks} completed ${tasks === 1 ? "task" : "tasks"} of the last run, ${attempts} attempts each; nine of ten runs lie between`,
  noSpread: "from one completed task of the last run: how far it may be off is not known",
  noPrice: "price not known: budget.prices sets it",
  partly: "of those whose price is known",
};

const KOREAN: EstimateWords = {
  title: "예상",
  together: "합계",
  tasks: tasks => `태스크 ${tasks}개`,
  tokens: text => `${text} 토큰`,
  least: text => `최소 ${text}`,
  between: (low, high) => `(${low} ~ ${high})`,
  noPast: "이 에이전트의 지난 시도가 없습니다. 태스크 본문만 셉니다",
  basis: (tasks, attempts) =>
    `지난 실행에서 완료된 태스크 ${tasks}개 기준, 각 ${attempts}회 시도; 열에 아홉은 이 범위`,
  noSpread: "지난 실행에서 완료된 태스크 1개 기준: 오차 범위는 알 수 없습니다",
  noPrice: "가격을 알 수 없음: budget.prices로 설정",
  partly: "가격을 아는 것만",
};

/** Two digits that say something: more would claim to be known. */
function rough(tokens: number): string {
  if (tokens < 100) return String(Math.round(tokens));
  const unit = 10 ** (Math.floor(Math.log10(tokens)) - 1);
  return (Math.round(tokens / unit) * unit).toLocaleString("en-US");
}

const dollars = (cost: number): string =>
  cost > 0 && cost < 0.005 ? "<$0.01" : `$${cost.toFixed(cost < 10 ? 2 : 0)}`;

function amount(
  { expected, low, high }: Amount,
  show: (value: number) => string,
  words: EstimateWords,
): string {
  const range = low === undefined || high === undefined ? "" : ` ${words.between(show(low), show(high))}`;
  return `~${show(expected)}${range}`;
}

function agentLines(one: AgentEstimate, name: string, words: EstimateWords): string[] {
  const { tasks, basis, attemptsEach, tokens, cost } = one;
  const indent = " ".repeat(name.length);
  const head = `${name}  ${words.tasks(tasks)}  `;
  if (basis === 0)
    return [`${head}${words.least(words.tokens(rough(tokens.expected)))}`, `${indent}  ${words.noPast}`];
  const price = cost === undefined ? words.noPrice : amount(cost, dollars, words);
  const why = basis === 1 ? words.noSpread : words.basis(basis, attemptsEach.toFixed(1));
  return [`${head}${words.tokens(amount(tokens, rough, words))}  ${price}`, `${indent}  ${why}`];
}

/** What a run is expected to take, as lines. */
export function estimateView({ agents, tokens, cost }: RunEstimate, locale: Locale): string[] {
  const words = locale === "ko" ? KOREAN : ENGLISH;
  const width = columnWidth(agents, ({ agent }) => visible(agent, 40), 20);
  const lines = agents.flatMap(one => agentLines(one, `  ${filled(visible(one.agent, 40), width)}`, words));
  if (agents.length < 2) return ["", words.title, ...lines];
  const isLeast = agents.some(({ basis }) => basis === 0);
  const all = isLeast
    ? words.least(words.tokens(rough(tokens.expected)))
    : words.tokens(amount(tokens, rough, words));
  const isPart = agents.some(one => one.cost === undefined);
  const price =
    cost === undefined ? "" : `  ${amount(cost, dollars, words)}${isPart ? ` ${words.partly}` : ""}`;
  return ["", words.title, ...lines, `  ${words.together}  ${all}${price}`];
}
