import {
  type AgentFailure,
  type AgentSession,
  type AgentUsage,
  because,
  cappedLog,
  type Result,
  type ToolKind,
  type TurnEnd,
} from "../../../ports/index.ts";
import { failedFor } from "../../../text/index.ts";
import { callAfter, callAfterSilence, within } from "../../process/index.ts";
import type { EventQueue } from "../event-queue.ts";
import { type Fields, fields } from "../fields.ts";
import { leftoverNotes } from "../leftovers.ts";
import { permissionsOf } from "../settings.ts";
import { complaintIn } from "../stderr-complaint.ts";
import { createTurns, forced, type How } from "../turns.ts";
import { beginTurn, breakOff, type Current, hearEnd, hearTurn, mayAsk, moveOn } from "./current.ts";
import { answerFailure, brokenTurn, deathFailure, isAnswer, stopFailure, wordedFailure } from "./failure.ts";
import { type Agreement, type HandshakeOptions, shakeHands } from "./handshake.ts";
import { readLedger } from "./ledger.ts";
import { type Link, type LinkOptions, type LinkSink, openLink } from "./link.ts";
import { answerPermission, isOurs, withCommand } from "./permission.ts";
import { promptUsage, stepUsage } from "./updates.ts";

/** Milliseconds an agent has for its hello and a session. */
const HANDSHAKE_MS = 120_000;
/** Milliseconds between SIGTERM and SIGKILL at most, once nothing is to be waited for. */
const MOST_GRACE = 2_000;

export interface AcpSessionOptions
  extends Omit<LinkOptions, "log" | "graceMs">,
    Pick<HandshakeOptions, "agent" | "settings" | "meta" | "mode" | "version"> {
  readonly handshakeMs?: number | undefined;
  /** It tells of errors as if it said them, and ends its turn in order. */
  readonly wordsErrors?: boolean | undefined;
  /** It tells a command in the title of its call alone. */
  readonly titlesCommands?: boolean | undefined;
  /** Nothing is known of it but its command: what it does is held against the policy, besides what it asks. */
  readonly isUnknown?: boolean | undefined;
  /** Kinds of work that it was seen to do unasked, in whichever session. */
  readonly unasked: Set<ToolKind>;
  /** Hears what was agreed with each process. */
  readonly greeted?: (agreement: Agreement) => void;
  /** Hears that it tells the usage of each message with it. */
  readonly countsMessages?: () => void;
  /** Hears of what it did that it may not do. */
  readonly overstepped?: (failure: AgentFailure) => void;
  /** Arguments of its program that print a session, whose id follows, with what each call of the model used. */
  readonly ledger?: readonly string[] | undefined;
  /** Milliseconds of an obstacle that trying again does not mend. */
  readonly patienceMs?: number | undefined;
}

/** Why a turn did not end by itself. */
type Cause = "wall-clock" | "idle" | "cancelled";

interface Open {
  readonly link: Link;
  readonly session: string;
}

/**
 * A conversation over the Agent Client Protocol. The agent's process starts with the first turn and lives until the
 * session is closed; a turn that had to be forced takes it down, the next one starts another and resumes the
 * conversation where the agent can.
 */
