import type { Task } from "../../plan/index.ts";
import type { AttemptRow } from "../../ports/index.ts";
import { packageTokens } from "../../run/index.ts";
import { dateAndTime, duration, visible, visibleLines } from "../../text/index.ts";
import { type Look, line } from "./look.ts";
import { elapsed } from "./terminal/clock-text.ts";
import { MARKS, type Mark } from "./terminal/marks.ts";
import { uncolored } from "./terminal/uncolored.ts";
import { cut } from "./terminal/width.ts";
import type { Words } from "./words/words.ts";

const LENGTH = 300;
/** Last lines of feedback and evidence that are shown. */
const TAIL = 8;

const ATTEMPT_MARKS: Readonly<Record<AttemptRow["outcome"], Mark>> = {
  running: MARKS.in_progress,
  done: MARKS.completed,
  failed: MARKS.failed,
  "no-signal": MARKS.failed,
  unproven: MARKS.failed,
  cancelled: MARKS.cancelled,
  crashed: MARKS.cancelled,
};

/** Some lines of a foreign text, each in one line of the terminal, behind a rule that none of them can fake. */
export function block(text: string, most: number, from: "start" | "end", look: Look): string[] {
  const all = visibleLines(uncolored(text).trimEnd()).split("\n");
  const shown = from === "end" ? all.slice(-most) : all.slice(0, most);
  const left = all.length - shown.length;
  const rule = look.paint("dim", "      │ ");
  const lines = shown.map(own =>
    own === "" ? look.paint("dim", "      │") : rule + cut(own, look.width - 8),
  );
  if (left <= 0) return lines;
  const more = line(look, { text: `      ${look.words.moreLines(left)}`, style: "dim" });
  return from === "end" ? [more, ...lines] : [...lines, more];
}

/**
 * What an attempt took: of what was read what came from a cache, of what was written what was thought; where its agent told
 * nothing, what it counts with.
 */
function usedText(attempt: AttemptRow, words: Words["used"]): string {
  const { usage = {} } = attempt;
  const amount = (value: number, word: string) => `${Math.round(value).toLocaleString("en-US")} ${word}`;
  const part = (value: number | undefined, word: string) =>
    value === undefined || value === 0 ? "" : ` (${amount(value, word)})`;
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens, estimatedTokens = 0, costUsd } = usage;
  const packaged = packageTokens(attempt);
  const parts = [
    inputTokens === undefined ? "" : `${amount(inputTokens, words.read)}${part(cachedTokens, words.cached)}`,
    outputTokens === undefined
      ? ""
      : `${amount(outputTokens, words.written)}${part(reasoningTokens, words.thought)}`,
    packaged === 0 ? "" : `≈ ${amount(packaged, words.packaged)}`,
    estimatedTokens === 0 ? "" : `≈ ${amount(estimatedTokens, words.estimated)}`,
    costUsd === undefined ? "" : `$${costUsd.toFixed(4)}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** What each reviewer of an attempt took, beside what its agent did. */
function reviewersText(usage: AttemptRow["usage"], words: Words["used"]): string[] {
  return Object.entries(usage?.reviewers ?? {}).map(([by, { tokens, costUsd }]) => {
    const cost = costUsd === undefined ? "" : ` · $${costUsd.toFixed(4)}`;
    return `${Math.round(tokens).toLocaleString("en-US")} ${words.review} ${visible(by, LENGTH)}${cost}`;
  });
}

/** What is known of machines where an attempt is shown. */
interface MachineFacts {
  /** Its run's agents are on other machines. */
  readonly isElsewhere?: boolean;
  /** What its task asks of a machine. */
  readonly labels?: readonly string[] | undefined;
}

/** What the project caps of what its tasks use. */
interface Capped {
  readonly resources?: Readonly<Record<string, number>>;
}

/** What a task asks of the machine that takes it; what the project caps itself asks for none. */
export function askedOf(
  { machine = [], uses = [] }: Pick<Task, "machine" | "uses">,
  { resources = {} }: Capped,
): readonly string[] {
  return [...machine, ...uses.filter(name => !Object.hasOwn(resources, name))];
}

/** Who works on an attempt, and where; or that no machine has begun it. */
export function workerText(
  attempt: Pick<AttemptRow, "agent" | "machine" | "outcome">,
  { isElsewhere, labels = [] }: MachineFacts,
  words: Words,
): string {
  const { machine, outcome } = attempt;
  const agent = visible(attempt.agent, LENGTH);
  if (isElsewhere !== true) return agent;
  if (machine !== undefined) return words.agentOn(agent, visible(machine, LENGTH));
  if (outcome !== "running") return agent;
  return `${agent}  ${words.waitsForMachine(labels.map(label => visible(label, LENGTH)))}`;
}

/** One attempt: who worked how long, how it ended, and what was seen. */
export function attemptLines(
  attempt: AttemptRow,
  facts: MachineFacts & {
    readonly now: number;
    readonly attemptLog: (attempt: number) => string | undefined;
  },
  look: Look,
): string[] {
  const { words } = look;
  const mark = ATTEMPT_MARKS[attempt.outcome];
  const ran =
    attempt.endedAt > 0
      ? duration(attempt.endedAt - attempt.startedAt)
      : elapsed(facts.now - attempt.startedAt);
  const lines = [
    line(
      look,
      { text: `  ${mark.sign} `, style: mark.style },
      { text: `${attempt.number}`.padEnd(3), style: "bold" },
      { text: `${words.attempt[attempt.outcome]}  ${workerText(attempt, facts, words)}  ${ran}` },
      { text: `  ${dateAndTime(attempt.startedAt)}`, style: "dim" },
    ),
  ];
  const used = usedText(attempt, words.used);
  if (used !== "") lines.push(line(look, { text: `      ${used}`, style: "dim" }));
  for (const text of reviewersText(attempt.usage, words.used))
    lines.push(line(look, { text: `      ${text}`, style: "dim" }));
  if (attempt.reason !== undefined)
    lines.push(line(look, { text: `      ${visible(look.words.reason(attempt.reason), LENGTH)}` }));
  if (attempt.evidence !== "")
    lines.push(
      line(look, { text: `      ${words.labels.evidence}`, style: "dim" }),
      ...block(attempt.evidence, TAIL, "end", look),
    );
  // What failed is told to the next attempt; when it only repeats the evidence, once is enough.
  const told =
    `${attempt.feedback === attempt.evidence ? "" : attempt.feedback}\n${attempt.unheard ?? ""}`.trim();
  if (told !== "")
    lines.push(
      line(look, { text: `      ${words.labels.feedback}`, style: "dim" }),
      ...block(told, TAIL, "end", look),
    );
  const log = facts.attemptLog(attempt.number);
  if (log !== undefined) lines.push(look.paint("dim", `      ${words.labels.log} ${visible(log)}`));
  return lines;
}
