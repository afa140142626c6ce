import { revertAttempt } from "../../../context/library/index.ts";
import { replyText } from "../../../engine/control/protocol.ts";
import { requirePerson } from "../../../host/approval/decider.ts";
import { askRunning } from "../../../host/control/running.ts";
import { storeError } from "../../../host/project/errors.ts";
import type { Project } from "../../../host/project/project.ts";
import { requireRun } from "../../../host/project/reader.ts";
import { withSharedContext } from "../../../host/session/context.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { visible } from "../../../text/index.ts";
import { restoreTree } from "../../../tree/index.ts";
import { callerOf } from "../../caller.ts";
import { type Io, say, sayJson, warn } from "../../io.ts";
import { projectOf } from "../../project.ts";
import { treeWords } from "../../views/words/context-tree-words.ts";
import { attemptOf } from "./receipt.ts";

/** `espalier context revert TASK#N`: what an attempt handed to the context tree is read by nobody any more. */
export async function revert(io: Io, name: string, options: { json?: boolean }): Promise<number> {
  const project = projectOf(io);
  const words = treeWords(project.locale);
  const { task, number } = attemptOf(name);
  if (number === undefined) {
    throw new EspalierError("BAD_ATTEMPT", words.badAttempt(visible(name, 100)), {
      hint: words.badAttemptHint,
      exitCode: EXIT.usage,
    });
  }
  const { stored } = requireRun(project);
  const reply = await askRunning(project, { method: "revert", task, attempt: number });
  if (reply?.ok === false)
    throw new EspalierError("REVERT", replyText(reply, project.locale), { exitCode: EXIT.usage });
  const labels =
    reply === undefined
      ? await offline(io, project, stored.run.id, task, number)
      : reply.message.split(" ").filter(label => label !== "");
  const attempt = `${visible(task, 100)}#${number}`;
  if (options.json === true) sayJson(io, { task, attempt: number, labels });
  else
    say(
      io,
      labels.length === 0 ? words.nothingToRevert(attempt) : words.reverted(attempt, labels.join(", ")),
    );
  return EXIT.done;
}

async function offline(
  io: Io,
  project: Project,
  runId: string,
  task: string,
  number: number,
): Promise<readonly string[]> {
  await requirePerson(callerOf(io), project);
  return withSharedContext(
    project,
    io.env,
    told => warn(io, visible(told)),
    async (_desk, { store, epoch }) => {
      const loaded = store.context.load();
      if (!loaded.ok) throw storeError(loaded.failure);
      const tree = restoreTree(loaded.value);
      if (!tree.ok) throw new EspalierError("CONTEXT_TREE", tree.failure, { exitCode: EXIT.environment });
      if (tree.value === undefined) return [];
      const { labels, step } = revertAttempt(tree.value, task, number);
      if (step !== undefined) {
        const written = store.commit({ epoch, runId, context: step.rows });
        if (!written.ok) throw storeError(written.failure);
      }
      return labels;
    },
  );
}
