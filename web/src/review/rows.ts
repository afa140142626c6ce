import type { DiffFile, Hunk } from "../../../src/server/shapes/review.ts";

/** One side of a line: its number, and its text without the sign. */
export interface Side {
  readonly number: number;
  readonly text: string;
}

/** One line of what is shown, in the order in which it stands there. */
export type Row =
  | { readonly kind: "file"; readonly at: number; readonly file: DiffFile }
  /** What is said instead of lines. */
  | {
      readonly kind: "note";
      readonly at: number;
      readonly file: DiffFile;
      readonly what: "folded" | "binary" | "submodule" | "unchanged" | "more";
    }
  | { readonly kind: "hunk"; readonly heading: string }
  /** The same on both sides, taken away, added, or with `before` and `after` beside each other. */
  | ({
      readonly kind: "line";
      readonly before?: Side;
      readonly after?: Side;
      readonly same: boolean;
    } & OfFile)
  /** The file ends without a line break here. */
  | ({ readonly kind: "end"; readonly before: boolean; readonly after: boolean } & OfFile);

interface OfFile {
  /** The file is there on one side only: beside it nothing can stand. */
  readonly alone: boolean;
}

/** Heights as they are guessed before something is drawn, in pixels. */
export const HEIGHTS: Readonly<Record<Row["kind"], number>> = {
  file: 40,
  note: 36,
  hunk: 24,
  line: 20,
  end: 20,
};

/** The lines of a hunk; beside each other, what was taken away stands next to what was added in its place. */
function* hunkRows(
  { old, new: next, heading, lines }: Hunk,
  isSplit: boolean,
  alone: boolean,
): Generator<Row> {
  // Above the first line nothing is left out.
  if (heading !== "" || Math.max(old, next) > 1) yield { kind: "hunk", heading };
  let [before, after, last] = [old, next, " "];
  let removed: Side[] = [];
  let added: Side[] = [];
  let ends = { before: false, after: false };
  function* flush(): Generator<Row> {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      const [left, right] = [removed[at], added[at]];
      yield {
        kind: "line",
        same: false,
        alone,
        ...(left === undefined ? {} : { before: left }),
        ...(right === undefined ? {} : { after: right }),
      };
    }
    if (ends.before || ends.after) yield { kind: "end", alone, ...ends };
    removed = [];
    added = [];
    ends = { before: false, after: false };
  }
  for (const line of lines) {
    const [sign = " ", text] = [line[0], line.slice(1)];
    // In one column every line stands where it comes, and so does its end.
    if (!isSplit || sign === " ") yield* flush();
    if (sign === "-") removed.push({ number: before++, text });
    else if (sign === "+") added.push({ number: after++, text });
    else if (sign === "\\") ends = { before: ends.before || last !== "+", after: ends.after || last !== "-" };
    else
      yield {
        kind: "line",
        before: { number: before++, text },
        after: { number: after++, text },
        same: true,
        alone,
      };
    last = sign === "\\" ? last : sign;
  }
  yield* flush();
}

function* fileRows(file: DiffFile, at: number, isSplit: boolean): Generator<Row> {
  yield { kind: "file", at, file };
  const note = (what: Extract<Row, { kind: "note" }>["what"]): Row => ({ kind: "note", at, file, what });
  if (file.kind === "binary") yield note("binary");
  else if (file.kind === "submodule") yield note("submodule");
  if (file.hunks === undefined && file.kind !== "binary") yield note("folded");
  for (const hunk of file.hunks ?? [])
    yield* hunkRows(hunk, isSplit, file.status === "added" || file.status === "deleted");
  if (file.kind === "text" && file.hunks?.length === 0) yield note("unchanged");
  if (file.hunks !== undefined && file.more > 0 && file.kind !== "binary") yield note("more");
}

/** Everything that is shown of some files. */
export function rowsOf(files: readonly DiffFile[], isSplit: boolean): Row[] {
  return files.flatMap((file, at) => [...fileRows(file, at, isSplit)]);
}

/** Rows in pieces that are drawn together, none longer than `size`. */
export function chunksOf<T>(rows: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < rows.length; at += size) chunks.push(rows.slice(at, at + size));
  return chunks;
}
