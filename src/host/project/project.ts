import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import {
  CONFIG_FILE,
  isBelow,
  isWithin,
  projectRoot,
  readBounded,
  wayTo,
} from "../../adapters/file/index.ts";
import { strangerIn } from "../../adapters/local/state-folder.ts";
import {
  type Config,
  type ConfigProblem,
  configuredLocale,
  defaultConfig,
  readConfig,
} from "../../config/index.ts";
import { CANDIDATE_PATHS } from "../../plan/index.ts";
import { type Agent, because, EspalierError, EXIT, few, type Reason } from "../../ports/index.ts";
import { errorFor, type Locale, localeOfEnv, visible } from "../../text/index.ts";
import { movedTo, type RunFile } from "./renamed.ts";
import { partNotForState } from "./tool-folders.ts";

/** One project: where it is and what its configuration says. */
export interface Project {
  /** Absolute path of the main checkout. */
  readonly root: string;
  /** Its `locale` is that of the log, of prompts and of what is kept: the same whoever calls. */
  readonly config: Config;
  /** The language of whoever calls: of views, questions, errors and advice. */
  readonly locale: Locale;
  /** Text of `espalier.yaml`; empty when there is none. */
  readonly configText: string;
  /** Absolute path of the state directory. */
  readonly stateDir: string;
  /** Where the project lies in the linked worktree the command was called in, if it was one. */
  readonly linkedWorktree: string | undefined;
}

/** Whoever calls, as far as their language goes. */
export interface Speaker {
  readonly env: NodeJS.ProcessEnv;
  /** Asked for by name. */
  readonly locale?: Locale | undefined;
}

/** The task file of a project. */
export interface TaskPath {
  readonly path: string;
  /** Relative to the root where it lies inside. */
  readonly display: string;
  /** Other task files that were found and not used. */
  readonly others: readonly string[];
}

/** Name of the control socket in the state directory. */
export const CONTROL_SOCKET = "control.sock";

function configError(found: readonly ConfigProblem[], locale: Locale): EspalierError {
  const problems = found.map(problem => (locale === "ko" ? { ...problem, ...problem.korean } : problem));
  const lines = problems.map(
    p => `${CONFIG_FILE}${p.line > 0 ? `:${p.line}:${p.column}` : ""}: ${p.message}`,
  );
  return new EspalierError("CONFIG_INVALID", lines.join("\n"), {
    hint: problems[0]?.hint ?? "",
    exitCode: EXIT.usage,
  });
}

function readConfigText(root: string): ReturnType<typeof readBounded> {
  return readBounded(join(root, CONFIG_FILE), { maxBytes: 256 * 1024, follow: true });
}

function loadConfig(root: string, speaker: Speaker | undefined): { config: Config; text: string } {
  const bytes = readConfigText(root);
  if (!bytes.ok) {
    if (bytes.failure.kind === "missing") return { config: defaultConfig(), text: "" };
    throw new EspalierError("CONFIG_UNREADABLE", bytes.failure.message, { exitCode: EXIT.environment });
  }
  const text = Buffer.from(bytes.value).toString("utf8");
  const read = readConfig(text);
  if (!read.ok) throw configError(read.failure, spoken(speaker, text));
  return { config: read.value, text };
}

function safeStateDir(root: string, configured: string): string {
  const path = resolve(root, configured);
  const inside = wayTo(root, path) ?? "";
  if (inside === "") {
    throw errorFor("STATE_DIR", because("state-place", { named: visible(configured) }), {
      advice: because("choose-state-place", { isTools: false }),
      exitCode: EXIT.usage,
    });
  }
  const part = partNotForState(inside);
  if (part !== undefined) {
    const place = { named: visible(configured), tools: visible(part) };
    throw errorFor("STATE_DIR", because("state-place", place), {
      advice: because("choose-state-place", { isTools: true }),
      exitCode: EXIT.usage,
    });
  }
  const stranger = strangerIn(path);
  if (stranger !== undefined) {
    throw errorFor("STATE_DIR", because("not-owned", stranger), {
      advice: because("could-lead-out", {}),
      exitCode: EXIT.environment,
    });
  }
  return path;
}

/** Where the search for the project begins: here, or at a named task file that lies in another project. */
function searchFrom(cwd: string, named: string | undefined): string {
  const here = projectRoot(cwd);
  if (named === undefined || !here.ok) return cwd;
  const folder = dirname(resolve(cwd, named));
  const real = exists(folder) ? realpathSync(folder) : folder;
  return isWithin(here.value.root, real) || !exists(folder) ? cwd : folder;
}

/**
 * Finds the project a command was called in, or that of the task file it names, and reads its configuration. Throws
 * EspalierError.
 */
export function findProject(cwd: string, named?: string, speaker?: Speaker): Project {
  const found = projectRoot(searchFrom(cwd, named));
  if (!found.ok) throw new EspalierError("NO_PROJECT", found.failure.message, { exitCode: EXIT.environment });
  const { root, linkedWorktree } = found.value;
  const { config, text } = loadConfig(root, speaker);
  const stateDir = safeStateDir(root, config.stateDir);
  const locale = spoken(speaker, text);
  return { root, config, locale, configText: text, stateDir, linkedWorktree };
}

/** The project as it is to whoever brings agents along: their names are known like those of its configuration. */
export function withAgents(project: Project, brought: readonly Pick<Agent, "name">[]): Project {
  const added = Object.fromEntries(brought.map(({ name }) => [name, {}]));
  return { ...project, config: { ...project.config, agents: { ...added, ...project.config.agents } } };
}

