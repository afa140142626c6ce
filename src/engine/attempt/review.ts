import { pathsInDiff } from "../../assembly/index.ts";
import { because, fail, few, type Reason } from "../../ports/index.ts";
import { type AttemptOutcome, withoutSignals } from "../../run/index.ts";
import { evidenceWords, findingsMessage, type ReviewFacts, reasonText } from "../../text/index.ts";
import { countTokens } from "../../tokens/index.ts";
import { takenOver } from "../hand-over.ts";
import { vcsReason } from "../workspaces/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import { wordsOf } from "./harvest.ts";
import type { MoreSessions } from "./more-sessions.ts";
import { answerStands, oneAnswer } from "./one-answer.ts";
import { awaitedReview, keepForReview, whyUnreviewed } from "./proved.ts";
import {
  type Answer,
  answerOf,
  askAgent,
  namedBy,
  nameOf,
  type Reviewer,
  reviewEnv,
  reviewerOf,
  USUAL_REVIEW,
} from "./reviewer.ts";
import type { AttemptRequest, Place, StopSignals } from "./types.ts";
import { fromFailure, judgeTurn, toldOf, type Verdict, verdict } from "./verdict.ts";

/** A verdict, and the message it was given for. */
export type Told = Verdict & { readonly finalMessage: string };

/** Everything around one attempt whose work is reviewed. */
export interface ReviewScene {
  readonly request: AttemptRequest;
  readonly place: Place;
  readonly sessions: MoreSessions;
  /** What the attempt's agent was told when it began, or would have been. */
  readonly assignment: () => string | Promise<string>;
  readonly world: HeardWorld;
  readonly options: EngineOptions;
  readonly stop: StopSignals;
}

/** Characters of the findings of one round that stay in the evidence. */
const EVIDENCE = 1200;

/** Work that nobody has reviewed waits, for a person or for its reviewer: nothing of it lands, and it is kept. */
function waits(
  { request, world, options }: ReviewScene,
  told: Told,
  by: string,
  why: Reason,
  outcome: AttemptOutcome = { kind: "needs-person", reason: why },
): Told {
  const { locale } = options.messages;
  const line = evidenceWords(locale).waits(reasonText(why, locale));
  const { foreign, evidence: said } = told;
  // Whoever is asked again and again says the same.
  const evidence = said.split("\n").includes(line) ? said : `${said}\n${line}`;
  const reason = whyUnreviewed(request.task, by, why, told);
  return {
    ...verdict(outcome, "unproven", { reason, evidence, foreign }),
    finalMessage: wordsOf(request, told.finalMessage, world),
  };
}

/** What an agent or a stand-in says of the work in its name, and who that was; none of them is asked that has no quota or is not let in. */
async function askWho(
  scene: ReviewScene,
  reviewer: Reviewer,
  told: Told,
  before: Earlier | undefined,
): Promise<Asked & { readonly by: string }> {
  if (!("agent" in reviewer)) return { ...(await ask(scene, reviewer, told, before)), by: nameOf(reviewer) };
  const { request, stop } = scene;
  const { agent } = reviewer;
  for (let foreign: readonly string[] = []; ; ) {
    const who = request.reviewer(agent);
    if (typeof who !== "string") {
      const why = because("out-of-quota", who);
      return { answer: { kind: "none", why, closed: { kind: "quota", ...who } }, foreign, by: agent };
    }
    const since = request.now();
    const asked = await ask(scene, { agent: who }, told, before);
    foreign = [...foreign, ...asked.foreign];
    const closed = asked.answer.kind === "none" ? asked.answer.closed : undefined;
    const answered = { answer: asked.answer, foreign, by: who };
    if (closed === undefined || closed.kind === "busy") return answered;
    request.hear(who, closed, since);
    const next = request.reviewer(agent);
    if (stop.cancel.aborted || typeof next !== "string" || next === who) return answered;
    request.emit(takenOver(who, next, closed, request.task.id));
  }
}

/** The findings of the review before, and what the agent said to them. */
type Earlier = NonNullable<ReviewFacts["earlier"]>;

/** What a reviewer was asked, and signals in its words that were meant for others. */
interface Asked {
  readonly answer: Answer;
  readonly foreign: readonly string[];
}

/** Whether a person had the work go on although it changes what reviews it. */
function hasSeenEdits({ proved }: AttemptRequest): boolean {
  return proved !== undefined && awaitedReview(proved)?.code === "reviewer-edited";
}

