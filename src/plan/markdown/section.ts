import { lineShape } from "../../markdown/index.ts";
import { skipSpaces } from "../syntax/chars.ts";
import { type Head, readHead, titleOf } from "../syntax/head.ts";
import { readId } from "../syntax/ids.ts";
import { phaseInParentheses, toPhase } from "../syntax/phase.ts";
import type { Phase } from "../types.ts";
import { type Draft, findSection, type Section } from "./document.ts";

/** Reads a heading: it may carry numbering (`1. Phase 1`) or, with a box, a number as its id (`[ ] 1.1 Title`). */
export function readHeading(text: string, at: number, end: number): Head {
  const head = readHead(text, at, end, false);
  if (head.id !== undefined || head.phase !== undefined) return head;
  const first = text.charCodeAt(head.idAt);
  if (first < 48 || first > 57) return head;
  const numbered = readHead(text, at, end, true);
  if (numbered.id === undefined || head.box !== undefined) return numbered;
  // `### 001: Setup`: zero-padded numbers are ids where something sets them off.
  if (/^0\d{2,}$/.test(numbered.id) && numbered.setOff) return { ...numbered, shape: "task" };
  const words = readHead(text, numbered.idAt + numbered.id.length + 1, end, false);
  return words.phase !== undefined || words.shape === "task" ? words : head;
}

/** `M1.1` or `P1.1` with a box inside milestone or phase 1 is one of its tasks. */
export function asInner(head: Head, section: Section | undefined): Head {
  const isOuter = head.shape === "phase" || head.shape === "milestone";
  if (!isOuter || head.box === undefined || !head.id?.includes(".")) return head;
  const outer = findSection(section, candidate => candidate.phase !== undefined)?.phase;
  return String(outer) === head.id.slice(1, head.id.indexOf(".")) ? { ...head, shape: "task" } : head;
}

/** Where a line ends, and how deep it stands. */
type Place = { readonly end: number; readonly indent: number };

/** Whether the line below an item is deeper and a box, or begins with the id of a task. */
function holdsTasks(text: string, { end, indent }: Place): boolean {
  let from = end;
  while (from < text.length && " \t\r\n".includes(text[from]!)) from++;
  const start = Math.max(end, text.lastIndexOf("\n", from - 1) + 1);
  const below = lineShape(text.slice(start, from + MAX_HEAD));
  if (below.indent <= indent) return false;
  return below.box !== undefined || readId(text, start + below.content, text.length)?.shape === "task";
}

const MAX_HEAD = 200;

/** The phase that the words or the id of a line name. */
export function phaseNamed({ id, shape, several, phase }: Head): Phase | undefined {
  if (id === undefined) return phase;
  return shape === "phase" && !several ? toPhase(id.slice(1)) : undefined;
}

/**
 * A box that begins like a phase and holds no tasks is one itself, by all of its words: `2단계 인증`, `P1 bugs`. What is set off,
 * as in `Phase 2: Rollout`, says its phase, too.
 */
export function asTask(head: Head, text: string, line: Place): Head {
  const { id: _id, shape: _shape, phase: _phase, box, title, ...rest } = head;
  const named = phaseNamed(head);
  if (box === undefined || named === undefined || holdsTasks(text, line)) return head;
  const whole = titleOf(text, skipSpaces(text, box.close, line.end), line.end).title;
  // Marks are not counted: of one that closes in the title and opens before it only the title has none.
  const [all, last] = [whole, title].map(words => words.replace(/\*\*|~~|`/g, ""));
  const isSetOff = /[:：.)–—-]\s*$/.test(all!.slice(0, Math.max(0, all!.length - last!.length)));
  return { ...rest, box, title: whole, ...(isSetOff ? { phase: named } : {}) };
}

/** `### 2단계 인증` within a phase is what its tasks are about; a phase in another is set off, or says so in other words. */
export function asTopic(
  head: Head,
  text: string,
  { body, end }: { readonly body: number; readonly end: number },
  section: Section | undefined,
): Head {
  const { phase, ...rest } = head;
  if (head.id !== undefined || phase === undefined) return head;
  const outer = findSection(section, ({ phase, weak, level }) => phase !== undefined && !weak && level > 1);
  if (outer === undefined) return head;
  const { title } = titleOf(text, skipSpaces(text, head.box?.close ?? body, end), end);
  return /^\d{1,2}단계 [^:：(（–—-]/.test(title) ? { ...rest, title } : head;
}

/** `#### Stage 2: code` inside a task is about how it is done; only a name like `Phase 2` ends the task there. */
export function asPart(head: Head, owner: Draft | undefined): Head {
  const isPart = head.weak && head.id === undefined && owner?.head.id !== undefined;
  if (!isPart || owner.head.shape === "milestone") return head;
  const { phase: _, ...rest } = head;
  return rest;
}

/** Whether a heading opens a phase or milestone, and is no task. */
export function opensPhase(head: Head): boolean {
  return head.id === undefined
    ? head.phase !== undefined
    : head.shape === "phase" || head.shape === "milestone";
}

/** The section a heading opens. */
export function sectionOf(head: Head, level: number, parent: Section | undefined): Section {
  const isPhase = opensPhase(head);
  const id = head.several ? undefined : head.id;
  const inParentheses = phaseInParentheses(head.title);
  const fromId = id !== undefined && head.shape === "phase" ? toPhase(id.slice(1)) : undefined;
  const milestone = head.shape === "milestone" ? id : undefined;
  const ofMilestone = milestone === undefined ? undefined : toPhase(milestone.slice(1));
  const phase = isPhase ? (inParentheses ?? fromId ?? head.phase ?? ofMilestone) : inParentheses;
  const mark = head.box?.state ?? head.mark;
  return {
    level,
    title: head.title,
    weak: inParentheses === undefined && (milestone !== undefined || head.weak),
    ...(phase === undefined ? {} : { phase }),
    ...(milestone === undefined ? {} : { milestone }),
    ...(mark === undefined ? {} : { mark }),
    ...(parent === undefined ? {} : { parent }),
  };
}
