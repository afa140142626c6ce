import { normalize } from "node:path/posix";
import { fitDiff } from "../../assembly/index.ts";
import type { Task } from "../../plan/index.ts";
import { type AgentFailure, because, ok, type Reason, type Result, type TurnEnd } from "../../ports/index.ts";
import { type AttemptOutcome, judgeReview, NO_FINDINGS, type Opinion } from "../../run/index.ts";
import {
  type Locale,
  type ReviewFacts,
  reviewMessage,
  said,
  uncolored,
  unsignedReview,
} from "../../text/index.ts";
import { countTokens } from "../../tokens/index.ts";
import type { EngineOptions, ReviewRules, ShellEnd } from "../world.ts";
import { failedCheck, notRun } from "./check.ts";
import { asOneAnswer } from "./signal-asked.ts";
import { fromFailure } from "./verdict.ts";

/** Who reviews: an agent by its name, or a command. */
export type Reviewer = { readonly agent: string } | { readonly command: string };

/** What is reviewed. */
export interface ReviewedWork {
  readonly task: Pick<Task, "id" | "title" | "text">;
  /** What a person asked for who has sent it back. */
  readonly sentBack?: string | undefined;
  /** What the checks of it said; empty where there were none. */
  readonly proof: string;
  /** A unified diff of all that changed. */
  readonly diff: string;
  /** What the review before found, and what the worker said to it. */
  readonly earlier?: { readonly findings: string; readonly reply: string };
}

/** What is to be done about an agent that could not be asked: it is waited for, or its account lets nobody in. */
type Closed = Extract<AttemptOutcome, { kind: "quota" | "busy" | "needs-person" }>;

/** What came of asking a reviewer. */
export type Answer =
  | Exclude<Opinion, { kind: "none" }>
  /** Nothing: the work is as unreviewed as before. */
  | {
      readonly kind: "none";
      readonly why: Reason;
      /** Where that is its service's doing: it is to be asked again by then, or soon, or when a person has acted. */
      readonly closed?: Closed;
    }
  /** It cannot be asked, or may not be before a person has seen it. */
  | { readonly kind: "person"; readonly why: Reason };

/** Tokens of a diff that a reviewer reads. */
const DIFF_TOKENS = 32_000;

/** How work is reviewed where only a task says that it is. */
export const USUAL_REVIEW: ReviewRules = { rounds: 2, required: false };

/**
 * Who reviews the work of a task on which an agent works that reports so: whom the task names, else the project's reviewer. Nobody
 * reviews documents; what a command of the person's own did is reviewed only where its task says so.
 */
export function reviewerOf(
  { kind, review }: Pick<Task, "kind" | "review">,
  reports: "signal" | "exit",
  options: Pick<EngineOptions, "review">,
): Reviewer | undefined {
  if (kind === "context-fill" || review === "no") return undefined;
  if (review !== undefined) return { agent: review };
  const { agent, command } = options.review ?? {};
  if (reports === "exit") return undefined;
  return agent !== undefined ? { agent } : command !== undefined ? { command } : undefined;
}

/** What a reviewer is called where its verdict is told. */
export function nameOf(reviewer: Reviewer): string {
  return "agent" in reviewer ? reviewer.agent : "review.command";
}

type Ask = (message: string) => Promise<Result<TurnEnd, AgentFailure>>;

/** The turn of a reviewer; one that ends without its signal is shown what it wrote, and asked for that. */
async function reviewTurn(
  locale: Locale,
  facts: ReviewFacts,
  ask: Ask,
): Promise<Result<TurnEnd, AgentFailure>> {
  const first = await ask(reviewMessage(locale, facts));
  if (!first.ok || first.value.kind === "failed") return first;
  const { finalMessage: wrote, exitCode, complaint } = first.value;
  const isSigned = judgeReview(wrote, facts.signalId).opinion.kind !== "none";
  if (isSigned || exitCode !== 0 || complaint !== undefined || wrote.trim() === "") return first;
  const second = await ask(unsignedReview(locale, { ...facts, said: wrote }));
  return second.ok ? ok(asOneAnswer(wrote, second.value)) : second;
}