/** Asks the reviewer once, in the folder of the work; from the second time on it is told what was found before, and answered. */
async function ask(
  { request, place, sessions, world, options, stop }: ReviewScene,
  reviewer: Reviewer,
  { evidence: proof }: Told,
  earlier: Earlier | undefined,
): Promise<Asked> {
  const { task, row } = request;
  const { workspace, sealed } = place;
  const diff =
    workspace === undefined || sealed === undefined
      ? undefined
      : await workspace.diff(workspace.base, sealed.tree);
  if (workspace === undefined || sealed === undefined || diff === undefined)
    return { answer: { kind: "none", why: because("no-diff", {}) }, foreign: [] };
  const sentBack = request.sentBack?.note;
  const work = { task, sentBack, proof, diff, ...(earlier === undefined ? {} : { earlier }) };
  if ("agent" in reviewer) {
    // The nonce of the attempt is known to whose words are reviewed.
    const id = `${task.id}#${world.random(6)}`;
    let refused: Reason | undefined;
    const asked = await askAgent(
      reviewer.agent,
      work,
      options.messages.locale,
      id,
      request.now(),
      async message => {
        refused = request.refusesReview(reviewer.agent, countTokens(message));
        if (refused === undefined) return sessions.other(reviewer.agent, message, id);
        return fail({ kind: "cancelled", message: "budget", retryable: true });
      },
    );
    return refused === undefined ? asked : { answer: { kind: "none", why: refused }, foreign: [] };
  }
  const { command } = reviewer;
  const edited = namedBy(command, pathsInDiff(diff));
  if (edited.length > 0 && !hasSeenEdits(request)) {
    const why = because("reviewer-edited", { by: nameOf(reviewer), paths: few(edited) });
    return { answer: { kind: "person", why }, foreign: [] };
  }
  request.emit({ type: "verify-started", task: task.id, attempt: row.number, command });
  const end = await world.shell({
    task: task.id,
    agent: row.agent,
    name: "review.command",
    command,
    cwd: place.cwd,
    env: { ...world.env, ...reviewEnv(work, workspace.base, sealed.tree) },
    input: diff,
    token: row.token,
    limits: options.limits,
    ...stop,
  });
  return { answer: answerOf(end), foreign: [] };
}

/** Puts back what a reviewer changed, and tells it; what stands against that, where it cannot be. `before` stood there when it was asked. */
async function putBack(
  { request, place }: ReviewScene,
  by: string,
  before: string | undefined,
): Promise<Reason | undefined> {
  const { workspace, sealed } = place;
  if (workspace === undefined || sealed === undefined || before === undefined) return undefined;
  const now = await workspace.seal();
  if (!now.ok) {
    const why = vcsReason(now.failure);
    if (now.failure.kind === "config-changed") request.halt(why);
    return because("unreviewed", { by, why });
  }
  if (now.value.tree === before) return undefined;
  const paths = few(pathsInDiff((await workspace.diff(before, now.value.tree)) ?? ""));
  // What a person changes in the main checkout meanwhile must not go with it.
  const stays = !workspace.linked;
  const message = because("reviewer-wrote", { by, paths, stays });
  if (stays) return message;
  const tidied = await workspace.tidy(sealed.tree);
  if (!tidied.ok) return because("unreviewed", { by, why: vcsReason(tidied.failure) });
  request.emit({ type: "warning", code: "REVIEWER_WROTE", message, task: request.task.id });
  return undefined;
}

/** What stands in the folder before anybody is asked: in the main checkout what checks left behind stays beside the work. */
async function standing({ place: { workspace, sealed } }: ReviewScene): Promise<string | undefined> {
  if (workspace?.linked !== false) return sealed?.tree;
  const now = await workspace.seal();
  return now.ok ? now.value.tree : sealed?.tree;
}

/** Hands the findings to the attempt's agent, and judges what it makes of them like any claim. */
async function mend(
  scene: ReviewScene,
  told: Told,
  findings: string,
): Promise<{ readonly told: Told; readonly reply: string }> {
  const { request, place, sessions, assignment, world, options, stop } = scene;
  const { task, row, agent } = request;
  const { locale, words } = options.messages;
  const facts = { findings: toldOf(findings, locale), signalId: `${task.id}#${row.nonce}` };
  const said = request.words();
  const message = [
    ...(said.length === 0 ? [] : [words(said)]),
    findingsMessage(locale, facts),
    answerStands(request, options),
  ].join("\n");
  const turn = await sessions.again(message, assignment);
  const end = turn.ok ? turn.value : ({ kind: "failed", failure: turn.failure, finalMessage: "" } as const);
  const finalMessage = oneAnswer(told.finalMessage, end.finalMessage, request, options);
  const { signals } = options;
  const reply = withoutSignals(end.finalMessage, { task: task.id, nonce: row.nonce, signals });
  const judged =
    end.kind === "failed"
      ? fromFailure(agent.name, end.failure, end.finalMessage, request.now(), locale)
      : await judgeTurn(request, end, place, world, options, stop);
  const feedback = judged.outcome.kind === "done" ? judged.feedback : `${judged.feedback}\n${findings}`;
  const foreign = [...told.foreign, ...judged.foreign];
  const stale = told.stale === undefined ? {} : { stale: told.stale };
  return { told: { ...judged, feedback, foreign, finalMessage, ...stale }, reply };
}

