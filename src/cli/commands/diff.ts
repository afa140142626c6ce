import { execFileSync, spawn } from "node:child_process";
import { findProgram } from "../../adapters/process/index.ts";
import { gitEnv, gitGuards, type Repository } from "../../adapters/vcs/git/index.ts";
import { type RunReading, requireRun } from "../../host/project/reader.ts";
import { landedAttempts, workOfTask } from "../../host/run/task-work.ts";
import { requireRepository } from "../../host/session/idle-repository.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { nearest, visible } from "../../text/index.ts";
import { type Io, say, warn } from "../io.ts";
import { projectOf } from "../project.ts";
import { type DiffWords, diffWords } from "../views/words/diff-words.ts";

/** Nothing that the repository configures is started; renames are shown as people read them. */
const SHOWN = ["--no-ext-diff", "--no-textconv", "--find-renames"];

/** The pager that the person has chosen for git: never one that the repository names. */
function ownPager(git: string, env: NodeJS.ProcessEnv): string {
  if (env["GIT_PAGER"] !== undefined) return env["GIT_PAGER"];
  for (const scope of ["--global", "--system"]) {
    try {
      const args = ["config", scope, "--includes", "--get", "core.pager"];
      return execFileSync(git, args, {
        env: gitEnv(env),
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    } catch {
      // Not set there.
    }
  }
  return env["PAGER"] ?? "less";
}

/** Has git show something: through the person's pager on a terminal, as it is elsewhere. */
async function show(io: Io, { facts }: Repository, args: readonly string[]): Promise<boolean> {
  const program = findProgram("git", { path: io.env["PATH"] });
  if (!program.ok) return false;
  const isTerminal = io.stdout.isTTY === true;
  const [command = ""] = args;
  const pager = isTerminal ? ownPager(program.value, io.env) : "cat";
  const guards = gitGuards().filter(guard => !isTerminal || guard !== "--no-pager");
  const paged = ["core.pager", `pager.${command}`].flatMap(key => ["-c", `${key}=${pager}`]);
  const color = isTerminal && io.env["NO_COLOR"] === undefined ? "auto" : "never";
  const env = {
    ...gitEnv(io.env),
    // A pager in another locale than its terminal's shows bytes in place of letters.
    ...(isTerminal ? { LC_ALL: io.env["LC_ALL"] } : {}),
    GIT_DIR: facts.gitDir,
    GIT_COMMON_DIR: facts.common,
    GIT_WORK_TREE: facts.top,
  };
  const child = spawn(
    program.value,
    [...guards, ...paged, command, `--color=${color}`, ...SHOWN, ...args.slice(1)],
    { cwd: facts.top, env, stdio: isTerminal ? "inherit" : ["ignore", "pipe", "inherit"] },
  );
  child.stdout?.on("data", (chunk: Buffer) => io.stdout.write(chunk));
  return new Promise(resolve => {
    child.on("error", () => resolve(false));
    // Who leaves the pager early has seen enough.
    child.on("close", code => resolve(code === 0 || code === 141));
  });
}

/** The commits of tasks, in the order in which they landed. */
function commitsOf(reading: RunReading, tasks: readonly string[]): string[] {
  const rows = tasks.flatMap(task => landedAttempts(reading.attempts(task)));
  return rows.sort((a, b) => a.endedAt - b.endedAt).flatMap(({ commit }) => commit ?? []);
}

/** The tasks that a name means: a task, those of a group or a phase, or without a name all of them. */
function tasksNamed({ plan }: RunReading, name: string | undefined, words: DiffWords): readonly string[] {
  const ids = plan.tasks.map(({ id }) => id);
  if (name === undefined) return ids;
  const byId = new Map(plan.tasks.map(task => [task.id, task]));
  const within = (id: string): readonly string[] => byId.get(id)?.children?.flatMap(within) ?? [id];
  if (byId.has(name)) return within(name);
  const inPhase = plan.tasks.filter(({ phase }) => String(phase) === name);
  if (inPhase.length > 0) return inPhase.map(({ id }) => id);
  const phases = new Set(plan.tasks.map(({ phase }) => String(phase)));
  const { message, hint } = words.unknown(visible(name, 80), nearest(name, [...ids, ...phases]));
  throw new EspalierError("NO_SUCH_TASK", message, { hint, exitCode: EXIT.usage });
}

/** `espalier diff [TASK|PHASE]`: the landed work task by task; of a single task whose newest work has not landed, that. */
export async function diff(io: Io, name: string | undefined): Promise<number> {
  const project = projectOf(io);
  const { repository } = await requireRepository(project, io.env);
  const words = diffWords(project.locale);
  const reading = requireRun(project);
  const tasks = tasksNamed(reading, name, words);
  const commits = commitsOf(reading, tasks);
  const failed = () =>
    new EspalierError("GIT_REFUSED", words.failed.message, {
      hint: words.failed.hint,
      exitCode: EXIT.environment,
    });
  const [task = ""] = tasks;
  const work = tasks.length === 1 ? await workOfTask(repository, reading.attempts(task)) : undefined;
  const isLanded = work === undefined || work.state === "landed" || task !== name;
  if (commits.length > 0 && isLanded) {
    if (await show(io, repository, ["show", "--stat", "--patch", ...commits, "--"])) return EXIT.done;
    throw failed();
  }
  if (work === undefined) {
    say(io, words.nothing(name === undefined ? undefined : visible(name, 80)));
    return EXIT.done;
  }
  warn(io, words.unlanded(visible(task, 80), work.state === "proved"));
  const { from, to } = work;
  if (!(await show(io, repository, ["diff", from, to.tree ?? to.commit, "--"]))) throw failed();
  return EXIT.done;
}
