/** A plan as an agent's answer holds it, with the name its format is read under. */
export interface DraftedText {
  readonly text: string;
  readonly path: "plan.json" | "TASKS.md";
}

/**
 * Finds the plan in an answer: JSON from the first brace or bracket to the last, where that parses; else the longest fence that is
 * such JSON; else the longest Markdown fence; else the answer itself.
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
  const fences = fencesIn(answer);
  const json = longest(fences.filter(({ info, text }) => !MARKDOWN.has(info) && isPlanJson(text)));
  if (json !== undefined) return { text: json.text, path: "plan.json" };
  const markdown = longest(fences.filter(({ info, text }) => MARKDOWN.has(info) && text !== ""));
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
const HOLDS_PLAN: ReadonlySet<string> = new Set([...MARKDOWN, "json"]);

function longest(fences: readonly Fence[]): Fence | undefined {
  return fences.reduce<Fence | undefined>(
    (best, fence) => (best === undefined || fence.text.length > best.text.length ? fence : best),
    undefined,
  );
}

/** The fences of an answer, each with what it says of itself; one that says it holds a plan begins within any other. */
function fencesIn(answer: string): readonly Fence[] {
  const lines = answer.split("\n");
  const fences: Fence[] = [];
  let open: { at: number; marks: string; info: string } | undefined;
  for (const [at, line] of lines.entries()) {
    const marks = fenceOf(line);
    if (marks === "") continue;
    const info = line.trim().slice(marks.length).trim().toLowerCase();
    if (open === undefined || (HOLDS_PLAN.has(info) && !HOLDS_PLAN.has(open.info)))
      open = { at, marks, info };
    else if (info === "" && marks.length >= open.marks.length) {
      const inside = lines.slice(open.at + 1, at);
      fences.push({ info: open.info, text: inside.length === 0 ? "" : `${inside.join("\n")}\n` });
      open = undefined;
    }
  }
  return fences;
}

function fenceOf(line: string): string {
  const text = line.trim();
  let length = 0;
  while (text[length] === "`") length++;
  return length < 3 ? "" : text.slice(0, length);
}
