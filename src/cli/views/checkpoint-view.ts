import {
  bodyOfPart,
  type Checkpoint,
  deltaName,
  type History,
  itemsOfPart,
  type Part,
  parseCheckpoint,
  type Standing,
  standingOf,
  tablesOfPart,
} from "../../checkpoint/index.ts";
import { visible } from "../../text/index.ts";
import { heading, type Look, line } from "./look.ts";
import type { Style } from "./terminal/paint.ts";
import { filled, textWidth } from "./terminal/width.ts";
import type { CheckpointWords } from "./words/checkpoint-words.ts";

const STYLES: Readonly<Record<Standing, Style>> = {
  current: "green",
  superseded: "dim",
  archived: "dim",
  rebuilt: "yellow",
  open: "cyan",
};
/** Lines of one section that are shown. */
const MOST = 6;

/** One line for each checkpoint, the newest last. */
export function checkpointList(history: History, words: CheckpointWords, look: Look): string[] {
  const width = Math.max(0, ...history.order.map(id => id.length));
  return history.order.map(id => {
    const standing = standingOf(history, id);
    const state = history.states.get(id);
    const parent = history.parents.get(id);
    const link = parent === undefined ? undefined : history.links.get(deltaName(parent, id));
    return line(
      look,
      { text: visible(id).padEnd(width + 2), style: standing === "current" ? "bold" : "plain" },
      { text: visible(state?.created ?? link?.created ?? "", 25).padEnd(22), style: "dim" },
      { text: words.standing[standing], style: STYLES[standing] },
      { text: link === undefined || link.summary === "" ? "" : `  ${visible(link.summary, 400)}` },
    );
  });
}

/** A checkpoint for somebody who was away: what it is about, where it stands, what waits, what comes next. */
export function checkpointView(
  text: string,
  facts: { readonly id: string; readonly standing: Standing | undefined; readonly since: string },
  words: CheckpointWords,
  look: Look,
): string[] {
  const checkpoint = parseCheckpoint(text);
  const { head } = checkpoint;
  const { titles } = words;
  const tail = [head.created, head.parent === undefined ? undefined : `← ${head.parent}`, head.anchor].filter(
    part => part !== undefined,
  );
  const standing = facts.standing;
  return [
    line(
      look,
      { text: visible(facts.id), style: "title" },
      {
        text: standing === undefined ? "" : `  ${words.standing[standing]}`,
        style: standing === undefined ? "plain" : STYLES[standing],
      },
      { text: `  ${visible(tail.join("  "), 200)}`, style: "dim" },
    ),
    ...block(look, titles.problem, paragraphs(checkpoint, "problem"), words),
    ...block(
      look,
      titles.state,
      [...paragraphs(checkpoint, "state"), ...phaseLines(checkpoint, words)],
      words,
      30,
    ),
    ...block(look, titles.waiting, waiting(checkpoint, words), words, 12, "yellow"),
    ...block(look, titles.next, itemsOfPart(checkpoint, "next"), words, 12, "cyan"),
    ...block(look, titles.since, facts.since === "" ? [] : [facts.since], words),
    ...block(look, titles.decisions, newest(itemsOfPart(checkpoint, "decisions")), words),
    ...block(look, titles.steps, newest(itemsOfPart(checkpoint, "play")), words),
    ...block(look, titles.files, newest(fileLines(checkpoint, words)), words),
  ];
}

/** The end of a long list; what was left out before it is counted by a first line. */
function newest(items: readonly string[]): string[] {
  return items.length <= MOST ? [...items] : [`- … ${items.length - MOST}`, ...items.slice(-MOST)];
}

function block(
  look: Look,
  title: string,
  lines: readonly string[],
  words: CheckpointWords,
  most = MOST + 1,
  style: Style = "plain",
): string[] {
  if (lines.length === 0) return [];
  const shown = lines
    .slice(0, most)
    .map(text => line(look, { text: `  ${visible(withoutMark(text), 600)}`, style }));
  const rest = lines.length - shown.length;
  return [
    "",
    heading(look, title),
    ...shown,
    ...(rest > 0 ? [line(look, { text: `  ${words.more(rest)}`, style: "dim" })] : []),
  ];
}

function withoutMark(text: string): string {
  return text.replace(/^\s*[-*+] /, "").replaceAll("\n", " ");
}

/** The plain sentences of a part: no tables, no lists. */
function paragraphs(checkpoint: Checkpoint, part: Part): string[] {
  const body = bodyOfPart(checkpoint, part) ?? [];
  return body
    .filter(text => text.trim() !== "" && !/^\s*(?:\||#|[-*+] |\d{1,4}[.)] )/.test(text))
    .slice(0, 4);
}

function tableTitled(checkpoint: Checkpoint, title: string): readonly (readonly string[])[] {
  const found = tablesOfPart(checkpoint, "state").find(({ titles }) => titles[0]?.toLowerCase() === title);
  return found?.rows.map(({ cells }) => cells) ?? [];
}

const BAR = 12;

/** A standing as this language calls it, in a column of its own. */
function status({ statuses }: CheckpointWords, said: string, width: number): string {
  const shown = statuses.get(said) ?? said;
  return filled(shown, Math.max(width, textWidth(shown)));
}

function phaseLines(checkpoint: Checkpoint, words: CheckpointWords): string[] {
  return tableTitled(checkpoint, "phase").map(([name = "", standing = "", count = ""]) => {
    const [done = 0, total = 0] = count.split(" of ").map(Number);
    const filled = total > 0 ? Math.round((BAR * done) / total) : 0;
    return `${"█".repeat(filled)}${"░".repeat(Math.max(0, BAR - filled))} ${count.padEnd(10)} ${status(words, standing, 8)} ${name}`;
  });
}

const NEEDS: ReadonlySet<string> = new Set(["paused", "failed", "blocked"]);

function waiting(checkpoint: Checkpoint, words: CheckpointWords): string[] {
  return tableTitled(checkpoint, "task").flatMap(([task = "", standing = "", note = ""]) =>
    NEEDS.has(standing) ? [`${status(words, standing, 8)} ${task}${note === "" ? "" : `: ${note}`}`] : [],
  );
}

function fileLines(checkpoint: Checkpoint, words: CheckpointWords): string[] {
  return tablesOfPart(checkpoint, "artifacts").flatMap(({ rows }) =>
    rows.map(
      ({ cells: [file = "", standing = "", change = ""] }) =>
        `${status(words, standing, 9)} ${file.replaceAll("`", "")}${change === "" ? "" : `  ${change}`}`,
    ),
  );
}