/** The language to speak: the one that was asked for, that of the configuration, that of the environment. */
function spoken(speaker: Speaker | undefined, configText: string): Locale {
  return speaker?.locale ?? configuredLocale(configText) ?? localeOfEnv(speaker?.env ?? {});
}

/** The language to speak in a folder, also where there is no project, or one that cannot be opened. */
export function localeAt(cwd: string, speaker: Speaker): Locale {
  if (speaker.locale !== undefined) return speaker.locale;
  const found = projectRoot(cwd);
  const bytes = found.ok ? readConfigText(found.value.root) : undefined;
  return spoken(speaker, bytes?.ok === true ? Buffer.from(bytes.value).toString("utf8") : "");
}

/** Expands the one `*` a candidate path may have to the folders that are there, in order of name. */
function expand(root: string, pattern: string): string[] {
  const star = pattern.indexOf("*");
  if (star < 0) return [pattern];
  const parent = pattern.slice(0, star);
  try {
    return readdirSync(join(root, parent), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => parent + entry.name + pattern.slice(star + 1))
      .sort();
  } catch {
    return [];
  }
}

/** Whether anything is there to be read; no name of a file is too long, or otherwise none, to be asked about. */
function exists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function displayOf(root: string, path: string): string {
  // The way to the root itself is empty.
  return wayTo(root, path) || path;
}

/**
 * The one name of a named file: links on the way to it resolved, but not one in its own place; a file of a linked worktree
 * is that of the main checkout, where there is one.
 */
function canonical(project: Project, cwd: string, named: string): string {
  const path = resolve(cwd, named);
  let folder: string;
  try {
    folder = realpathSync(dirname(path));
  } catch {
    return path;
  }
  const real = join(folder, basename(path));
  if (project.linkedWorktree === undefined) return real;
  const inside = wayTo(project.linkedWorktree, real);
  const twin = inside === undefined ? real : join(project.root, inside);
  return exists(twin) ? twin : real;
}

/**
 * Where a file really lies that the repository names: links on the way to it resolved. One outside the project only a person
 * may name, since boxes are ticked in it. Throws EspalierError.
 */
function withinProject(root: string, path: string): string {
  const real = join(realpathSync(dirname(path)), basename(path));
  if (isWithin(root, real)) return real;
  const file = displayOf(root, path);
  throw errorFor("TASKS_OUTSIDE", because("tasks-outside-project", { file, real }), {
    advice: because("name-it-yourself", {}),
    exitCode: EXIT.usage,
  });
}

/** The task file of the last run, or what `findTaskFile` finds when there was none. */
export function lastTaskFile(project: Project, last: RunFile | undefined): TaskPath {
  return findTaskFile(project, project.root, last?.file, last);
}

/** What to do where a task file is missing: the files are named that hold the tasks of the last run by now. */
function whereTasksAre({ root }: Project, last: RunFile | undefined): Reason | undefined {
  const [file, ...others] = last === undefined ? [] : movedTo(root, last);
  if (last === undefined || file === undefined) return undefined;
  return others.length === 0
    ? because("task-file-moved", { from: last.file, file })
    : because("task-file-copied", { from: last.file, files: few([file, ...others]) });
}

/** Where a person stands, as a place of the main checkout: a linked worktree may even lie inside it. */
function standing({ root, linkedWorktree }: Project, cwd: string): string {
  if (linkedWorktree === undefined) return cwd;
  return join(root, relative(linkedWorktree, exists(cwd) ? realpathSync(cwd) : cwd));
}

/** Decides which task file a command means: the named one, the configured one, or the first of the usual places. */
export function findTaskFile(
  project: Project,
  cwd: string,
  named: string | undefined,
  last?: RunFile,
): TaskPath {
  const { root, config } = project;
  const chosen = named === undefined ? undefined : canonical(project, cwd, named);
  const configured = config.tasks === undefined ? undefined : resolve(root, config.tasks);
  const path = chosen ?? configured;
  if (path !== undefined) {
    if (!exists(path)) {
      const display = displayOf(root, path);
      const missing = because("no-task-file-at", { path: display });
      const moved = last?.file === display ? whereTasksAre(project, last) : undefined;
      const advice = moved ?? because(named === undefined ? "task-file-configured" : "check-path", {});
      throw errorFor("TASKS_NOT_FOUND", missing, { advice, exitCode: EXIT.usage });
    }
    const display = displayOf(root, path);
    return { path: chosen ?? withinProject(root, path), display, others: [] };
  }
  // A folder below the root may have a task file of its own; the place the person stands in comes first.
  const place = standing(project, cwd);
  const folders = isBelow(root, place) ? [place, root] : [root];
  const found = folders
    .flatMap(folder =>
      CANDIDATE_PATHS.flatMap(pattern => expand(folder, pattern)).map(place => join(folder, place)),
    )
    .filter(exists)
    .map(place => displayOf(root, place));
  const [first, ...others] = found;
  if (first === undefined) {
    const missing = because("no-task-file", { folder: root, looked: CANDIDATE_PATHS });
    throw errorFor("TASKS_NOT_FOUND", missing, {
      advice: whereTasksAre(project, last) ?? because("name-task-file", {}),
      exitCode: EXIT.usage,
    });
  }
  return { path: withinProject(root, join(root, first)), display: first, others };
}
