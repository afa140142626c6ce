import { basename, join } from "node:path";
import { requireApproval } from "../../host/approval/approval.ts";
import { loadPlan, requireUsable } from "../../host/project/plan-file.ts";
import { findTaskFile } from "../../host/project/project.ts";
import { readLastRun } from "../../host/project/reader.ts";
import { INSTALL_LINES } from "../../host/run/installed.ts";
import { presentRun } from "../../host/run/launch.ts";
import { rehearse } from "../../host/run/rehearse.ts";
import { oneFolderOf } from "../../host/session/one-folder.ts";
import { draftedFile, type Task } from "../../plan/index.ts";
import { because, EspalierError, EXIT } from "../../ports/index.ts";
import { draftWords, firstLine, reasonText, visible } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, say } from "../io.ts";
import { saveNew } from "../new-file.ts";
import { personAt } from "../person.ts";
import { projectOf } from "../project.ts";
import type { InitWords } from "../views/words/init-words.ts";
import type { Findings } from "./init-config.ts";

const LONGEST_TITLE = 200;
const TASK_FILE = "TASKS.md";

/** The task file of one task: what a person said, done by a command where no agent is here, proved by the tests. */
function firstFile(
  project: string,
  title: string,
  phase: string,
  command: string,
  proof: string | undefined,
): string | undefined {
  const task: Task = {
    id: "T1.1",
    phase: 1,
    title: firstLine(visible(title), LONGEST_TITLE),
    kind: "worker",
    done: false,
    dependsOn: [],
    parallelWith: [],
    files: [],
    ...(command === "" ? {} : { run: command }),
    ...(proof === undefined ? {} : { verify: proof }),
    line: 0,
    text: "",
  };
  const phases = [{ phase: 1, title: phase }];
  return draftedFile({ project: visible(project, 80), phases, tasks: [task], contextNodes: [] }, "");
}

/** Where no task file is: asks for one task in a person's words, and writes it. Returns the command for it, where there is a file now. */
async function askForTask(
  io: Io,
  root: string,
  { agents, verify }: Findings,
  isProved: boolean,
  words: InitWords,
): Promise<string | undefined> {
  const person = await personAt(io, words.locale);
  const title = await person.line(words.askTask, "");
  if (title === undefined || title === "") return undefined;
  const command = agents.length > 0 ? "" : await person.line(words.askCommand, "");
  if (command === undefined) return undefined;
  const proof = isProved && verify?.command !== command ? verify?.command : undefined;
  const { locale } = words;
  const text = firstFile(basename(root), title, words.firstPhase, command, proof);
  if (text === undefined) {
    say(io, words.noTask);
    return undefined;
  }
  saveNew(join(root, TASK_FILE), text, TASK_FILE);
  say(io, draftWords(locale).written(TASK_FILE));
  return command;
}

/** The task that a run would begin with, and the file it stands in; undefined where there is none, or the file has errors. */
function firstTask(io: Io): Task | undefined {
  try {
    const project = projectOf(io);
    const file = findTaskFile(project, io.cwd, undefined);
    const plan = loadPlan(file, false, project);
    requireUsable(file, plan);
    const latest = readLastRun(project);
    if (latest !== undefined) return undefined;
    const state = presentRun(
      { project, file, plan, latest },
      { invocation: {} },
      oneFolderOf(project) !== undefined,
    );
    return state.byId.get(rehearse(state)[0]?.[0] ?? "")?.task;
  } catch (error) {
    if (error instanceof EspalierError) return undefined;
    throw error;
  }
}

/**
 * The end of `espalier init`: one real task, which a person may have run at once. Where nobody is asked, or nothing can be run, says
 * what is to be typed.
 */
export async function offerFirstTask(
  io: Io,
  root: string,
  findings: Findings,
  { canAsk, isProved, words }: { canAsk: boolean; isProved: boolean; words: InitWords },
): Promise<number> {
  const isNew = findings.tasks === undefined;
  const typed = isNew && canAsk ? await askForTask(io, root, findings, isProved, words) : undefined;
  if (isNew && typed === undefined) {
    for (const line of words.writeTasks) say(io, line);
    return EXIT.done;
  }
  const task = firstTask(io);
  if (task === undefined) return EXIT.done;
  const needsAgent = task.run === undefined && projectOf(io).config.agent === "shell";
  if (needsAgent && findings.agents.length === 0) {
    say(io, words.needsAgent(visible(task.id, 40)));
    say(io, reasonText(because("look-at-agents", { install: INSTALL_LINES }), words.locale));
    return EXIT.done;
  }
  const line = ["espalier run", ...(needsAgent ? ["--agent auto"] : []), "--only", visible(task.id, 40)].join(
    " ",
  );
  if (canAsk) {
    const person = await personAt(io, words.locale);
    const title = firstLine(visible(task.title), 80);
    if ((await person.yes(words.askRun(visible(task.id, 40), title))) === true) {
      // Their own words of a moment ago are nothing that the repository brings.
      if (typed !== undefined && task.run === typed)
        await requireApproval(callerOf(io), projectOf(io), [], { yes: false, typed });
      return (await import("./run.ts")).run(io, undefined, {
        only: [task.id],
        ...(needsAgent ? { agent: "auto" } : {}),
      });
    }
  }
  say(io, words.runFirst(line));
  return EXIT.done;
}
