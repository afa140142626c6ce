import { blocksIn, handoverIn, handoverRepair, notAdded, signalLast } from "../../context/library/index.ts";
import {
  type AgentEvent,
  type AgentUsage,
  type AttemptRow,
  because,
  type PermissionQuestion,
  type TurnEnd,
} from "../../ports/index.ts";
import { judgeMessage } from "../../run/index.ts";
import { firstLine, reasonText } from "../../text/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import type { Briefing } from "./briefing.ts";
import { createBlockCount, tellCut } from "./cut-blocks.ts";
import type { Execution } from "./execution.ts";
import { followTurn, tellWork } from "./follow.ts";
import { answerStands, oneAnswer, withoutAcks } from "./one-answer.ts";
import { asOneAnswer, MOST_SIGNAL_REQUESTS, signalRequest, tellAsked } from "./signal-asked.ts";
import { type DueUpdate, joinTeam, MOST_TOLD, type Team } from "./team.ts";
import type { AttemptRequest } from "./types.ts";

/** Updates that one attempt is interrupted with: a document that never rests must not keep its agents from ending. */
const MOST_ROUNDS = 5;

/** How the conversation with the agent went, and what its row keeps of it. */
export interface Conversation {
  readonly end: TurnEnd;
  /** Why the agent wants a person to decide about an update, if it does. */
  readonly paused?: string;
  /** What it holds of documents that have changed, where that is not the newest. */
  readonly stale?: string;
  /** What it asked for first of all that nobody answered. */
  readonly unanswered?: PermissionQuestion;
  readonly kept: Partial<AttemptRow>;
}

type Kept = {
  usage?: AgentUsage;
  session?: string;
  unanswered?: PermissionQuestion;
  /** Blocks that were cut away with the beginning of an answer, and that its agent was not told of. */
  cut: number;
};

/**
 * Sends an attempt's message and follows the agent to its end. Where documents that it was given changed meanwhile, or a person
 * said something, it is told between its turns, acknowledges, and ends anew.
 */
export async function converse(
  session: Pick<Execution, "turn">,
  {
    message,
    held,
    fresh,
    marked,
    record,
  }: Pick<Briefing, "message" | "held" | "fresh" | "marked" | "record">,
  request: AttemptRequest,
  world: Pick<HeardWorld, "serve">,
  options: EngineOptions,
): Promise<Conversation> {
  const extra = options.staleContext === "verify" ? 1 : 0;
  const team = await joinTeam(
    request,
    held,
    fresh,
    MOST_TOLD + extra,
    // Who minds what is stale wants more than its word.
    (options.staleContext ?? "warn") === "warn" ? "may" : "must",
    marked,
  );
  const { inTurn } = team;
  const left =
    inTurn && world.serve?.(request.row.token, async () => options.messages.inTurn(await inTurn.ask()));
  try {
    return await talk(session, message, record, request, team, extra, options);
  } finally {
    left?.();
  }
}

/** The turns of a conversation, to the end of the last. */
async function talk(
  session: Pick<Execution, "turn">,
  message: string,
  record: Briefing["record"],
  request: AttemptRequest,
  team: Team,
  extra: number,
  options: EngineOptions,
): Promise<Conversation> {
  const kept: Kept = { cut: 0 };
  let end = await follow(session.turn(message), request, kept, team);
  let said = end.finalMessage;
  let updates: readonly DueUpdate[] = [];
  const account = () => {
    const told = [...(team.inTurn?.told() ?? []), ...updates];
    record(told.map(one => ({ ...one, acknowledged: team.holds(one) })));
  };
  const takesMore = request.agent.abilities?.followUp === true;
  let isAnswered = !takesMore;
  let requests = takesMore ? MOST_SIGNAL_REQUESTS : 0;
  for (let round = 0; end.kind === "completed"; round++) {
    const paused = await team.heard(said);
    account();
    if (paused !== undefined) return conversation(end, kept, { paused });
    updates = round < MOST_ROUNDS + extra ? await team.due() : [];
    const words = request.words();
    if (updates.length + words.length === 0) {
      const asked = requests-- > 0 ? signalRequest(end, request, options) : undefined;
      if (asked !== undefined) {
        tellAsked(request, asked);
        const next = await follow(session.turn(asked), request, kept, team);
        said = next.finalMessage;
        end = asOneAnswer(end.finalMessage, next);
        if (end.kind === "failed") account();
        continue;
      }
      // Once: an agent that names another wrong node would else never end.
      const amended = isAnswered ? undefined : await amend(session, end, request, kept, team, options);
      isAnswered = true;
      if (amended === undefined) break;
      said = amended.said;
      end = amended.end;
      continue;
    }
    const told = [
      ...(words.length === 0 ? [] : [options.messages.words(words)]),
      ...(updates.length === 0 ? [] : [options.messages.update({ updates })]),
      answerStands(request, options),
    ];
    if (words.length > 0) request.keep({}, request.shared.reach("IP-002", request.task.id));
    for (const word of words) request.emit({ type: "attempt-line", ...aboutOf(request), text: `← ${word}` });
    const next = await follow(session.turn(told.join("\n")), request, kept, team);
    if (next.kind === "failed") {
      account();
      if (next.failure.kind === "cancelled") break;
      if (updates.length === 0) break;
      request.emit({
        type: "warning",
        code: "UPDATE_NOT_TAKEN",
        message: because("update-not-taken", {
          said: firstLine(next.failure.message, 200),
          labels: updates.map(({ label, version }) => `${label}-v${version}`).join(", "),
        }),
        task: request.task.id,
      });
      break;
    }
    said = next.finalMessage;
    const after = updates.length === 0 ? said : withoutAcks(said);
    end = { ...next, finalMessage: oneAnswer(end.finalMessage, after, request, options) };
  }
  if (end.kind === "completed") tellCut(request, kept.cut);
  const stale = end.kind === "completed" ? team.stale() : undefined;
  return conversation(end, kept, stale === undefined ? {} : { stale });
}

