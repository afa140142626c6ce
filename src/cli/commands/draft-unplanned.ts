import { localDocuments } from "../../adapters/local/documents.ts";
import { type Plan, readPlan } from "../../plan/index.ts";
import { type DraftWords, firstLine } from "../../text/index.ts";
import type { Person } from "../person.ts";
import { testCommand } from "./test-command.ts";

/** Documents that say of a repository what every task should know. */
const TOLD_FIRST = /^(?:readme|contributing|architecture|design|spec|agents|claude)\.md$/i;
const MOST_DOCUMENTS = 12;
const MOST_STEPS = 50;
const LONGEST_STEP = 120;

/** What stands in a plan that no agent has made. */
interface Unplanned {
  readonly steps: readonly string[];
  /** Each step waits for the one before it. */
  readonly inOrder: boolean;
  readonly verify: string | undefined;
}

/** The steps that a goal lists; else the goal is one. */
function stepsOf(goal: string): string[] {
  const items = goal
    .split("\n")
    .flatMap(line => /^\s*(?:[-*+]|\d{1,3}[.)]) (?:\[.\] )?(.*\S)/.exec(line)?.[1] ?? []);
  return items.length > 1 ? items.slice(0, MOST_STEPS) : [shortened(firstLine(goal, LONGEST_STEP))];
}

/** What was cut in the middle of a word ends before that one, where it holds more than it. */
function shortened(line: string): string {
  const end = line.lastIndexOf(" ");
  return line.endsWith("…") && end > LONGEST_STEP / 2 ? `${line.slice(0, end)}…` : line;
}

async function interview(
  person: Person,
  found: Unplanned,
  words: DraftWords,
): Promise<Unplanned | undefined> {
  const listed = found.steps.length > 1 ? found.steps : [];
  const steps: string[] = [];
  for (let step: string | undefined; steps.length < MOST_STEPS; steps.push(step)) {
    step = await person.line(words.askStep(steps.length + 1), listed[steps.length] ?? "");
    if (step === undefined) return undefined;
    if (step === "") break;
  }
  const verify = await person.line(words.askVerify, found.verify ?? "");
  if (verify === undefined) return undefined;
  const inOrder = steps.length > 1 ? await person.yes(words.askOrder) : false;
  if (inOrder === undefined) return undefined;
  return {
    steps: steps.length === 0 ? found.steps : steps,
    inOrder,
    verify: verify === "" ? undefined : verify,
  };
}

/**
 * A plan without an agent: the documents that the repository has, its test command, and the steps that the goal lists or that a
 * person names. Undefined when they leave. `path` is where programs are looked for.
 */
export async function unplanned(
  root: string,
  goal: string,
  words: DraftWords,
  person?: Person,
  path?: string,
): Promise<Plan | undefined> {
  const documents = documentsToTell(root);
  const found = { steps: stepsOf(goal), inOrder: false, verify: testCommand(root, path)?.command };
  const made = person === undefined ? found : await interview(person, found, words);
  if (made === undefined) return undefined;
  const { steps, inOrder, verify } = made;
  const value = {
    project: words.untitled,
    context_nodes: documents.length === 0 ? [] : [{ id: "ctx-root", documents }],
    tasks: steps.map((subject, at) => ({
      id: `t${at + 1}`,
      subject,
      depends_on: inOrder && at > 0 ? [`t${at}`] : [],
      ...(verify === undefined ? {} : { verify }),
    })),
  };
  return readPlan(Buffer.from(JSON.stringify(value)), { path: "plan.json" }).plan;
}

function documentsToTell(root: string): string[] {
  const files = localDocuments(root);
  const own = documentsLike(files, ["*.md"]).filter(path => TOLD_FIRST.test(path));
  const all = [...own, ...documentsLike(files, ["docs/*.md"])];
  return all.filter(path => files.read(path).ok).slice(0, MOST_DOCUMENTS);
}

/** The documents of a repository by patterns, each once. */
export function documentsLike(
  files: ReturnType<typeof localDocuments>,
  patterns: readonly string[],
): readonly string[] {
  const found = patterns.flatMap(pattern => {
    const paths = files.list(pattern);
    return paths.ok ? paths.value : [];
  });
  return [...new Set(found)];
}
