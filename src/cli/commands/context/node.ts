import { type NodeAnswer, type NodeWish, settleNode } from "../../../context/library/index.ts";
import { replyText } from "../../../engine/control/protocol.ts";
import { requirePerson } from "../../../host/approval/decider.ts";
import { nodeWish } from "../../../host/control/node-wish.ts";
import { askRunning } from "../../../host/control/running.ts";
import { storeError } from "../../../host/project/errors.ts";
import type { Project } from "../../../host/project/project.ts";
import { requireRun } from "../../../host/project/reader.ts";
import { readContext, withSharedContext } from "../../../host/session/context.ts";
import type { Plan } from "../../../plan/index.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { isEnded } from "../../../run/index.ts";
import { nearest, visible } from "../../../text/index.ts";
import { nodeName, restoreTree } from "../../../tree/index.ts";
import { callerOf } from "../../caller.ts";
import { type Io, say, sayJson, warn } from "../../io.ts";
import { projectOf } from "../../project.ts";
import { type NodeWords, nodeWords } from "../../views/words/context-node-words.ts";

/** `espalier context node complete|abandon|merge NODE`: ends a branch of the context tree by hand. */
export async function node(
  io: Io,
  action: NodeWish["action"],
  name: string,
  options: { into?: string; json?: boolean },
): Promise<number> {
  const project = projectOf(io);
  const words = nodeWords(project.locale);
  const { into } = options;
  if (action === "merge" && into === undefined)
    throw new EspalierError("NO_TARGET", words.noInto, { exitCode: EXIT.usage });
  const asked = { action, node: nodeName(name), ...(into === undefined ? {} : { into: nodeName(into) }) };
  const wish = nodeWish(asked);
  const { stored, plan } = requireRun(project);
  const reply = await askRunning(project, { method: "node", ...asked });
  if (reply?.ok === false)
    throw new EspalierError("NODE", replyText(reply, project.locale), { exitCode: EXIT.usage });
  const ended = new Set(stored.tasks.flatMap(({ id, status }) => (isEnded(status) ? [id] : [])));
  const answer =
    reply === undefined
      ? await offline(io, project, stored.run.id, wish, { plan, isEnded: task => ended.has(task) })
      : (JSON.parse(reply.message) as NodeAnswer);
  if (answer.kind === "refused") throw refusal(project, answer.why, words);
  if (options.json === true) sayJson(io, { ...wish, labels: answer.labels });
  else say(io, words.done(wish, answer.labels));
  return EXIT.done;
}

function refusal(
  project: Project,
  why: Extract<NodeAnswer, { kind: "refused" }>["why"],
  words: NodeWords,
): EspalierError {
  const known = readContext(project, ({ rows }) => {
    const stored = rows.load();
    return stored.ok ? stored.value.nodes.map(({ id }) => id) : [];
  });
  const near = why.kind === "unknown-node" ? nearest(why.node, known ?? []) : undefined;
  const { message, hint } = words.refused(why, near);
  const exitCode = why.kind === "damaged" ? EXIT.environment : EXIT.usage;
  return new EspalierError("CONTEXT_NODE", message, { ...(hint === undefined ? {} : { hint }), exitCode });
}

async function offline(
  io: Io,
  project: Project,
  runId: string,
  wish: NodeWish,
  readers: { readonly plan: Plan; readonly isEnded: (task: string) => boolean },
): Promise<NodeAnswer> {
  await requirePerson(callerOf(io), project);
  return withSharedContext(
    project,
    io.env,
    told => warn(io, visible(told)),
    async (_desk, { store, epoch }): Promise<NodeAnswer> => {
      const loaded = store.context.load();
      if (!loaded.ok) throw storeError(loaded.failure);
      const tree = restoreTree(loaded.value);
      if (!tree.ok) return { kind: "refused", why: { kind: "damaged" } };
      if (tree.value === undefined)
        return { kind: "refused", why: { kind: "unknown-node", node: wish.node } };
      const { answer, rows } = settleNode(tree.value, wish, readers);
      if (answer.kind === "refused") return answer;
      const written = store.commit({ epoch, runId, context: rows });
      if (!written.ok) throw storeError(written.failure);
      return answer;
    },
  );
}
