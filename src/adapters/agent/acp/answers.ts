import type { PermissionAnswer, ToolKind } from "../../../ports/index.ts";
import type { Fields } from "../fields.ts";
import { disguisesOf, keysOf, soughtBehind, soughtFor, wholeOf, workOf } from "./same-work.ts";
import { isWork } from "./told.ts";

type Given = PermissionAnswer["answer"];

/** How work was answered that an agent asked for in its turn, whichever id it does it under. Each is found in constant time. */
export interface Answers {
  /** Work was asked for under an id, and answered. */
  given(id: string, kind: ToolKind, told: Fields, answer: Given): void;
  /** A call has ended: what it was let do it has done, or not, and no other one does it in its place. */
  ended(id: string): void;
  /**
   * How work that is done was answered under another id: allowed, where leave for it is left, which it takes; rejected, where it
   * was refused last.
   */
  take(kind: ToolKind, told: Fields): Given | undefined;
  /** The kind of work that was refused last, and that a call does without saying of what kind it is. */
  refusedAs(told: Fields): ToolKind | undefined;
}

/** Leave for one call. */
interface Leave {
  isTaken: boolean;
}

/** What was answered under one key. */
interface Found {
  /** In order; those before `next` are taken. */
  readonly leaves: Leave[];
  next: number;
  /** The number of the last answer of each. */
  allowed: number;
  rejected: number;
  /** Of what was rejected last. */
  kind: ToolKind;
}

/** The first leave that nobody has taken. */
function leaveIn(found: Found): Leave | undefined {
  while (found.leaves[found.next]?.isTaken === true) found.next++;
  return found.leaves[found.next];
}

/** `cwd` is the folder that the paths of calls are relative to. */
export function createAnswers(cwd: string): Answers {
  const byKey = new Map<string, Found>();
  /** By the id that they were asked for under, and by what was. */
  const byId = new Map<string, Map<string, Leave>>();
  let count = 0;

  function at(key: string, kind: ToolKind): Found {
    const found = byKey.get(key) ?? { leaves: [], next: 0, allowed: 0, rejected: 0, kind };
    byKey.set(key, found);
    return found;
  }

  /** Leave for work that was asked for under an id; an earlier one for the same is no more. */
  function leaveFor(id: string, what: string, isTaken: boolean): Leave {
    const own = byId.get(id) ?? new Map<string, Leave>();
    byId.set(id, own);
    const [before, leave] = [own.get(what), { isTaken }];
    if (before !== undefined) before.isTaken = true;
    own.set(what, leave);
    return leave;
  }

  return {
    given(id, kind, told, answer) {
      count++;
      const work = workOf(told, cwd);
      const leave = leaveFor(id, `${kind}\0${wholeOf(work)}`, answer === "rejected");
      for (const key of keysOf(work)) {
        const found = at(`${kind}\0${key}`, kind);
        if (answer === "rejected") found.rejected = count;
        else {
          found.allowed = count;
          found.leaves.push(leave);
        }
      }
      for (const { key, isSure } of disguisesOf(work)) {
        const found = at(key, kind);
        if (answer === "allowed") found.allowed = count;
        else if (isSure && isWork(kind)) {
          found.rejected = count;
          found.kind = kind;
        }
      }
    },
    ended(id) {
      for (const leave of byId.get(id)?.values() ?? []) leave.isTaken = true;
      byId.delete(id);
    },
    take(kind, told) {
      let [allowed, rejected] = [0, 0];
      for (const { key, isSure } of soughtFor(workOf(told, cwd))) {
        const found = byKey.get(`${kind}\0${key}`);
        if (found === undefined) continue;
        const leave = leaveIn(found);
        if (leave !== undefined) {
          leave.isTaken = true;
          return "allowed";
        }
        allowed = Math.max(allowed, found.allowed);
        if (isSure) rejected = Math.max(rejected, found.rejected);
      }
      return rejected > allowed ? "rejected" : undefined;
    },
    refusedAs(told) {
      const known = soughtBehind(workOf(told, cwd)).flatMap(key => byKey.get(key) ?? []);
      const allowed = Math.max(...known.map(found => found.allowed));
      const [last] = known.filter(found => found.rejected > allowed).sort((a, b) => b.rejected - a.rejected);
      return last?.kind;
    },
  };
}
