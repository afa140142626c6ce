import { describe, expect, it } from "vitest";
import type { DiffFile } from "../../src/server/shapes/review.ts";
import { itemOf, type Place, placeOf } from "../../web/src/review/place.ts";
import { chunksOf, type Row, rowsOf } from "../../web/src/review/rows.ts";

const file = (more: Partial<DiffFile>): DiffFile => ({
  path: "a.txt",
  status: "modified",
  kind: "text",
  more: 0,
  crlf: false,
  ...more,
});

/** A row as one line of text. */
function told(row: Row): string {
  if (row.kind === "file") return `# ${row.file.path}`;
  if (row.kind === "hunk") return `@ ${row.heading}`;
  if (row.kind === "note") return `! ${row.what}`;
  if (row.kind === "end") return `. ${row.before ? "before" : ""} ${row.after ? "after" : ""}`;
  const side = (one: { number: number; text: string } | undefined) =>
    one === undefined ? "" : `${one.number}${one.text}`;
  return `${side(row.before)}|${side(row.after)}`;
}

const LINES = [" a", "-b", "-c", "+B", " d", "-e", "\\", "+E", "+f", "\\"];
const CHANGED = file({ hunks: [{ old: 7, new: 9, heading: "fn", lines: LINES }] });

describe("the rows of a diff", () => {
  it("[W92] side by side, what was taken away stands next to what came in its place", () => {
    expect(rowsOf([CHANGED], true).map(told)).toEqual([
      "# a.txt",
      "@ fn",
      "7a|9a",
      "8b|10B",
      "9c|",
      "10d|11d",
      "11e|12E",
      "|13f",
      ". before after",
    ]);
  });

  it("[W155] nothing stands above a first line: only what begins further down says that lines are left out", () => {
    const heads = (old: number, next: number, heading = "") =>
      rowsOf([file({ hunks: [{ old, new: next, heading, lines: [" a"] }] })], true).filter(
        row => row.kind === "hunk",
      ).length;
    expect([heads(1, 1), heads(0, 1), heads(1, 0), heads(1, 1, "fn"), heads(2, 2), heads(1, 2)]).toEqual([
      0, 0, 0, 1, 1, 1,
    ]);
  });

  it("[W92] a file that is there on one side only has nothing beside it", () => {
    const alone = (status: DiffFile["status"], lines: string[]) =>
      rowsOf([file({ status, hunks: [{ old: 1, new: 1, heading: "", lines }] })], true).flatMap(row =>
        row.kind === "line" || row.kind === "end" ? [row.alone] : [],
      );
    expect(alone("added", ["+a", "+b", "\\"])).toEqual([true, true, true]);
    expect(alone("deleted", ["-a"])).toEqual([true]);
    expect(alone("modified", ["+a", " b"])).toEqual([false, false]);
  });

  it("[W92] in one column every line stands where it comes, and so does the end of the file", () => {
    expect(rowsOf([CHANGED], false).map(told)).toEqual([
      "# a.txt",
      "@ fn",
      "7a|9a",
      "8b|",
      "9c|",
      "|10B",
      "10d|11d",
      "11e|",
      ". before ",
      "|12E",
      "|13f",
      ".  after",
    ]);
  });

  it("[W43] what has no lines says why", () => {
    const rows = rowsOf(
      [
        file({ kind: "binary" }),
        file({ more: 2000 }),
        file({ hunks: [], modes: ["100644", "100755"] }),
        file({ hunks: [{ old: 1, new: 1, heading: "", lines: ["+x"] }], more: 5 }),
      ],
      true,
    );
    expect(rows.filter(({ kind }) => kind === "note").map(told)).toEqual([
      "! binary",
      "! folded",
      "! unchanged",
      "! more",
    ]);
  });

  it("[W91] pieces hold everything, in order", () => {
    const rows = Array.from({ length: 103 }, (_, at) => at);
    const chunks = chunksOf(rows, 40);
    expect(chunks.map(chunk => chunk.length)).toEqual([40, 40, 23]);
    expect(chunks.flat()).toEqual(rows);
  });

  it("[W92] a place comes back from the fragment, whatever its name holds", () => {
    const places: Place[] = [
      { kind: "task", task: "T1.1", attempt: 0 },
      { kind: "task", task: "a/b 3/한글\n?", attempt: 12 },
      { kind: "phase", phase: "4+/5-A" },
    ];
    for (const place of places) expect(placeOf(itemOf(place))).toEqual(place);
    for (const item of ["", "task", "task/", "commit/abc", "phase"]) expect(placeOf(item)).toBeUndefined();
  });
});
