/** A plan as an agent's answer holds it, with the name its format is read under. */
export interface DraftedText {
  readonly text: string;
  readonly path: "plan.json" | "TASKS.md";
}

/**
 * Finds the plan in an answer: JSON from the first brace or bracket to the last, where that parses; else the longest Markdown
 * fence; else the answer itself.
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
  return { text: markdownIn(answer), path: "TASKS.md" };
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

function markdownIn(answer: string): string {
  const lines = answer.split("\n");
  let best: string[] = [];
  let open: { at: number; marks: string } | undefined;
  for (const [at, line] of lines.entries()) {
    const marks = fenceOf(line);
    if (marks === "") continue;
    if (open === undefined) {
      const info = line.trim().slice(marks.length).trim().toLowerCase();
      if (info === "markdown" || info === "md") open = { at, marks };
    } else if (line.trim() === marks && marks.length >= open.marks.length) {
      const inside = lines.slice(open.at + 1, at);
      if (inside.length > best.length) best = inside;
      open = undefined;
    }
  }
  return best.length > 0 ? `${best.join("\n")}\n` : answer;
}

function fenceOf(line: string): string {
  const text = line.trim();
  let length = 0;
  while (text[length] === "`") length++;
  return length < 3 ? "" : text.slice(0, length);
}
