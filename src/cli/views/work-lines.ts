import type { Whereabouts } from "../../host/run/phase-work.ts";
import { visible } from "../../text/index.ts";
import { heading, type Look } from "./look.ts";
import { columnWidth, filled } from "./terminal/width.ts";

/** Entries of one kind that are named. */
const NAMED = 6;

/** Nothing is to be done about them: they share a line. */
function mergedPhases(phases: Whereabouts["phases"], words: Look["words"]): string[] {
  return phases.length === 0 ? [] : [phases.map(({ phase }) => words.phase(visible(phase))).join(", ")];
}

/** A line for each kind of place; nothing is cut, for branches are there to be copied. */
export function workLines(work: Whereabouts | undefined, look: Look): string[] {
  if (work === undefined) return [];
  const { words, paint } = look;
  const inState = (state: Whereabouts["phases"][number]["state"]) =>
    work.phases.filter(phase => phase.state === state);
  const onBranch = (state: "waits" | "unfinished") =>
    inState(state).map(({ phase, branch = "" }) => words.work.on(visible(phase), visible(branch, 200)));
  const kinds = [
    {
      name: words.work.merged(visible(work.target)),
      style: "green",
      entries: mergedPhases(inState("merged"), words),
    },
    { name: words.work.waits, style: "yellow", entries: onBranch("waits") },
    { name: words.work.unfinished, style: "yellow", entries: onBranch("unfinished") },
    {
      name: words.work.aside,
      style: "yellow",
      entries: work.aside.map(({ task, where }) =>
        [task, where].flatMap(part => (part === undefined ? [] : [visible(part, 300)])).join("  "),
      ),
    },
  ] as const;
  const told = kinds.filter(({ entries }) => entries.length > 0);
  if (told.length === 0) return [];
  const width = columnWidth(told, ({ name }) => name, 40);
  const lines = told.flatMap(({ name, style, entries }) => {
    const more = entries.length > NAMED ? [words.more(entries.length - NAMED)] : [];
    return [...entries.slice(0, NAMED), ...more].map(
      (entry, at) => `  ${at === 0 ? paint(style, filled(name, width)) : " ".repeat(width)}  ${entry}`,
    );
  });
  return ["", heading(look, words.headings.work), ...lines];
}
