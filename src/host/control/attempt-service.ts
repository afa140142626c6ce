import { documentsRead, scopeProblem } from "../../context/library/index.ts";
import { carryOut } from "../../context/shared/index.ts";
import { type ControlReply, WorkerAsk } from "../../engine/control/protocol.ts";
import type { Engine, World } from "../../engine/index.ts";
import { MOST_REPLY } from "../../fleet/index.ts";
import type { Plan } from "../../plan/index.ts";
import { type AttemptRow, attemptTokens, type BlockProblem } from "../../ports/index.ts";
import { thinLine } from "../../run/index.ts";
import { type Locale, reasonText, type Told, thereAre, told, visible } from "../../text/index.ts";
import { nodeName, type ScanLimits, scanOutput } from "../../tree/index.ts";
import type { Project } from "../project/project.ts";
import type { Session } from "../session/open.ts";
import { attemptHook, attemptTools, openAttemptSocket, type WorkerRequest } from "./attempt-socket.ts";
import { ackText, documentText, pulledText } from "./document-text.ts";
import { getContext } from "./get-context.ts";
import { refuse } from "./refusal.ts";

/** The socket of attempts at work, beside the control socket. */
const WORKERS = "workers.sock";

type Task = Plan["tasks"][number];

/** Answers what running attempts ask for themselves, each within its own task and node. */
export interface AttemptService {
  answer(engine: Engine, request: WorkerRequest): Promise<ControlReply>;
  /**
   * Opens a socket of their own, which is no way to steer the run: an agent in a jail reaches no other. Returns what
   * closes it; where it cannot be opened they ask as everybody does.
   */
  open(engine: Engine, project: Project): Promise<() => Promise<void>>;
  /** What the engine needs of it. */
  readonly world: Required<Pick<World, "takeHanded" | "tools" | "hook" | "serve" | "answer">>;
}

/** A shared context for the attempts of a session. */
export function createAttemptService(
  session: Pick<Session, "store" | "runId">,
  locale: Locale = "en",
): AttemptService {
  const handed = new Map<string, string[]>();
  const served = new Map<string, () => Promise<string>>();
  let socket: string | undefined;
  let serving: Engine | undefined;
  const shared: AttemptService = {
    world: {
      takeHanded(token) {
        const blocks = handed.get(token) ?? [];
        handed.delete(token);
        return blocks;
      },
      tools: (task, token) => attemptTools(task, token, socket),
      hook: () => (socket === undefined ? undefined : attemptHook(socket)),
      serve(token, due) {
        served.set(token, due);
        return () => void served.delete(token);
      },
      async answer(task, token, asked) {
        const reply = await answerAway(shared, serving, { task, token, asked });
        const text = JSON.stringify(reply);
        if (text.length <= MOST_REPLY) return text;
        return JSON.stringify(
          refused(`TOO_LONG: ${text.length} characters; ${MOST_REPLY} go to another machine`),
        );
      },
    },
    async answer(engine, { task: id, token, ask: asked }) {
      const row = rowOf(session, id, token);
      const task = engine.run.byId.get(id)?.task;
      if (row === undefined || task === undefined) {
        return refuse(
          "NOT_YOURS",
          told`no attempt of ${visible(id, 80)} that is under way has this token`,
          locale,
        );
      }
      const ask = engine.heard(asked);
      const due = async () => (await served.get(token)?.()) ?? "";
      if (ask.op === "due") return said(await due());
      const reply =
        ask.op === "add"
          ? add(engine, task, handed, token, ask, locale)
          : await answerFor(engine, session, task, row, ask, row.token === token, locale);
      const waits = await due();
      return waits === "" ? reply : { ...reply, message: `${reply.message}\n\n${waits}` };
    },
    async open(engine, project) {
      serving = engine;
      const opened = await openAttemptSocket(project, WORKERS, request => shared.answer(engine, request));
      if (!opened.ok) return async () => {};
      socket = opened.value.path;
      return () => opened.value.close();
    },
  };
  return shared;
}

/** Answers what an attempt asks from another machine: foreign text until it is read. */
async function answerAway(
  service: Pick<AttemptService, "answer">,
  engine: Engine | undefined,
  { task, token, asked }: { readonly task: string; readonly token: string; readonly asked: string },
): Promise<ControlReply> {
  try {
    const ask = WorkerAsk.safeParse(JSON.parse(asked));
    if (engine === undefined || !ask.success) return refused("NOT_KNOWN: nothing of that kind can be asked");
    return await service.answer(engine, { method: "worker", task, token, ask: ask.data });
  } catch (error) {
    return refused(String(error));
  }
}

