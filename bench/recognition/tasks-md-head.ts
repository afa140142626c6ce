import type { Random } from "./random.ts";
import type { Meant } from "./tasks-md-plan.ts";

/** Where the state of a task stands. */
export type State = "box" | "tight-box" | "upper-box" | "criteria" | "mark";

/** How a file writes the headings of its tasks; drawn once per file. */
export interface HeadStyle {
  /** Marks of the heading, or `- ` for list items. */
  readonly lead: string;
  readonly state: State;
  readonly write: (task: Meant, title: string) => string;
}

const UNSEEN = [
  "dash",
  "word-box",
  "odd-box",
  "prefix",
  "bracket-id",
  "strike",
  "mark-first",
  "quoted-mark",
] as const;

/** Draws a style; its spellings go to `tags`. */
export function drawHeadStyle(random: Random, korean: boolean, tags: Set<string>): HeadStyle {
  const lead = random.pick(["### ", "### ", "### ", "#### ", "##### ", "- ", "- "]);
  const boxes: State[] = ["box", "box", "box", "tight-box", "upper-box"];
  const state = random.pick<State>(lead === "- " ? boxes : [...boxes, "criteria", "mark"]);
  const dress = random.pick(["bare", "bare", "bare", "bold"]);
  const unseen = random.dare(0.35) ? random.pick(UNSEEN) : undefined;
  const wide = unseen === undefined && random.chance(0.06);
  for (const tag of [`lead:${lead.trim()}`, `state:${state}`, `id:${dress}`]) tags.add(tag);
  if (wide) tags.add("wide-colon-after-id");
  if (unseen) tags.add(`beyond:head ${unseen}`);
  const colon = wide ? "：" : unseen === "dash" ? " - " : ": ";

  return { lead, state, write: (task, title) => `${lead}${front(task)}${name(task, title)}` };

  function front(task: Meant): string {
    const prefix = unseen !== "prefix" || task.head.startsWith("Phase") ? "" : korean ? "태스크 " : "Task ";
    if (state === "criteria") return prefix;
    if (state === "mark") return unseen === "mark-first" ? `${task.done ? "✅" : "⏳"} ` : prefix;
    const open =
      unseen === "word-box"
        ? random.pick(["[InProgress]", "[Blocked]", "[Failed]"])
        : unseen === "odd-box"
          ? random.pick(["[~]", "[-]", "[/]"])
          : state === "tight-box"
            ? "[]"
            : "[ ]";
    return `${task.done ? (state === "upper-box" ? "[X]" : "[x]") : random.chance(0.5) ? (state === "tight-box" ? "[]" : "[ ]") : open} ${prefix}`;
  }

  function name(task: Meant, title: string): string {
    const after = mark(task);
    if (unseen === "bracket-id") return `[${task.head}] ${title}${after}`;
    const text = `${dress === "bold" ? `**${task.head}**` : task.head}${colon}${title}`;
    return (unseen === "strike" && task.done && state !== "mark" ? `~~${text}~~` : text) + after;
  }

  /** Unboxed headings carry the state; boxed ones sometimes repeat it or warn. */
  function mark(task: Meant): string {
    if (state === "mark") {
      if (unseen === "mark-first") return "";
      if (unseen === "quoted-mark") return task.done ? " (완료)" : " (진행 중)";
      return task.done ? " ✅" : random.pick(["", " ⏳", " 🔄"]);
    }
    if (state === "criteria" || !random.chance(0.06)) return "";
    tags.add("mark-beside-box");
    return task.done ? " ✅" : korean ? " ⚠️ E2E 미작성" : " ⚠️ no test yet";
  }
}
