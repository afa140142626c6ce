import { createHash } from "node:crypto";
import { join, posix, resolve } from "node:path";
import { type KeptTexts, openKeptTexts, openTierFiles, type TierFiles } from "../../adapters/cache/index.ts";
import { filesOfCommits, prefixOf } from "../../adapters/checkpoints/index.ts";
import { isBelow } from "../../adapters/file/index.ts";
import { findProgram } from "../../adapters/process/index.ts";
import { type Budget, TIER_VERSION, TIERS } from "../../budget/index.ts";
import {
  type Archive,
  artifactsOf,
  type ChangedFiles,
  type KeptOutput,
  keptKey,
  levelRules,
  resultText,
  roleOfTask,
  toldAt,
} from "../../context/library/index.ts";
import { because, EXIT, type Reason, type StampedEvent } from "../../ports/index.ts";
import { readSource, summarize } from "../../summary/index.ts";
import { errorFor, said } from "../../text/index.ts";
import type { Project } from "../project/project.ts";
import type { Session } from "../session/open.ts";

/** Folder of the cache in the state folder, as document 003 names it. */
const FOLDER = "context_cache";
/** Where readers of a later run are sent for files and ids that have no room beside a level. */
const WHERE = "espalier budget cache list";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Where the cache of a project lies; a folder of its own choice must lie inside the project. */
function cacheFolder({ root, stateDir }: Pick<Project, "root" | "stateDir">, { tiers }: Budget): string {
  const { storage } = tiers;
  if (storage === undefined) return join(stateDir, FOLDER);
  const folder = resolve(root, storage);
  if (!isBelow(root, folder)) {
    throw errorFor("CACHE_OUTSIDE", because("cache-outside", { path: storage }), {
      advice: because("cache-inside", {}),
      exitCode: EXIT.usage,
    });
  }
  return folder;
}

/** The cache tiers of a project. */
export function projectTiers(project: Pick<Project, "root" | "stateDir">, budget: Budget): TierFiles {
  return openTierFiles(cacheFolder(project, budget), budget.tiers.policies);
}

/** Texts beside the tiers: what models made of outputs, and shortened outputs as attempts were given them. */
export type ArchiveFiles = Readonly<Record<"digests" | "told", KeptTexts>>;

const MIB = 1024 ** 2;

/** The archive of a project, in files. */
export function archiveFiles(project: Pick<Project, "root" | "stateDir">, budget: Budget): ArchiveFiles {
  const folder = cacheFolder(project, budget);
  return {
    digests: openKeptTexts(join(folder, "digests"), 16 * MIB),
    told: openKeptTexts(join(folder, "told"), 64 * MIB),
  };
}

/** The archive as a run writes to it; a text that cannot be kept is told once for each kind. */
export function projectArchive(
  project: Pick<Project, "root" | "stateDir">,
  budget: Budget,
  tell: (code: string, message: Reason) => void,
): Archive {
  const files = archiveFiles(project, budget);
  const failed = new Set<string>();
  return {
    get: (kind, key) => files[kind].get(key),
    put(kind, key, text) {
      // What readers were told is named by its own hash.
      if (kind === "told" && files.told.get(key) === text) return;
      const put = files[kind].put(key, text);
      if (put.ok || failed.has(kind)) return;
      failed.add(kind);
      tell("CACHE", said("system", put.failure, 300));
    },
  };
}

/** Where the results of earlier tasks are had from, and what became of them. */
export function outputSources(
  project: Project,
  budget: Budget,
  env: NodeJS.ProcessEnv,
  tell: (code: string, message: Reason) => void,
) {
  return {
    kept: keptOutputs(projectTiers(project, budget)),
    archive: projectArchive(project, budget, tell),
    changed: changedIn(project.root, env),
  };
}

/** What git knows of the work of attempts, asked once for each commit; its paths are seen from the project's folder. */
export function changedIn(root: string, env: NodeJS.ProcessEnv): ChangedFiles {
  const found = findProgram("git", { path: env["PATH"] });
  const git = found.ok ? found.value : undefined;
  const known = new Map<string, ReturnType<ChangedFiles>>();
  let prefix: string | undefined;
  return commit => {
    const before = known.get(commit);
    if (before !== undefined) return before;
    const folder = prefix ?? prefixOf(git, root, env);
    prefix = folder;
    const files = filesOfCommits(git, root, env, [commit]);
    const seen = files.map(file => ({ ...file, path: posix.relative(folder, file.path) }));
    known.set(commit, seen);
    return seen;
  };
}

/** What the tiers on disk have of an output, the finest first. */
export function keptOutputs(tiers: TierFiles): (key: string, now: number) => KeptOutput | undefined {
  return (key, now) => {
    for (const tier of TIERS) {
      const entry = tiers.get(tier, key, now);
      if (entry !== undefined && entry.level !== 0)
        return { text: entry.text, level: entry.level, source: entry.source };
    }
    return undefined;
  };
}

/** Keeps the outputs of completed tasks in the tiers that are files, each at its tier's level. */
export function keepOutputs(
  session: Session,
  budget: Budget,
  changed: ChangedFiles,
  now: () => number,
  tell: (code: string, message: Reason, task?: string) => void,
): (event: StampedEvent) => void {
  const { project, store, runId, run } = session;
  const tiers = projectTiers(project, budget);
  return ({ event }) => {
    if (event.type !== "completed" || event.by !== "agent") return;
    const task = run.byId.get(event.task)?.task;
    const rows = store.attempts(runId, event.task);
    const done = rows.ok ? rows.value.findLast(({ outcome }) => outcome === "done") : undefined;
    const text = done === undefined ? "" : resultText(done.finalMessage);
    if (task === undefined || text === "") return;
    const { label } = roleOfTask(budget, task);
    const source = readSource(text, label);
    const rules = levelRules(budget, source.locale);
    const artifacts = artifactsOf(source, done?.commit, changed);
    for (const tier of TIERS) {
      const { location, level } = budget.tiers.policies[tier];
      if (location === "memory") continue;
      const told = toldAt(summarize(source, level, { rules }), artifacts, rules, WHERE);
      const entry = {
        version: TIER_VERSION,
        tier,
        key: keptKey(budget, task),
        source: sha256(text),
        hash: sha256(told),
        level,
        at: now(),
        text: told,
      };
      const put = tiers.put(entry, now());
      if (!put.ok) tell("CACHE", said("system", put.failure, 300), event.task);
    }
  };
}
