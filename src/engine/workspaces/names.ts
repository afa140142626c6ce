import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import { isToldBySlug, matchesPath, slug } from "../../text/index.ts";

/** How branches and folders are called. */
export interface NameRules {
  /** Absolute path of the checkout's top. */
  readonly top: string;
  /** The project's folder below the top; empty where it is the top. */
  readonly prefix: string;
  /** `phase/{phase}-{feature}` and the like. */
  readonly branch: string;
  /** Relative to the top: `../{project}-phase{phase}-{feature}` and the like. */
  readonly folder: string;
}

/** A branch and the folder it is checked out in. */
export interface Names {
  readonly branch: string;
  readonly path: string;
}

/** A phase as names are made of it. */
export interface PhaseName {
  readonly label: string;
  /** What it is about: the plan's feature, else the phase's title, else the project. */
  readonly feature: string;
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, value),
    template,
  );
}

/** Ids whose slug is theirs alone: `T1.3`, `2.1`. */
function isPlainId(id: string): boolean {
  return /^T?\d{1,6}(?:\.\d{1,6}){0,6}$/.test(id);
}

/** A word for an id that no other id has. */
export function idWord(id: string): string {
  const word = slug(id, "task");
  return isPlainId(id) ? word : marked(word, id);
}

/** A word that is short, and no other text's. */
function marked(word: string, text: string): string {
  return `${word.slice(0, 32)}-${createHash("sha256").update(text).digest("hex").slice(0, 6)}`;
}

/** A word for a project's folder that no other folder of the repository has; empty for the top. */
function folderWord(prefix: string): string {
  const word = slug(prefix, "project");
  return prefix === "" || prefix === word ? prefix : marked(word, prefix);
}

/** What `{project}` stands for: the checkout, and in it the folder that the project is. */
export function projectWord({ top, prefix }: Pick<NameRules, "top" | "prefix">): string {
  const name = basename(top);
  const word = slug(name, "project");
  const checkout = isToldBySlug(name) ? word : marked(word, name);
  return prefix === "" ? checkout : `${checkout}-${folderWord(prefix)}`;
}

/** How branches of phases are called: those of a project that is a folder lie in one of its name, unless they tell the project. */
function branchTemplate({ branch, prefix }: NameRules): string {
  if (prefix === "" || branch.includes("{project}")) return branch;
  const at = branch.lastIndexOf("/", branch.indexOf("{phase}")) + 1;
  return `${branch.slice(0, at)}${folderWord(prefix)}/${branch.slice(at)}`;
}

function phaseWords(rules: NameRules, { label, feature }: PhaseName): Record<string, string> {
  return {
    project: projectWord(rules),
    phase: isPlainId(label) ? slug(label, "0") : idWord(label),
    feature: slug(feature, "work"),
  };
}

/** The branch and folder of a phase. */
export function phaseNames(rules: NameRules, phase: PhaseName): Names {
  const words = phaseWords(rules, phase);
  return { branch: fill(branchTemplate(rules), words), path: resolve(rules.top, fill(rules.folder, words)) };
}

/** The branch and folder of a task that does not work alone. Its branch cannot lie below the phase's: refs are files. */
export function taskNames(rules: NameRules, phase: PhaseName, task: string): Names {
  const { phase: label = "", feature = "" } = phaseWords(rules, phase);
  const word = idWord(task);
  const own = rules.prefix === "" ? "" : `${folderWord(rules.prefix)}/`;
  return {
    branch: `task/${own}${label}-${feature}/${word}`,
    path: `${phaseNames(rules, phase).path}--${word}`,
  };
}

/** The branch and folder of one more agent that works on a task, `candidate` from 2 on: no task's, whatever its id is made of. */
export function candidateNames(rules: NameRules, phase: PhaseName, task: string, candidate: number): Names {
  const { branch, path } = taskNames(rules, phase, task);
  return { branch: branch.replace("task/", `try${candidate}/`), path: `${path}--try${candidate}` };
}

/** How branches of tasks, and of more agents on one, begin. */
const OF_TASK = /^(?:task|try\d{1,3})\//;

function isByTemplate(rules: NameRules, branch: string): boolean {
  const words = { project: projectWord(rules), phase: "*", feature: "*" };
  return matchesPath(fill(branchTemplate(rules), words), branch);
}

/** Whether a branch is called as those of a project are: of a phase, a task, or one more agent on a task. */
export function isNamedBy(rules: NameRules, branch: string): boolean {
  if (isByTemplate(rules, branch)) return true;
  const own = rules.prefix === "" ? "" : `${folderWord(rules.prefix)}/`;
  return OF_TASK.test(branch) && matchesPath(`${own}*/*`, branch.slice(branch.indexOf("/") + 1));
}

/** The same of a phase alone. */
export function isPhaseBranch(rules: NameRules, branch: string): boolean {
  return isByTemplate(rules, branch) && !OF_TASK.test(branch);
}

/** Which of these branches are those of single tasks of a phase, or of further agents on one, and their folders. */
export function taskPlaces(rules: NameRules, phase: PhaseName, branches: Iterable<string>): Names[] {
  const { branch: start, path } = taskNames(rules, phase, "");
  const within = start.slice("task".length, start.length - idWord("").length);
  const beside = path.slice(0, path.length - idWord("").length);
  return [...branches].flatMap(branch => {
    const [kind = ""] = branch.split("/", 1);
    const isTry = /^try\d{1,3}$/.test(kind);
    if ((kind !== "task" && !isTry) || !branch.startsWith(within, kind.length)) return [];
    const word = branch.slice(kind.length + within.length);
    if (word.includes("/")) return [];
    return [{ branch, path: `${beside}${word}${isTry ? `--${kind}` : ""}` }];
  });
}

/** The branches of phases, by label; a name that reads as two phases' is that of the longer label. */
export function branchesOfPhases<B extends { readonly branch: string }>(
  rules: NameRules,
  labels: readonly string[],
  branches: readonly B[],
): ReadonlyMap<string, B> {
  const longestFirst = labels.toSorted((one, other) => other.length - one.length);
  return new Map(
    branches.flatMap(found => {
      const label = longestFirst.find(one => featureIn(rules, one, found.branch) !== undefined);
      return label === undefined ? [] : [[label, found] as const];
    }),
  );
}

/** The feature that a branch of ours was named by, when it is a branch of this phase; undefined for any other. */
export function featureIn(rules: NameRules, label: string, branch: string): string | undefined {
  const mark = "\0";
  const words = { ...phaseWords(rules, { label, feature: "" }), feature: mark };
  const [before = "", after] = fill(branchTemplate(rules), words).split(mark);
  if (after === undefined || !branch.startsWith(before) || !branch.endsWith(after)) return undefined;
  const feature = branch.slice(before.length, branch.length - after.length);
  // What has a folder in it is another project's, in a repository of several.
  return feature.includes("/") ? undefined : feature;
}
