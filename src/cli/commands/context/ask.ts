import { existsSync } from "node:fs";
import type { ContextCommand, ContextReply, LabelEvent } from "../../../context/shared/index.ts";
import { replyText } from "../../../engine/control/protocol.ts";
import { requirePerson } from "../../../host/approval/decider.ts";
import type { Project } from "../../../host/project/project.ts";
import { askContext as askShared } from "../../../host/session/ask-context.ts";
import { EspalierError, EXIT, type ExitCode } from "../../../ports/index.ts";
import { nearest, visible } from "../../../text/index.ts";
import { callerOf } from "../../caller.ts";
import { type Io, warn } from "../../io.ts";
import { projectOf } from "../../project.ts";
import type { ContextWords, Told } from "../../views/words/context-words.ts";
import { contextWords } from "../../views/words/context-words-for.ts";

/** What a command of the shared context works with. */
export interface Place {
  readonly io: Io;
  readonly project: Project;
  readonly words: ContextWords;
}

/** The project a command was called in, and its language. */
export function openPlace(io: Io): Place {
  const project = projectOf(io);
  return { io, project, words: contextWords(project.locale) };
}

/** An expected failure in words. */
export function failure(code: string, told: Told, exitCode: ExitCode = EXIT.usage): EspalierError {
  return new EspalierError(code, told.message, {
    ...(told.hint === undefined ? {} : { hint: told.hint }),
    exitCode,
  });
}

async function ask({ io, project, words }: Place, command: ContextCommand): Promise<ContextReply> {
  const reply = await askShared(project, command, {
    env: io.env,
    note: told => warn(io, visible(told)),
    async before() {
      // Only what is published makes a state; a slip leaves nothing behind in somebody's folder.
      if (command.op !== "publish" && !existsSync(project.stateDir))
        throw failure("NO_CONTEXT", words.noContext);
      if (command.op === "resume") await requirePerson(callerOf(io), project);
    },
  });
  if (reply.ok && reply.context !== undefined) return reply.context;
  throw failure("NO_ANSWER", words.noAnswer(visible(replyText(reply, project.locale))), EXIT.locked);
}

/** What was done about a command. */
export type Done = Extract<ContextReply, { kind: "done" }>;

/**
 * Asks the shared context: that of the process that runs, else takes the lock for the length of the command. Throws EspalierError
 * for every answer that is none.
 */
export async function askContext(place: Place, command: ContextCommand): Promise<Done> {
  const reply = await ask(place, command);
  const { words } = place;
  const list = (names: readonly string[]): string =>
    names
      .slice(0, 20)
      .map(name => visible(name, 80))
      .join(", ");
  switch (reply.kind) {
    case "done":
      return reply;
    case "unknown-label": {
      const guess = nearest(reply.label, reply.known);
      throw failure("NO_SUCH_LABEL", words.unknownLabel(visible(reply.label, 80), list(reply.known), guess));
    }
    case "unknown-teammate":
      throw failure(
        "NO_SUCH_TEAMMATE",
        words.unknownTeammate(visible(reply.teammate, 80), list(reply.known)),
      );
    case "whose":
      throw failure("WHOSE_ACK", words.whose(list(reply.candidates)));
    case "no-words":
      throw failure("NO_ACK", words.noWords);
    case "bad-label":
      throw failure("BAD_LABEL", words.badLabel(visible(reply.label, 80)));
    case "store":
      throw failure("STATE_UNREADABLE", words.store(visible(reply.message)), EXIT.environment);
    case "closed":
      throw failure("NO_ANSWER", words.noAnswer("the running process is leaving"), EXIT.locked);
    default:
      throw new Error(`unknown answer ${JSON.stringify(reply satisfies never)}`);
  }
}

/** The event of a type, where there is one. */
export function eventOf<Type extends LabelEvent["event"]["type"]>(
  done: Done,
  type: Type,
): Extract<LabelEvent["event"], { type: Type }> | undefined {
  const found = done.events.find(({ event }) => event.type === type)?.event;
  return found as Extract<LabelEvent["event"], { type: Type }> | undefined;
}
