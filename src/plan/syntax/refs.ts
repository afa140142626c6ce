import type { Piece } from "../markdown/document.ts";
import { type Clause, clausesOf, hasWord, withoutRemark } from "./clauses.ts";
import { saysAfter, saysApart, saysBeside, saysEither, saysNone } from "./dependency-words.ts";
import type { Place, Ref } from "./ref.ts";
import { type Reader, readClause } from "./ref-reader.ts";

/** What a value says: the refs to wait for, or to run beside, and those it puts behind "after". */
export interface Refs {
  readonly refs: readonly Ref[];
  /** Of a `병렬:` value: ids named with "완료 후", "after". */
  readonly after: readonly Ref[];
  /** It says "none", in whatever language. */
  readonly none: boolean;
  /** Words that name nothing. */
  readonly unread: boolean;
  /** Where it says "or" of what it names. */
  readonly either?: Place | undefined;
}

const NO_ID = () => false;

/** Reads a dependency value. `numbers`: plain numbers are ids of this plan; `isId`: whether a task has an id. */
export function readRefs(pieces: readonly Piece[], numbers: boolean, isId: Reader["isId"] = NO_ID): Refs {
  const refs: Ref[] = [];
  let none = false;
  let unread = false;
  let either: Place | undefined;
  const before = { id: "" };
  for (const [index, piece] of pieces.entries()) {
    const said = withoutTakenBack(piece.text);
    if (saysNone(said)) {
      none ||= index === 0 || pieces.length === 2;
      continue;
    }
    for (const clause of clausesOf(said)) {
      const found = readClause({ piece, numbers, isId }, clause, before);
      const text = withoutRemark(clause.text);
      if (found.length === 0) unread ||= hasWord(clause.text);
      else if (!saysBeside(text)) {
        refs.push(...found);
        if (saysEither(text)) either ??= found.at(-1)!.at;
      }
    }
  }
  return {
    refs: withoutPrefixes(refs),
    after: [],
    none: none && refs.length === 0,
    unread: unread && refs.length === 0,
    either,
  };
}

const blank = (words: string) => " ".repeat(words.length);

function withoutComments(text: string): string {
  let said = "";
  let at = 0;
  for (let open = text.indexOf("<!--"); open >= 0; open = text.indexOf("<!--", at)) {
    const close = text.indexOf("-->", open + 4);
    const end = close < 0 ? text.length : close + 3;
    said += text.slice(at, open) + blank(text.slice(open, end));
    at = end;
  }
  return said + text.slice(at);
}

/** A value with blanks for what its author took back: struck words, comments of HTML, and what follows ` # `. */
function withoutTakenBack(text: string): string {
  if (!/~~|<!--|\s# /.test(text)) return text;
  const said = withoutComments(text).replace(/~~[^~]+~~/g, blank);
  const remark = said.search(/\s# /);
  return remark < 0 ? said : said.slice(0, remark) + blank(said.slice(remark));
}

/** In `Phase 1, T1.2` the phase only says where the task stands. */
function withoutPrefixes(refs: readonly Ref[]): Ref[] {
  return refs.filter((ref, index) => {
    const next = refs[index + 1];
    return !(ref.kind === "phase" && next?.kind === "id" && next.id.startsWith(`T${ref.phase}.`));
  });
}

function readRemark(reader: Reader, clause: Clause, before: { id: string }): Ref[] {
  return clausesOf(clause.remark).flatMap(inner => readClause(reader, { ...inner, at: clause.at }, before));
}

/** Reads a `parallel` value: who runs beside, and whom it waits for after all (`P1-R1 완료 후`). */
export function readParallel(pieces: readonly Piece[], numbers: boolean, isId: Reader["isId"] = NO_ID): Refs {
  const refs: Ref[] = [];
  const after: Ref[] = [];
  let none = false;
  const before = { id: "" };
  for (const piece of pieces) {
    const reader = { piece, numbers, isId };
    const said = withoutTakenBack(piece.text);
    const refused = saysNone(said);
    none ||= refused;
    let pending: Ref[] = [];
    for (const clause of clausesOf(said)) {
      const named = readClause(reader, clause, before);
      pending.push(...named);
      // `가능 (T1.1, T1.2)`, `Yes (with T1.1)`: who it is stands in the remark.
      if (named.length === 0 && !saysAfter(clause.remark))
        pending.push(...readRemark(reader, clause, before));
      const isAfter = saysAfter(clause.text);
      const isApart = !isAfter && (saysApart(clause.text) || saysApart(clause.remark));
      if (isAfter || isApart || saysBeside(clause.text)) {
        if (!isApart) (isAfter ? after : refs).push(...pending);
        pending = [];
      }
      if (saysAfter(clause.remark)) after.push(...readRemark(reader, clause, before));
    }
    refs.push(...pending);
    if (refused) refs.length = 0;
  }
  return { refs, after, none, unread: false };
}
