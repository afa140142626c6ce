import type { Form } from "../../../delta/index.ts";
import { visible } from "../../../text/index.ts";
import { cell, heading, type Look, line } from "../../views/look.ts";
import { MARKS } from "../../views/terminal/marks.ts";
import { alignRight, filled, textWidth } from "../../views/terminal/width.ts";
import type { DeltaWords } from "../../views/words/delta-words.ts";

/** One step of a document's history, as `--json` prints it. */
export interface ReplayStep {
  readonly from: number | string;
  readonly to: number | string;
  readonly exact: boolean;
  /** `none`: no message could be made. */
  readonly form: Form | "none";
  readonly tokens: {
    readonly sent: number | null;
    readonly delta: number | null;
    readonly full: number;
    readonly u0: number | null;
  };
}

/** What `--json` prints. */
export interface ReplayReport {
  readonly steps: readonly ReplayStep[];
  readonly total: {
    readonly steps: number;
    readonly exact: number;
    /** Share of the new document's tokens that is sent; null when no step has any. */
    readonly meanPercent: number | null;
    readonly medianPercent: number | null;
  };
}

/** Percent of the new document that a step sends; undefined where there is nothing to compare with. */
function percentOf({ tokens: { sent, full } }: ReplayStep): number | undefined {
  return sent === null || full === 0 ? undefined : (100 * sent) / full;
}

/** Adds the steps up. */
export function totalOf(steps: readonly ReplayStep[]): ReplayReport["total"] {
  const shares = steps.flatMap(step => percentOf(step) ?? []).sort((a, b) => a - b);
  const middle = shares.length >> 1;
  const median =
    shares.length % 2 === 1 ? shares[middle] : ((shares[middle - 1] ?? 0) + (shares[middle] ?? 0)) / 2;
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const some = shares.length > 0;
  return {
    steps: steps.length,
    exact: steps.filter(step => step.exact).length,
    meanPercent: some ? rounded(mean) : null,
    medianPercent: some ? rounded(median ?? 0) : null,
  };
}

function rounded(percent: number): number {
  return Math.round(percent * 100) / 100;
}

/** The report for people: a line for each step, and what it comes to. */
export function replayView(report: ReplayReport, path: string, look: Look, words: DeltaWords): string[] {
  const { steps, total } = report;
  if (steps.length === 0) return [words.sameVersions(visible(path))];
  const { columns } = words;
  const names = steps.map(({ from, to }) => `${from} → ${to}`);
  const width = names.reduce((most, name) => Math.max(most, name.length), textWidth(columns.step));
  const number = (value: number | null): string => (value === null ? "–" : String(value)).padStart(8);
  const right = (text: string): string => alignRight(text, 8);
  const head = `${filled(columns.step, width)}  ${filled(columns.form, 8)} ${right(columns.sent)} ${right(columns.full)} ${right("git -U0")} ${right(columns.saved)}`;
  const rows = steps.map((step, at) => {
    const { sign, style } = MARKS[step.exact ? "completed" : "failed"];
    const percent = percentOf(step);
    const saved = percent === undefined ? "–" : `${(100 - percent).toFixed(1)} %`;
    const { sent, full, u0 } = step.tokens;
    return line(
      look,
      { text: `${sign} `, style },
      { text: cell(look, names[at]!, width) },
      { text: `  ${step.form.padEnd(8)} ${number(sent)} ${number(full)} ${number(u0)}` },
      { text: saved.padStart(9), style: percent !== undefined && percent > 100 ? "yellow" : "plain" },
    );
  });
  return [
    heading(look, `  ${head}`),
    ...rows,
    "",
    ...verdict(report, look, words),
    ...sums(steps, total.steps, words),
  ];
}

function verdict({ total }: ReplayReport, look: Look, words: DeltaWords): string[] {
  const { steps, exact, meanPercent, medianPercent } = total;
  const proof = words.stepsExact(exact, steps);
  const share =
    meanPercent === null || medianPercent === null
      ? []
      : words.share(meanPercent.toFixed(1), medianPercent.toFixed(1)).map(text => ({ text }));
  return [line(look, { text: proof, style: exact === steps ? "green" : "red" }, ...share)];
}

function sums(steps: readonly ReplayStep[], count: number, words: DeltaWords): string[] {
  let [sent, full, plain, beside, compared] = [0, 0, 0, 0, 0];
  for (const { tokens } of steps) {
    sent += tokens.sent ?? tokens.full;
    full += tokens.full;
    if (tokens.u0 === null || tokens.sent === null) continue;
    plain += tokens.u0;
    beside += tokens.sent;
    compared++;
  }
  const saved = full === 0 ? undefined : (100 - (100 * sent) / full).toFixed(1);
  const lines = [words.sum(sent, full, saved)];
  if (compared > 0) {
    const among = compared === count ? undefined : compared;
    const factor = plain === 0 ? undefined : (beside / plain).toFixed(2);
    lines.push(words.plainDiff(plain, among, factor));
  } else lines.push(words.noPlainDiff);
  const forms = ["delta", "sections", "full", "none"].flatMap(form => {
    const times = steps.filter(step => step.form === form).length;
    return times === 0 ? [] : [`${form} ${times}`];
  });
  return [...lines, words.forms(forms.join(", "))];
}
