import { replyText } from "../../engine/control/protocol.ts";
import { permissionsKept } from "../../host/approval/approval.ts";
import { requirePerson } from "../../host/approval/decider.ts";
import { openQuestions } from "../../host/control/open-questions.ts";
import { askRunning } from "../../host/control/running.ts";
import { decide } from "../../host/lead/offline.ts";
import type { Project } from "../../host/project/project.ts";
import { readLastRun } from "../../host/project/reader.ts";
import { EspalierError, EXIT, type PermissionQuestion } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, say, sayJson } from "../io.ts";
import { projectOf } from "../project.ts";
import { WHOLE } from "../views/asked-lines.ts";
import { type PermitWords, permitWords } from "../views/words/permit-words.ts";

/** Something that an agent asked for: still open under a number, or what its task is paused for. */
interface Wish extends PermissionQuestion {
  readonly task: string;
  readonly id?: number;
}

async function wishesOf(project: Project): Promise<readonly Wish[]> {
  const open = ((await openQuestions(project)) ?? []).map(
    ({ id, task, kind, title }): Wish => ({ id, task, kind: kindOf(kind), title }),
  );
  const paused = (readLastRun(project)?.stored.tasks ?? []).flatMap(({ id, status, reason }): Wish[] =>
    status === "paused" && reason?.code === "nobody-answered"
      ? [{ task: id, kind: kindOf(reason.args.kind), title: reason.args.said }]
      : [],
  );
  return [...open, ...paused];
}

function kindOf(told: string): Wish["kind"] {
  return told === "edit" || told === "execute" || told === "fetch" ? told : "other";
}

function refused(code: string, { message, hint }: { message: string; hint: string }): EspalierError {
  return new EspalierError(code, message, { hint, exitCode: EXIT.usage });
}

/** The one that is meant by a number or a task. */
function meant(wishes: readonly Wish[], which: string, words: PermitWords): Wish {
  const found = wishes.filter(({ id, task }) => String(id) === which || task === which);
  const [first] = found;
  if (first === undefined) throw refused("NOBODY_ASKS", words.none(visible(which, 100)));
  const numbers = found.map(({ id }) => id).join(", ");
  if (found.length > 1) throw refused("WHICH_QUESTION", words.several(visible(which, 100), numbers));
  return first;
}

interface PermitFlags {
  readonly no?: boolean;
  readonly always?: boolean;
  readonly json?: boolean;
}

/** `espalier permit [N|TASK]`: what agents ask for, and a person's answer. What is allowed for good is kept for this project. */
export async function permit(io: Io, which: string | undefined, options: PermitFlags): Promise<number> {
  const project = projectOf(io);
  const words = permitWords(project.locale);
  const wishes = await wishesOf(project);
  if (which === undefined) return list(io, wishes, words, options.json === true);
  const wish = meant(wishes, which, words);
  const { id, task, title } = wish;
  const isAllowed = options.no !== true;
  if (id === undefined && !isAllowed) throw refused("NOBODY_WAITS", words.over(task));
  const { isOwnScratch } = await requirePerson(callerOf(io), project);
  // Before the answer: the agent goes on at once, and may ask the same again.
  if (isAllowed && !isOwnScratch && (options.always === true || id === undefined))
    keep(io, project, wish, words);
  if (id === undefined) {
    const resumed = await decide(callerOf(io), project, { method: "act", action: "resume", task, note: "" });
    say(io, replyText(resumed, project.locale));
    return resumed.ok ? EXIT.done : EXIT.usage;
  }
  const reply = await askRunning(project, {
    method: "permit",
    id,
    allowed: isAllowed,
    by: "espalier permit",
  });
  if (reply?.ok !== true) throw refused("NOBODY_ASKS", words.none(String(id)));
  say(io, words.answered(isAllowed, visible(task), visible(title, 200)));
  return EXIT.done;
}

function list(io: Io, wishes: readonly Wish[], words: PermitWords, isJson: boolean): number {
  if (isJson) {
    sayJson(io, { questions: wishes });
    return EXIT.done;
  }
  if (wishes.length === 0) say(io, words.nothing);
  const marks = wishes.map(({ id }) => (id === undefined ? words.paused : String(id)));
  const width = Math.max(0, ...marks.map(mark => mark.length));
  for (const [at, { task, kind, title }] of wishes.entries())
    say(io, `${marks[at]!.padStart(width)}  ${words.question(visible(task), kind, visible(title, 1_000))}`);
  if (wishes.length > 0) say(io, words.how);
  return EXIT.done;
}

function keep(io: Io, project: Project, wish: Wish, words: PermitWords): void {
  const why =
    wish.title.length > WHOLE
      ? words.tooLong
      : permissionsKept(io.env, project.root, project.locale).keep(wish);
  if (why !== undefined)
    throw new EspalierError("NOT_KEPT", words.notKept(visible(why)), { exitCode: EXIT.environment });
  say(io, words.kept(visible(wish.title, 200)));
}