export function createAcpSession(options: AcpSessionOptions): AgentSession {
  const { request, agent } = options;
  const { limits } = request;
  const log = cappedLog(request.log, limits.logBytes);
  const permissions = permissionsOf(options.settings);
  const graceMs = Math.min(limits.graceMs / 2, MOST_GRACE);
  let session = request.resume;
  let link: Link | undefined;
  let current: Current | undefined;
  let spent: AgentUsage = {};
  const began = Date.now();

  const sink: LinkSink = {
    update(params) {
      // A session that is loaded tells its past first.
      if (current?.prompting !== true) return;
      hearTurn(current, params);
      const step = stepUsage(fields(params["update"]));
      if (step !== undefined) options.countsMessages?.();
      spend(step);
    },
    result: result => spend(promptUsage(result)),
    async permission(told) {
      const params = options.titlesCommands === true ? withCommand(told) : told;
      const asked = current;
      // Nothing is at work for which it could ask.
      if (asked === undefined || !mayAsk(asked)) return { outcome: { outcome: "cancelled" } };
      asked.asking += 1;
      const answer = await answerPermission(params, request, permissions, asked);
      asked.asking -= 1;
      moveOn(asked);
      return answer;
    },
    deaf() {
      if (current !== undefined) breakOff(current, "deaf");
    },
    lost(what) {
      const said = `a message ${what}`;
      current?.queue.line("stderr", `[espalier] ${said}`);
      current?.obstacle.meet({ said });
    },
    line(stream, text) {
      if (current === undefined || !current.queue.open()) return;
      const complaint = stream === "stderr" ? complaintIn(text) : undefined;
      current.queue.line(stream, complaint === undefined ? text : current.obstacle.meet(complaint).message);
    },
  };

  function spend(usage: AgentUsage | undefined): void {
    if (usage === undefined || current === undefined) return;
    spent = add(spent, usage);
    current.queue.push({ type: "usage", ...spent });
  }

  /** What the program's own books say of the session, where what it tells is not all of it. */
  async function readBooks({ queue, announced }: Current, isCut: boolean): Promise<void> {
    const { file, env, ledger } = options;
    const isWhole = !isCut && announced.calls().next().done === true;
    if (ledger === undefined || session === undefined || isWhole) return;
    const place = { file, args: ledger, env: { ...env, ...request.env }, since: began };
    const usage = await readLedger(session, place);
    if (usage === undefined) return;
    spent = usage;
    queue.push({ type: "usage", ...usage });
  }

  /** Starts the agent where none runs. */
  async function connect(): Promise<Result<Link, AgentFailure>> {
    if (link !== undefined) return { ok: true, value: link };
    const opened = await openLink({ ...options, log, graceMs }, sink);
    if (!opened.ok) return opened;
    link = opened.value;
    void link.ended.then(end => {
      if (link === opened.value) link = undefined;
      for (const note of leftoverNotes(end)) current?.queue.line("stderr", note);
    });
    return opened;
  }

  let agreed: { readonly link: Link; readonly agreement: Agreement } | undefined;

  async function converse(to: Link, queue: EventQueue): Promise<Result<Open, AgentFailure>> {
    if (agreed?.link === to) return { ok: true, value: { link: to, session: agreed.agreement.session } };
    const died = () => {
      const end = to.death();
      return end === undefined
        ? undefined
        : deathFailure(agent, end, to.errors(), "before a session was open");
    };
    const shaking = shakeHands(to.agent, { ...options, session, died });
    const patience = options.handshakeMs ?? HANDSHAKE_MS;
    const answered = await within(Promise.race([shaking, to.ended]), patience);
    if (!answered) {
      to.stop("soft");
      const late = because("agent-late", { agent, ms: patience, why: "no-hello" });
      return { ok: false, failure: failedFor(late, { kind: "protocol", retryable: true }) };
    }
    const shaken = await shaking;
    if (!shaken.ok) {
      to.stop("soft");
      return shaken;
    }
    agreed = { link: to, agreement: shaken.value };
    options.greeted?.(shaken.value);
    if (session !== undefined && !shaken.value.resumed)
      queue.line("stderr", `[espalier] ${agent} could not go on with session ${session}; it began a new one`);
    session = shaken.value.session;
    queue.push({ type: "session", id: session });
    return { ok: true, value: { link: to, session } };
  }

  /** One prompt to its answer, or to the death of the agent. */
  async function prompt({ link: to, session: id }: Open, message: string): Promise<AgentFailure | undefined> {
    const answer = to.agent
      .request("session/prompt", { sessionId: id, prompt: [{ type: "text", text: message }] })
      .then(
        result =>
          stopFailure(agent, result.stopReason) ??
          (options.wordsErrors === true || options.isUnknown === true
            ? wordedFailure(agent, current?.said.message() ?? "", fields(result))
            : undefined),
        async (error: unknown) =>
          isAnswer(error) || to.death() === undefined
            ? answerFailure(agent, error, agreed?.agreement.logins)
            : deathFailure(agent, await to.ended, to.errors()),
      );
    const first = await Promise.race([
      answer.then(failure => ({ failure })),
      to.ended.then(end => ({ end })),
    ]);
    return "end" in first ? deathFailure(agent, first.end, to.errors()) : first.failure;
  }

  async function perform(
    message: string,
    queue: EventQueue,
    started: (stop: (how: How) => void) => void,
  ): Promise<TurnEnd> {
    const turn = beginTurn(agent, queue, {
      giveUp: () => end("soft", "idle"),
      judgedBy: {
        permissions,
        cwd: request.cwd,
        isKnown: options.isUnknown !== true,
        unasked: options.unasked,
        isOurs: call => isOurs(call, request.mcp ?? []),
      },
      patienceMs: options.patienceMs,
      mask: request.mask,
    });
    const { said } = turn;
    current = turn;
    let cause: Cause | undefined;
    let force: How | undefined;
    let open: Open | undefined;
    let cancelPatience = (): void => {};

    /** Protocol cancel, SIGTERM, SIGKILL: each rung is given its time. */
    function end(how: How, why: Cause): void {
      cause ??= why;
      if (force === "hard" || force === how) return;
      force = how;
      if (how === "hard" || open === undefined || !turn.prompting) {
        link?.stop(how);
        return;
      }
      const { link: to, session: id } = open;
      void to.agent.notify("session/cancel", { sessionId: id }).catch(() => {});
      cancelPatience = callAfter(limits.graceMs / 2, () => to.stop("soft"));
    }

    const cancelWall = callAfter(limits.wallMs, () => end("soft", "wall-clock"));
    const cancelIdle = callAfterSilence(
      limits.idleMs,
      () => (turn.asking > 0 ? performance.now() : turn.lastProgress),
      () => end("soft", "idle"),
    );
    started(how => end(how, "cancelled"));
    const before = link?.written() ?? 0;

    async function work(): Promise<AgentFailure | undefined> {
      const connected = await connect();
      if (!connected.ok) return connected.failure;
      queue.push({ type: "process", pid: connected.value.pid });
      if (force !== undefined) connected.value.stop(force);
      const conversing = await converse(connected.value, queue);
      if (!conversing.ok) return conversing.failure;
      open = conversing.value;
      turn.prompting = true;
      if (force !== undefined) return undefined;
      return prompt(open, message);
    }

    const failure = await work();
    // The answer may have overtaken what was written to stderr before it.
    await new Promise(resolve => setImmediate(resolve));
    const last = link;
    turn.prompting = false;
    cancelWall();
    cancelIdle();
    cancelPatience();
    if (cause === undefined && failure === undefined) hearEnd(turn);
    const { overstep } = turn;
    if (overstep !== undefined) options.overstepped?.(overstep);
    const stuck = overstep ?? turn.unruly ?? turn.obstacle.failure;
    turn.obstacle.clear();
    if (last !== undefined && (cause !== undefined || failure?.kind === "protocol")) {
      last.stop(force ?? "soft");
      await last.ended;
    }
    await readBooks(turn, cause !== undefined);
    said.end();
    const finalMessage = said.message();
    const outputBytes = (last?.written() ?? before) - before;
    current = undefined;
    if (cause !== undefined) {
      const own = forced(cause, agent, limits);
      return { kind: "failed", failure: cause === "cancelled" ? own : (stuck ?? own), finalMessage };
    }
    const told =
      overstep ?? failure ?? (turn.broken ? (stuck ?? brokenTurn(agent, finalMessage)) : undefined);
    if (told !== undefined) return { kind: "failed", failure: told, finalMessage };
    return { kind: "completed", finalMessage, exitCode: 0, outputBytes };
  }

  return createTurns({
    agent,
    perform,
    async release(how) {
      link?.stop(how);
      await link?.ended;
    },
  });
}

/** Adds up what each prompt used. */
function add(spent: AgentUsage, usage: AgentUsage): AgentUsage {
  const sum: Record<string, number> = { ...spent };
  for (const [name, value] of Object.entries(usage as Fields)) {
    if (typeof value === "number") sum[name] = (sum[name] ?? 0) + value;
  }
  return sum;
}
