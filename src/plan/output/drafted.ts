/** A plan as an agent's answer holds it, with the name its format is read under. */
export interface DraftedText {
  readonly text: string;
  readonly path: "plan.json" | "TASKS.md";
}

/**
 * Finds the plan in an answer: JSON from the first brace or bracket to the last, where that parses; else the longest fence that is
 * such JSON, where no task stands in Markdown beside it; else the longest Markdown fence; else the answer itself.
 */
export function draftedText(answer: string): DraftedText {
  for (const [open, close] of [
    ["{", "}"],
    ["[", "]"],
  ] as const) {
    const from = answer.indexOf(open);
    const to = answer.lastIndexOf(close);
    if (from < 0 || to < from) continue;
    const text = answer.slice(from, to + 1);
    if (isPlanJson(text)) return { text, path: "plan.json" };
  }
  const { fences, around } = fencesIn(answer);
  const markdown = longest(fences.filter(({ info, text }) => MARKDOWN.has(info) && text !== ""));
  const json = longest(fences.filter(({ info, text }) => !MARKDOWN.has(info) && isPlanJson(text)));
  // Lists of objects may also be what a task is about.
  if (json !== undefined && !TASK.test(around) && !TASK.test(markdown?.text ?? ""))
    return { text: json.text, path: "plan.json" };
  return { text: markdown?.text ?? answer, path: "TASKS.md" };
}

/** What a planner found out for nodes of its plan, by their ids: Markdown under `facts`, of no more than is in its answer. */
export function draftedFacts({ text, path }: DraftedText): ReadonlyMap<string, string> {
  const facts = new Map<string, string>();
  const value: unknown = path === "plan.json" ? JSON.parse(text) : undefined;
  const nodes = (value as { context_nodes?: unknown } | undefined)?.context_nodes;
  for (const node of Array.isArray(nodes) ? (nodes as Record<string, unknown>[]) : []) {
    const id = node?.["id"] ?? node?.["node_id"];
    const said = node?.["facts"];
    if (typeof id === "string" && typeof said === "string" && said.trim() !== "") facts.set(id, said.trim());
  }
  return facts;
}

/** Boxes such as `[ ]` stand in brackets as well: only lists and objects of objects are plans. */
function isPlanJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    const list = Array.isArray(value) ? value : (value as { tasks?: unknown }).tasks;
    return Array.isArray(list) && list.some(item => typeof item === "object" && item !== null);
  } catch {
    return false;
  }
}

interface Fence {
  readonly info: string;
  readonly text: string;
}

const MARKDOWN: ReadonlySet<string> = new Set(["markdown", "md"]);
/** A task of a task file, with its box. */
const TASK = /^[ \t]*(?:[-*]|#{1,6}) \[[ xX]\] \*{0,2}T\d/m;
const HOLDS_PLAN: ReadonlySet<string> = new Set([...MARKDOWN, "json"]);

function longest(fences: readonly Fence[]): Fence | undefined {
  return fences.reduce<Fence | undefined>(
    (best, fence) => (best === undefined || fence.text.length > best.text.length ? fence : best),
    undefined,
  );
}

/**
 * The fences of an answer, each with what it says of itself, and the text around them; one that says it holds a plan begins within
 * any other.
 */
function fencesIn(answer: string): { readonly fences: readonly Fence[]; readonly around: string } {
  const lines = answer.split("\n");
  const fences: Fence[] = [];
  const around: string[] = [];
  let open: { at: number; marks: string; info: string } | undefined;
  for (const [at, line] of lines.entries()) {
    const marks = fenceOf(line);
    if (marks === "") {
      if (open === undefined) around.push(line);
      continue;
    }
    const info = line.trim().slice(marks.length).trim().toLowerCase();
    if (open === undefined || (HOLDS_PLAN.has(info) && !HOLDS_PLAN.has(open.info)))
      open = { at, marks, info };
    else if (info === "" && marks.length >= open.marks.length) {
      const inside = lines.slice(open.at + 1, at);
      fences.push({ info: open.info, text: inside.length === 0 ? "" : `${inside.join("\n")}\n` });
      open = undefined;
    }
  }
  return { fences, around: around.join("\n") };
}

function fenceOf(line: string): string {
  const text = line.trim();
  let length = 0;
  while (text[length] === "`") length++;
  return length < 3 ? "" : text.slice(0, length);
}