/** Has an agent review work. `id` is the id of its signal: nobody whose words it reads may know it. `now` is wall time. */
export async function askAgent(
  agent: string,
  { task, sentBack, proof, diff, earlier }: ReviewedWork,
  locale: Locale,
  id: string,
  now: number,
  ask: Ask,
): Promise<{ readonly answer: Answer; readonly foreign: readonly string[] }> {
  const { text, left } = fitDiff(diff, DIFF_TOKENS, countTokens);
  const { title, text: asked } = task;
  const facts = {
    task: task.id,
    title,
    text: asked,
    sentBack,
    proof,
    diff: text,
    left: left.length,
    earlier,
  };
  const turn = await reviewTurn(locale, { ...facts, signalId: id }, ask);
  const nothing = (failure: AgentFailure) => {
    const { outcome, reason: why = because("no-signal", {}) } = fromFailure(agent, failure, "", now, locale);
    const isClosed =
      outcome.kind === "quota" ||
      outcome.kind === "busy" ||
      (outcome.kind === "needs-person" && outcome.account !== undefined);
    return { answer: { kind: "none", why, ...(isClosed ? { closed: outcome } : {}) }, foreign: [] } as const;
  };
  if (!turn.ok) return nothing(turn.failure);
  const end = turn.value;
  if (end.kind === "failed") return nothing(end.failure);
  const { opinion, foreign } = judgeReview(end.finalMessage, id);
  if (opinion.kind === "findings") return { answer: { ...opinion, text: uncolored(opinion.text) }, foreign };
  const { complaint, exitCode } = end;
  if (opinion.kind === "approved" && exitCode === 0) return { answer: opinion, foreign };
  if (complaint !== undefined) return nothing(complaint);
  const why =
    exitCode === 0 ? because("no-signal", {}) : because("agent-crashed", { exit: exitCode, said: "" });
  return { answer: { kind: "none", why }, foreign };
}

/** What a command says of the work whose diff it was given: 0 approves, with 1 what it printed are findings. */
export function answerOf(end: ShellEnd): Answer {
  const { refused, notStarted, exitCode, tail } = end;
  const stands = refused ?? notRun("review.command", end);
  if (stands !== undefined) return { kind: "person", why: stands };
  if (notStarted !== undefined) return { kind: "none", why: said("system", notStarted) };
  if (exitCode === 0) return { kind: "approved" };
  if (exitCode !== 1) return { kind: "none", why: failedCheck("review.command", end) };
  const text = uncolored(tail).trim();
  return { kind: "findings", text: text === "" ? NO_FINDINGS : text };
}

/** Paths of a change that a command names: by themselves, by a folder, or from a folder below the top of the repository. */
export function namedBy(command: string, paths: readonly string[]): readonly string[] {
  const words = command.split(/[\s"'`;|&()<>=]/).map(word => ({
    path: normalize(word),
    isPath: word.includes("/"),
  }));
  const isNamed = (path: string) =>
    words.some(({ path: named, isPath }) => {
      if (path === named || !isPath) return path === named;
      return path.startsWith(`${named}/`) || path.endsWith(`/${named}`);
    });
  return paths.filter(isNamed);
}

/** The environment of a command that reviews. */
export function reviewEnv(
  { task: { id, title, text }, sentBack = "" }: Pick<ReviewedWork, "task" | "sentBack">,
  base: string,
  tree: string,
): Readonly<Record<string, string>> {
  const plain = (words: string) => words.replaceAll("\0", "").slice(0, 32_000);
  return {
    ESPALIER_TASK: plain(id),
    ESPALIER_TITLE: plain(title),
    ESPALIER_TEXT: plain(text),
    ESPALIER_SENT_BACK: plain(sentBack),
    ESPALIER_BASE: base,
    ESPALIER_TREE: tree,
  };
}
