import { skipSpaces } from "../syntax/chars.ts";
import { type Head, titleOf } from "../syntax/head.ts";
import { readId } from "../syntax/ids.ts";
import type { Line } from "../syntax/scan.ts";
import { opensPhase, phaseNamed, readHeading } from "./section.ts";

const FENCE = /[ \t>]*(?:`{3}|~{3})/y;
const HEADING = /[ \t]*(#{1,9})(?=[\s[])[ \t]*/y;
/** A row, or a box behind a bullet or without one. */
const WORK = /[ \t]*(?:\||(?:(?:[-*+•]|\d{1,9}[.)])[ \t]*)?(?:\*\*)?\[[^\]\n]{0,12}\](?!\())/y;
const BULLET = /[ \t]*(?:(?:[-*+•]|\d{1,9}[.)])[ \t]+)?[*_`]*/y;

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/**
 * Whether work stands below a heading: a box, a row, the id of a task, a deeper heading, or the heading of a task beside it. Looks no
 * further than to the next heading.
 */
function holdsWork(text: string, { end, level }: Line): boolean {
  let inFence = false;
  for (let at = text.indexOf("\n", end) + 1; at > 0; at = text.indexOf("\n", at) + 1) {
    if (matchAt(FENCE, text, at) !== null) inFence = !inFence;
    if (inFence) continue;
    const heading = matchAt(HEADING, text, at);
    if (heading !== null) {
      const depth = heading[1]!.length;
      const stop = text.indexOf("\n", at);
      const next = readHeading(text, HEADING.lastIndex, stop < 0 ? text.length : stop);
      const isTask = (next.box !== undefined || next.shape === "task") && !opensPhase(next);
      return depth > level || (depth === level && isTask);
    }
    if (matchAt(WORK, text, at) !== null) return true;
    matchAt(BULLET, text, at);
    if (readId(text, BULLET.lastIndex, text.length)?.shape === "task") return true;
  }
  return false;
}

/** A heading of a phase with a box that holds no work is a task itself: `### [ ] Week 1: Setup` above words. */
export function asBareTask(head: Head, text: string, line: Line): Head {
  const { id: _, box, ...rest } = head;
  const phase = phaseNamed(head);
  if (box === undefined || phase === undefined || holdsWork(text, line)) return head;
  const { title } = titleOf(text, skipSpaces(text, box.close, line.end), line.end);
  return { ...rest, box, title, phase };
}
