import type { Found } from "./score.ts";

// The documents' own expressions, kept as they are. Built from strings because they are measured here,
// not relied on: the one for dependencies is quadratic on long runs of blanks.
const TASK = /(?:###\s*)?\[([x\s])\]\s*(?:Phase\s*(\d+),?\s*)?(T\d+(?:\.\d+)?(?:\.\d+)?)\s*:\s*(.+)/;
const DEPENDS = /(?:의존|depends?|의존성)[\s:]*\[?([T\d.,\s]+)\]?/;
const SPECIALIST = /(?:담당|specialist|agent)[\s:]*([a-zA-Z-]+)/;
const ID = /T\d[\d.]*/g;

/** What the documents' regexes find: a task per match, its fields anywhere in the text up to the next match. */
export function findByRegexes(text: string): Found[] {
  const lines = text.split("\n");
  const found = new Map<string, Found>();
  const heads = lines.flatMap((line, index) => {
    const match = TASK.exec(line);
    return match ? [{ index, done: match[1] === "x", id: match[3] ?? "" }] : [];
  });
  for (const [n, head] of heads.entries()) {
    const block = lines.slice(head.index, heads[n + 1]?.index).join("\n");
    const specialist = SPECIALIST.exec(block)?.[1];
    // A duplicate id replaces the earlier task, as in the documents.
    found.set(head.id, {
      id: head.id,
      line: head.index + 1,
      done: head.done,
      dependsOn: DEPENDS.exec(block)?.[1]?.match(ID) ?? [],
      parallelWith: [],
      ...(specialist === undefined ? {} : { specialist }),
    });
  }
  return [...found.values()];
}
