import type { Base } from "./base.ts";
import type { Unreadable } from "./carry-lines.ts";
import { carryOut, type Operation } from "./carry-out.ts";
import type { Edits } from "./edits.ts";
import { isReserved } from "./quote.ts";
import { readHead } from "./read-head.ts";
import { targetOf } from "./refs.ts";

/** What a message's operations come to. */
export interface ReadPieces {
  readonly edits: Edits;
  /** Items as an acknowledgement counts them: every change, removal, replacement and addition. */
  readonly items: number;
}

/** Lines one message may have searched for changes without a key. */
const SEARCHED = 20_000_000;

/** Resolves the operations of a message against its base: all of them, or the first reason why not. */
export function readPieces(base: Base, lines: readonly string[], maxItems: number): ReadPieces | Unreadable {
  const operations = splitOperations(lines);
  if ("kind" in operations) return operations;
  const edits: Edits = { lines: [], spans: [] };
  let section = 0;
  let items = 0;
  const budget = { lines: SEARCHED };
  for (const operation of operations) {
    const { head, line } = operation;
    const target = head.ref === undefined ? { section, key: undefined } : targetOf(base, head.ref);
    if (typeof target === "string") return { kind: "unresolved", operation: line, reason: target };
    section = target.section;
    const added = carryOut(base, section, target.key, operation, edits, budget);
    if (typeof added !== "number") return { operation: line, ...added };
    items += added;
    if (items > maxItems) return { kind: "limit", operation: line, reason: `More than ${maxItems} items` };
  }
  return { edits, items };
}

function splitOperations(lines: readonly string[]): Operation[] | Unreadable {
  const operations: { head: Operation["head"]; line: string; below: string[] }[] = [];
  for (const line of lines) {
    if (isReserved(line) && !line.startsWith("\\")) {
      const head = readHead(line);
      if (head === undefined) return { kind: "syntax", operation: line, reason: "Not an operation" };
      operations.push({ head, line, below: [] });
    } else if (operations.length > 0) {
      operations.at(-1)!.below.push(line);
    } else if (line.trim() !== "") {
      return { kind: "syntax", operation: line, reason: "Text before the first operation" };
    }
  }
  return operations;
}
