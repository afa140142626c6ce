import { type Head, readHead } from "../syntax/head.ts";
import { phaseInParentheses, toPhase } from "../syntax/phase.ts";
import { findSection, type Section } from "./document.ts";

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