/** The attempt a token belongs to, while it is under way. */
function rowOf(
  { store, runId }: Pick<Session, "store" | "runId">,
  task: string,
  token: string,
): AttemptRow | undefined {
  const rows = store.attempts(runId, task);
  const last = rows.ok ? rows.value.at(-1) : undefined;
  return last?.outcome === "running" && attemptTokens(last).includes(token) ? last : undefined;
}

async function answerFor(
  engine: Engine,
  session: Pick<Session, "store" | "runId">,
  task: Task,
  row: AttemptRow,
  ask: Exclude<WorkerAsk, { op: "add" | "due" }>,
  isTeammate: boolean,
  locale: Locale,
): Promise<ControlReply> {
  const { shared, library } = engine;
  const labels = () => documentsRead(library, task, row.startedAt).map(({ label }) => label);
  switch (ask.op) {
    case "status":
      return said(`${thinLine(engine.run.byId.get(task.id)!)} attempt ${row.number}`);
    case "get":
      return getContext(engine, session, { task, row }, ask, locale);
    case "pull": {
      if (!labels().includes(ask.label)) return refuse("NOT_YOURS", notRead(ask.label, labels()), locale);
      // Of several agents on a task the first alone is its teammate: what another one holds is not known.
      if (!isTeammate) return documentText(shared, ask.label, undefined, locale);
      const lead = shared.lead(ask.label);
      const mate = lead.ok ? lead.value?.teammates.get(task.id) : undefined;
      const { since, hash } = ask;
      const isHeld = mate?.confirmed !== undefined && mate.confirmed.version === since;
      const isProven = hash === undefined || mate?.confirmed?.hash.startsWith(hash) === true;
      const reply = await carryOut(shared, {
        op: "update",
        label: ask.label,
        teammate: task.id,
        session: row.token,
        ...(mate?.session === row.token && isHeld && isProven ? {} : { lost: true }),
      });
      return pulledText(ask.label, reply, locale);
    }
    case "ack":
      if (!isTeammate)
        return refuse("NOT_YOURS", told`another agent on this task acknowledges for it`, locale);
      return ackText(
        await carryOut(shared, { op: "ack", teammate: task.id, session: row.token, text: ask.text }),
        locale,
      );
    default:
      throw new Error(`unknown ask ${JSON.stringify(ask satisfies never)}`);
  }
}

/** Keeps a block until the attempt is accepted; checks now what can be checked. */
function add(
  engine: Engine,
  task: Task,
  handed: Map<string, string[]>,
  token: string,
  { node, text }: Extract<WorkerAsk, { op: "add" }>,
  locale: Locale,
): ControlReply {
  const tree = engine.library.tree(Date.now());
  if (tree?.nodes.get(nodeName(node)) === undefined) {
    const known = tree === undefined ? [] : [...tree.nodes.keys()];
    return refuse("NO_SUCH_NODE", told`${visible(node, 80)}; ${thereAre(node, known)}`, locale);
  }
  const problem = scopeProblem(engine.library, task, node, Date.now());
  if (problem !== undefined) return refused(`NOT_TAKEN: ${reasonText(problem, locale)}`);
  const block = `[ADD_CONTEXT:${node}]\n${text}\n[/ADD_CONTEXT]`;
  const blocks = [...(handed.get(token) ?? []), block];
  const { scan } = engine.library.options;
  const { additions, refusals } = scanOutput(blocks.join("\n\n"), scan);
  if (additions.length !== blocks.length || additions.at(-1)?.text !== text.trim()) {
    return refuse("NOT_TAKEN", whyNotTaken(refusals.at(-1)?.why, scan), locale);
  }
  handed.set(token, blocks);
  return said(`HANDED: taken in when your task is completed (${blocks.length} so far)`);
}

/** Why a text is not taken, as an agent can act on it. */
function whyNotTaken(why: BlockProblem | undefined, limits: ScanLimits): Told {
  const { blockLength, blocks, totalLength } = limits;
  if (why === "too-long") return told`a text has at most ${blockLength} characters`;
  if (why === "too-many") return told`an attempt hands over at most ${blocks} texts`;
  if (why === "too-much") return told`all that an attempt hands over has at most ${totalLength} characters`;
  if (why === "empty") return told`it holds nothing`;
  return why === "unterminated"
    ? told`a code fence in it is left open`
    : told`its text would end the block early`;
}

function notRead(label: string, labels: readonly string[]): Told {
  return told`${told`your node does not read ${visible(label, 80)}`}; ${thereAre(label, labels)}`;
}

function said(message: string): ControlReply {
  return { ok: true, message };
}

function refused(message: string): ControlReply {
  return { ok: false, message };
}