/** What work that nobody could review comes to. */
function unreviewed(
  scene: ReviewScene,
  told: Told,
  by: string,
  { why, closed }: Extract<Answer, { kind: "none" }>,
): Told {
  const { request, options } = scene;
  const message = because("unreviewed", { by, why });
  const { required } = options.review ?? USUAL_REVIEW;
  const waited = closed?.kind === "needs-person" ? undefined : closed;
  if (required) return waits(scene, told, by, why, waited ?? { kind: "needs-person", reason: message });
  request.emit({ type: "warning", code: "UNREVIEWED", message, task: request.task.id });
  const { locale } = options.messages;
  const line = evidenceWords(locale).unreviewed(reasonText(why, locale));
  return { ...told, evidence: `${told.evidence}\n${line}` };
}

/**
 * Has proved work judged before it lands. Findings go back to its agent, whose next claim is proved and reviewed again, as often
 * as the rules have it; an attempt with findings left has failed, and the next one is told them. What a reviewer changes is put
 * back: what lands is what was proved.
 */
export async function review(scene: ReviewScene, proved: Told): Promise<Told> {
  const { request, options, stop } = scene;
  const { task, row, agent } = request;
  const reviewer = reviewerOf(task, agent.reports, options);
  if (reviewer === undefined || proved.outcome.kind !== "done") return proved;
  const { rounds } = options.review ?? USUAL_REVIEW;
  const words = evidenceWords(options.messages.locale);
  /** Of a review that was ended: it is begun again, and what was proved is not done again. */
  const ended = (): Told => {
    const { evidence, foreign } = told;
    const reason = whyUnreviewed(task, nameOf(reviewer), because("cancelled-outside", {}), told);
    const finalMessage = wordsOf(request, told.finalMessage, scene.world);
    return { ...verdict({ kind: "cancelled" }, "cancelled", { reason, evidence, foreign }), finalMessage };
  };
  const history: string[] = [];
  let before: Earlier | undefined;
  let told = proved;
  for (let round = 1; ; round++) {
    const isKept = await keepForReview(request, scene.place, told, nameOf(reviewer));
    if (!isKept || stop.cancel.aborted || !request.isWanted()) return ended();
    const stood = await standing(scene);
    const { answer, foreign, by } = await askWho(scene, reviewer, told, before);
    const stands = await putBack(scene, by, stood);
    // A reviewer that was ended with everything else has said nothing.
    if (stop.cancel.aborted) return ended();
    told = {
      ...told,
      foreign: [...told.foreign, ...foreign],
      evidence: [told.evidence, ...history].join("\n"),
    };
    if (stands !== undefined) return waits(scene, told, by, stands);
    if (answer.kind === "person") return waits(scene, told, by, answer.why);
    if (answer.kind === "none") return unreviewed(scene, told, by, answer);
    request.emit({ type: "reviewed", task: task.id, attempt: row.number, by, verdict: answer.kind, round });
    if (answer.kind === "approved") {
      return { ...told, evidence: `${told.evidence}\n${words.approved(by, round)}` };
    }
    const findings = answer.text;
    history.push(`${words.findings(by, round)}\n${findings.slice(0, EVIDENCE)}`);
    const evidence = `${told.evidence}\n${history.at(-1) ?? ""}`;
    if (agent.reports === "exit" || round > rounds) {
      const reason = because("review-findings", { by });
      // A command hears no findings: trying it again would make the same.
      const outcome = { kind: agent.reports === "exit" ? "needs-person" : "failed", reason } as const;
      const more = { reason, feedback: findings, evidence, foreign: told.foreign };
      return { ...verdict(outcome, "unproven", more), finalMessage: told.finalMessage };
    }
    const mended = await mend(scene, told, findings);
    if (mended.told.outcome.kind === "cancelled") return ended();
    told = mended.told;
    before = { findings, reply: mended.reply };
    if (told.outcome.kind !== "done")
      return { ...told, evidence: [told.evidence, ...history].filter(part => part !== "").join("\n") };
  }
}
