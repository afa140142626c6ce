import { getNamed, listNamed, namesThereAre } from "../../../host/control/get-context.ts";
import { readRun } from "../../../host/project/reader.ts";
import { readContext } from "../../../host/session/context.ts";
import { call } from "../../../mcp/index.ts";
import { ownAttempt, workerDuties } from "../../../mcp/worker.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { thereAre, toldText, visible, visibleLines } from "../../../text/index.ts";
import type { Io } from "../../io.ts";
import { failure, openPlace, type Place } from "./ask.ts";

/** What the process that runs the attempt answers it, or what the state of the project tells a person. */
async function answerTo({ io, project, words }: Place, name: string | undefined) {
  const own = ownAttempt(io.env);
  if (own !== undefined) {
    const duties = workerDuties(project, own);
    const { text, isError } = await call("worker", duties, "get_context", name === undefined ? {} : { name });
    return { ok: !isError, message: text };
  }
  const run = readRun(project);
  const told = readContext(project, reading => {
    const reply =
      name === undefined ? listNamed(reading, run) : getNamed(reading, run, name, undefined, project.locale);
    return { reply, names: namesThereAre(reading, run) };
  });
  if (told === undefined) throw failure("NO_CONTEXT", words.noContext);
  const { reply, names } = told;
  if (reply.ok || name === undefined) return reply;
  const isTask = run?.plan.tasks.some(({ id }) => id === name) === true;
  throw isTask
    ? failure("NO_RESULT", words.noResult(visible(name, 80)))
    : failure(
        "NO_SUCH_NAME",
        words.noSuchName(visible(name, 80), toldText(thereAre(name, names), project.locale)),
      );
}

/**
 * `espalier context get [NAME]`: a document by its label or path, or the result of a task, whole; without a name what there is. An
 * agent at work is given what its task may read, and that is counted in its receipt.
 */
export async function get(io: Io, name: string | undefined): Promise<number> {
  const { ok, message } = await answerTo(openPlace(io), name);
  if (!ok) {
    const [code = "", ...rest] = message.split(": ");
    throw new EspalierError(code, rest.join(": "), { exitCode: EXIT.usage });
  }
  // Above a text stands a line with its version and hash, for those who are to hold it.
  const text = name === undefined ? `${message}\n` : message.slice(message.indexOf("\n") + 1);
  io.stdout.write(io.stdout.isTTY === true ? `${visibleLines(text.trimEnd())}\n` : text);
  return EXIT.done;
}
