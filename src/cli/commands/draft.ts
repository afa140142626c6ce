import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { directFileCalls, makeDirectFolder, writeAtomic } from "../../adapters/file/index.ts";
import { localDocuments } from "../../adapters/local/documents.ts";
import { configCommands } from "../../host/approval/approvable.ts";
import { requireApproval } from "../../host/approval/approval.ts";
import type { Project } from "../../host/project/project.ts";
import { type Draft, draftWith } from "../../host/run/draft.ts";
import { requireInstalled } from "../../host/run/require-present.ts";
import { draftedFile, type Plan, pathProblem, readPlan } from "../../plan/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { type DraftWords, draftWords, slug, visible } from "../../text/index.ts";
import { nodeName } from "../../tree/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, isInteractive, say, warn } from "../io.ts";
import { notWritten, requireFree, saveNew } from "../new-file.ts";
import { personAt } from "../person.ts";
import { projectOf } from "../project.ts";
import { documentsLike, unplanned } from "./draft-unplanned.ts";

/** Where a repository's documents usually stand, and how many of them a planner is told of. */
const DOCUMENTS = ["*.md", "docs/**/*.md", "doc/**/*.md", "specs/**/*.md"];
const MOST_DOCUMENTS = 80;
const LONGEST_GOAL = 20_000;
/** Paths that are not there, of which a person is told. */
const MOST_TOLD = 20;

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

function documentsOf(root: string): readonly string[] {
  return documentsLike(localDocuments(root), DOCUMENTS).slice(0, MOST_DOCUMENTS);
}

const withNewline = (text: string) => (text.endsWith("\n") ? text : `${text}\n`);

/** A plan written out for a person, and read again to see that it says the same. */
function written(plan: Plan, comment: string): string {
  const text = draftedFile(plan, comment);
  if (text === undefined) throw new Error("a drafted plan does not read the same as a task file");
  return text;
}

/** Where what a planner found out is written: a document of the repository like any other. */
const FACTS = ["docs", "context"];

/** Keeps what a planner found out as documents of its nodes; none takes the place of a file, or goes through a link. */
function withFacts(io: Io, root: string, { plan, facts }: Draft, words: DraftWords): Plan {
  const added = new Map<string, string>();
  for (const [id, text] of facts) {
    const node = nodeName(id);
    if (!plan.contextNodes.some(one => nodeName(one.id) === node)) continue;
    const path = freeName(root, slug(node, "node"));
    try {
      makeDirectFolder(join(root, ...FACTS));
    } catch (error) {
      throw notWritten(path, (error as Error).message);
    }
    const made = writeAtomic(join(root, path), `${text}\n`, { mode: 0o644, calls: directFileCalls });
    if (!made.ok) throw notWritten(path, made.failure.message);
    say(io, words.facts(path, visible(node, 60)));
    added.set(node, path);
  }
  if (added.size > 0) say(io, words.commitFacts);
  const contextNodes = plan.contextNodes.map(node => {
    const path = added.get(nodeName(node.id));
    return path === undefined ? node : { ...node, documents: [...(node.documents ?? []), path] };
  });
  return { ...plan, contextNodes };
}

function freeName(root: string, name: string): string {
  const path = (number: number) => [...FACTS, `${name}${number === 1 ? "" : `-${number}`}.md`].join("/");
  let number = 1;
  while (existsSync(join(root, path(number)))) number++;
  return path(number);
}

/** Tells of paths that tasks name and the repository does not have: what is to be made, or a slip. */
function tellAbsent(io: Io, root: string, plan: Plan, words: DraftWords): void {
  const absent = plan.tasks.flatMap(({ id, files }) =>
    files.flatMap(path => {
      const isNamed = pathProblem(path) === undefined && !/[*?[{]/.test(path);
      return isNamed && !existsSync(join(root, path))
        ? [words.absent(visible(id, 40), visible(path, 120))]
        : [];
    }),
  );
  for (const line of absent.slice(0, MOST_TOLD)) warn(io, line);
  if (absent.length > MOST_TOLD) warn(io, `… ${absent.length - MOST_TOLD}`);
}

/** `espalier draft "goal"`: a planner agent writes the task file; without one it is made of what the repository has. */
export async function draft(io: Io, goal: string, flags: DraftFlags): Promise<number> {
  const project = projectOf(io);
  const words = draftWords(project.locale);
  const path = resolve(io.cwd, flags.out);
  if (goal.trim() === "" || goal.length > LONGEST_GOAL)
    throw new EspalierError("GOAL", words.noGoal, { exitCode: EXIT.usage });
  requireFree(io.cwd, flags.out, words);
  const agent = plannerOf(project, flags);
  let text: string;
  if (agent !== undefined) {
    const { agent: named, command } = flags;
    requireInstalled(agent, [], { project, invocation: { agent: named, command } }, io.env["PATH"]);
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
    for (const loss of drafted.losses) warn(io, loss);
    const comment = words.drafted(goal, drafted.agent);
    const plan = drafted.isMarkdown ? drafted.plan : withFacts(io, project.root, drafted, words);
    text = drafted.isMarkdown ? withNewline(drafted.text) : written(plan, comment);
  } else {
    warn(io, words.noAgent);
    const person = isInteractive(io) ? await personAt(io, project.locale) : undefined;
    const plan = await unplanned(project.root, goal, words, person, io.env["PATH"]);
    if (plan === undefined) {
      warn(io, words.left);
      return EXIT.usage;
    }
    text = written(plan, words.unplanned(goal));
  }
  tellAbsent(io, project.root, readPlan(Buffer.from(text), { path: "TASKS.md" }).plan, words);
  saveNew(path, text, flags.out);
  say(io, words.written(relative(io.cwd, path)));
  say(io, words.next(flags.out));
  return EXIT.done;
}
