import type { TimelineWords } from "./words.ts";

const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;

/** The timeline in English. */
export const ENGLISH_TIMELINE: TimelineWords = {
  chart: "Attempts",
  chartEmpty: "No attempt has begun yet. As soon as espalier run gives a task to an agent, it is a bar here.",
  rows: "Rows",
  rowsOf: { task: "tasks", agent: "agents", machine: "machines" },
  stretch: "Stretch",
  whole: "the whole run",
  last: time => `the last ${time}`,
  here: "this machine",
  moment: "Moment",
  now: "Now",
  pastAt: (time, ago) => `${time}, ${ago} ago`,
  atWork: "At work",
  nobody: "nobody",
  legend: "What bars mean",
  between: "waits for the next attempt",
  older: spans => `${count(spans, "older attempt is", "older attempts are")} not drawn`,
  kind: "Show",
  kindOf: {
    all: "everything",
    trouble: "trouble",
    people: "what people decided",
    attempts: "attempts",
    phases: "run and phases",
  },
  events: "Filter by task or word",
  eventsHint: "task or word",
  noneSuch: "Nothing like that has happened.",
  olderEvents: "Older ones",
  search: "Search what agents put out",
  searchHint: "words in the output of any attempt",
  searchDo: "Search",
  searched: (attempts, cut) =>
    `${count(attempts, "attempt", "attempts")} looked through, newest first${cut === 0 ? "" : `; of ${cut} only the last 256 KiB`}`,
  found: hits => `found in ${count(hits, "attempt", "attempts")}`,
  further: "Search older ones",
};
