import { existsSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { localDocuments } from "../../adapters/local/documents.ts";
import { configCommands } from "../../host/approval/approvable.ts";
import { requireApproval } from "../../host/approval/approval.ts";
import { findProject, type Project } from "../../host/project/project.ts";
import { type Draft, draftWith } from "../../host/run/draft.ts";
import { readPlan, taskFile } from "../../plan/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { draftWords } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, say, warn } from "../io.ts";

/** Where a repository's documents usually stand, and how many of them a planner is told of. */
const DOCUMENTS = ["*.md", "docs/**/*.md", "doc/**/*.md", "specs/**/*.md"];
const MOST_DOCUMENTS = 80;
const LONGEST_GOAL = 20_000;

export interface DraftFlags {
  readonly agent?: string;
  readonly command?: string;
  readonly out: string;
  readonly yes?: boolean;
}

/** The agent that plans: the one that is named, a command line, or the configured one; the shell cannot. */
function plannerOf({ config }: Project, flags: DraftFlags): string | undefined {
  const name = flags.agent ?? (flags.command === undefined ? config.agent : "command");
  return name === "shell" ? undefined : name;
}

function documentsOf(root: string): string[] {
  const files = localDocuments(root);
  const found = DOCUMENTS.flatMap(pattern => {
    const paths = files.list(pattern);
    return paths.ok ? paths.value : [];
  });
  return [...new Set(found)].slice(0, MOST_DOCUMENTS);
}

/** The drafted plan as a task file; JSON is written out for a person, and read again to see that it says the same. */
function written(draft: Draft, comment: string): string {
  if (draft.isMarkdown) return draft.text.endsWith("\n") ? draft.text : `${draft.text}\n`;
  const text = taskFile(draft.plan, comment);
  const again = readPlan(Buffer.from(text), { path: "TASKS.md" });
  const edges = (tasks: Draft["plan"]["tasks"]) => tasks.map(task => task.dependsOn.length).join(" ");
  if (edges(again.plan.tasks) !== edges(draft.plan.tasks))
    throw new Error("a drafted plan does not read the same as a task file");
  return text;
}

/** `espalier draft "goal"`: a planner agent writes the task file; without one, a commented skeleton. */
export async function draft(io: Io, goal: string, flags: DraftFlags): Promise<number> {
  const project = findProject(io.cwd);
  const words = draftWords(project.config.locale);
  const path = resolve(io.cwd, flags.out);
  if (goal.trim() === "" || goal.length > LONGEST_GOAL)
    throw new EspalierError("GOAL", words.noGoal, { exitCode: EXIT.usage });
  if (existsSync(path)) {
    throw new EspalierError("FILE_EXISTS", words.exists(flags.out), {
      hint: words.existsHint,
      exitCode: EXIT.usage,
    });
  }
  const agent = plannerOf(project, flags);
  let text = words.skeleton(goal);
  if (agent !== undefined) {
    const { agent: named, command } = flags;
    const wanted = configCommands(project.config);
    const approvals = await requireApproval(callerOf(io), project, wanted, {
      yes: flags.yes === true,
      typed: command,
    });
    const drafted = await draftWith(agent, {
      project,
      invocation: { agent: named, command },
      approvals,
      env: io.env,
      words,
      goal,
      documents: documentsOf(project.root),
      tell: findings => warn(io, findings === 0 ? words.usable : words.correcting(findings)),
    });
    text = written(drafted, words.drafted(goal, drafted.agent));
  } else warn(io, words.noAgent);
  save(path, text, flags.out);
  say(io, words.written(relative(io.cwd, path)));
  say(io, words.next(flags.out));
  return EXIT.done;
}

/** Writes a file that is not there yet, whoever else may be about to. */
function save(path: string, text: string, name: string): void {
  try {
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    const message = `${name} cannot be written: ${(error as Error).message}`;
    throw new EspalierError("NOT_WRITTEN", message, { exitCode: EXIT.environment });
  }
}
