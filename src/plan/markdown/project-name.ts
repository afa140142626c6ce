import type { MarkdownDocument } from "./document.ts";

/** Words that say a file is a task file, not what the project is called. */
const GENERIC =
  /^(?:\d{1,4}[-_.) ]{0,3})?(?:tasks?(?:\.md)?|todo|task (?:list|breakdown|plan)|implementation (?:plan|tasks)|development tasks|phase breakdown|태스크(?: 목록| 분할)?|개발 태스크(?: 목록)?|작업 목록|실행 계획|구현 계획|実装計画|タスク(?:リスト|一覧)?|任务(?:列表|清单)?|实施计划|实现计划|ai 개발 파트너용 태스크 목록)$/i;

const TAILS = ["TASKS", "TASKS.md", "Tasks", "tasks.md", "Task List", "Task Breakdown", "태스크 목록"];

/** A title in parts: at ` — `, ` - `, ` | ` and colons. */
function partsOf(title: string): string[] {
  return title
    .split(/\s[—–|-]\s|[:：]\s*/)
    .map(part => part.replace(/[*`_]/g, "").trim())
    .filter(part => part !== "");
}

/** Leaves off `(v2.0)`, and `TASKS` or `Task Breakdown` at the end. */
function bare(part: string): string {
  const open = part.search(/[(（]/);
  const short = (open > 0 ? part.slice(0, open) : part).trim();
  const tail = TAILS.find(words => short.endsWith(` ${words}`));
  return tail === undefined ? short : short.slice(0, -tail.length).trim();
}

/** The folder a task file names a feature by: `specs/<x>/tasks.md`, `.kiro/specs/<x>/tasks.md`. */
function folderName(path: string): string | undefined {
  const parts = path.split(/[\\/]/).filter(part => part !== "");
  return parts.length >= 2 && parts.at(-3) === "specs" ? parts.at(-2) : undefined;
}

/** What the project is called: front matter, else the first heading without the words every task file has. */
export function projectName(document: MarkdownDocument, path: string): string {
  for (const key of ["project", "name", "title"]) {
    const value = document.front.get(key);
    if (value !== undefined && value !== "") return value;
  }
  for (const part of partsOf(document.heading)) {
    const name = bare(part);
    if (name !== "" && !GENERIC.test(name) && !GENERIC.test(part)) return name;
  }
  const field = document.fields.find(candidate => candidate.key === "project")?.text;
  return (field === undefined ? "" : bare(field.replace(/[*`]/g, ""))) || folderName(path) || "tasks";
}

/** The feature the plan builds, where the file names one. */
export function featureName(document: MarkdownDocument): string | undefined {
  const named = document.front.get("feature") ?? document.fields.find(field => field.key === "feature")?.text;
  const clean = named?.replace(/[*`]/g, "").trim();
  return clean === undefined || clean === "" ? undefined : clean;
}
