import { type ContextCommand, carryOut } from "../../context/shared/index.ts";
import type { ControlReply } from "../../engine/control/protocol.ts";
import { maskedTexts } from "../../engine/index.ts";
import { EspalierError } from "../../ports/index.ts";
import { askRunning } from "../control/running.ts";
import type { Project } from "../project/project.ts";
import { redactorOf } from "../project/secrets.ts";
import { withSharedContext } from "./context.ts";

/** Who asks, where no process runs the project. */
export interface Unasked {
  readonly env: NodeJS.ProcessEnv;
  /** Hears what was mended when the state was opened. */
  readonly note: (told: string) => void;
  /** Is called before the state is opened; what it throws is thrown. */
  readonly before?: () => Promise<void>;
}

/** A process that is just starting or ending can neither be asked nor passed by: how often it is tried again. */
const ROUNDS = 5;

/** By project: the last that this process does under the lock, which makes only other processes wait. */
const turns = new Map<string, Promise<unknown>>();

/** Does something once all of this process is done that began before it. */
async function inTurn<T>(root: string, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(root) ?? Promise.resolve()).then(work, work);
  turns.set(root, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(root) === mine) turns.delete(root);
  }
}

/**
 * Asks the shared context of the process that runs, else that of the state, under the lock for the length of the command. Throws
 * EspalierError.
 */
export async function askContext(
  project: Project,
  command: ContextCommand,
  { env, note, before }: Unasked,
): Promise<ControlReply> {
  for (let round = 1; ; round++) {
    try {
      const reply = await askRunning(project, { method: "context", command });
      if (reply !== undefined) return reply;
      await before?.();
      const masked = maskedTexts(command, redactorOf(env, project.root));
      const context = await inTurn(project.root, () =>
        withSharedContext(project, env, note, shared => carryOut(shared, masked)),
      );
      return { ok: true, message: context.kind, context };
    } catch (error) {
      if (!(error instanceof EspalierError) || error.code !== "LOCKED" || round === ROUNDS) throw error;
    }
  }
}