function conversation(
  end: TurnEnd,
  { usage, session, unanswered }: Kept,
  more: Pick<Conversation, "paused" | "stale">,
): Conversation {
  const kept = { ...(usage === undefined ? {} : { usage }), ...(session === undefined ? {} : { session }) };
  return { end, kept, ...more, ...(unanswered === undefined ? {} : { unanswered }) };
}

/**
 * Tells an agent once which blocks of its answer are not taken in, and that it handed nothing over; what it sends instead stands
 * with that answer, which is judged as it was. Undefined where there is nothing to tell, or no answer to it.
 */
async function amend(
  session: Pick<Execution, "turn">,
  end: Extract<TurnEnd, { kind: "completed" }>,
  request: AttemptRequest,
  kept: Kept,
  team: Team,
  { messages, signals }: EngineOptions,
): Promise<{ readonly said: string; readonly end: typeof end } | undefined> {
  const { library, task, row, now } = request;
  const { claim } = judgeMessage(end.finalMessage, { task: task.id, nonce: row.nonce, signals });
  if (claim.kind !== "done") return undefined;
  const isOff = library.options.addContext === "off";
  const refused = isOff ? [] : notAdded(library, task, end.finalMessage, now());
  // Of several agents at work on it, most hand nothing on.
  const isAlone = request.candidate === undefined && request.others.length === 0;
  const repair = isAlone ? handoverRepair(library, task, end.finalMessage) : undefined;
  const { cut } = kept;
  if (refused.length + cut === 0 && repair === undefined) return undefined;
  const reasons = [
    ...refused.map(one => one.why),
    ...(cut === 0 ? [] : [because("blocks-cut", { blocks: cut })]),
  ];
  const why = reasons.map(one => reasonText(one, messages.locale));
  const told = [
    ...(why.length === 0 ? [] : [messages.inPackage.notAdded(why)]),
    ...(repair === undefined ? [] : [repair]),
  ];
  const next = await follow(session.turn(told.join("\n")), request, kept, team);
  if (next.kind === "failed") return undefined;
  kept.cut -= cut;
  const said = next.finalMessage;
  const parts = [
    isOff ? "" : blocksIn(library, task, said, now()),
    end.finalMessage.trimEnd(),
    repair === undefined ? "" : handoverIn(said),
  ];
  return { said, end: { ...end, finalMessage: signalLast(parts.filter(Boolean).join("\n\n")) } };
}

const aboutOf = ({ task, row }: AttemptRequest) => ({ task: task.id, attempt: row.number });

/** Follows one turn to its end. */
async function follow(
  turn: AsyncIterable<AgentEvent>,
  request: AttemptRequest,
  kept: Kept,
  team: Team,
): Promise<TurnEnd> {
  const hear = tellWork(request, {
    usage(told) {
      kept.usage = { ...kept.usage, ...told };
      request.keep({ usage: kept.usage });
    },
    session(id) {
      kept.session = id;
      request.keep({ session: id });
    },
  });
  const blocks = createBlockCount();
  const end = await followTurn(turn, async event => {
    if (event.type === "permission" && event.by === "nobody" && event.answer === "rejected")
      kept.unanswered ??= { kind: event.kind, title: event.title };
    if (event.type === "tool") await team.began();
    if (event.type === "line" && event.stream === "stdout") {
      team.inTurn?.says(event.text);
      blocks.line(event.text);
    }
    hear(event);
  });
  if (end.kind !== "completed") return end;
  await team.began();
  if (request.library.options.addContext !== "off") kept.cut += blocks.cutFrom(end.finalMessage);
  return { ...end, finalMessage: signalLast(end.finalMessage) };
}
