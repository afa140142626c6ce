import { type Category, diff as difference, type Hunk, stats } from "../../../delta/index.ts";
import { type MarkdownDocument, scanMarkdown } from "../../../markdown/index.ts";
import { EXIT } from "../../../ports/index.ts";
import { visible } from "../../../text/index.ts";
import { countTokens } from "../../../tokens/index.ts";
import { type Io, say } from "../../io.ts";
import { wantsColor } from "../../views/look.ts";
import { createPaint, type Paint, type Style } from "../../views/terminal/paint.ts";
import type { DeltaWords } from "../../views/words/delta-words.ts";
import { carryOut, readTexts, wordsOf } from "./inputs.ts";

/** `espalier delta show DELTA [OLD]`: the message for people; with its base also what it does there. */
export async function show(io: Io, deltaPath: string, oldPath: string | undefined): Promise<number> {
  const paths = oldPath === undefined ? [deltaPath] : [deltaPath, oldPath];
  const [message = "", old] = await readTexts(io, ...paths);
  const paint = createPaint(wantsColor(io.stdout, io.env));
  const update = old === undefined ? undefined : carryOut(io, message, old, deltaPath);
  for (const line of messageLines(message, paint)) say(io, line);
  if (old === undefined || update === undefined) return EXIT.done;
  const { hunks } = difference(old, update.text);
  const words = wordsOf(io);
  say(io, "");
  for (const line of changeLines(hunks, old, paint, words)) say(io, line);
  say(io, summary(update.proven, old, update.text, message, words));
  return EXIT.done;
}

const OPERATIONS: readonly (readonly [string, Style])[] = [
  ["- ADDED", "green"],
  ["- REMOVED", "red"],
  ["- CHANGED", "yellow"],
  ["- REPLACED", "cyan"],
];

function* messageLines(message: string, paint: Paint): Generator<string> {
  let within: Style = "plain";
  const lines = message.trimEnd().split("\n");
  for (const raw of lines) {
    const line = visible(raw.endsWith("\r") ? raw.slice(0, -1) : raw);
    const operation = OPERATIONS.find(([start]) => line.startsWith(start));
    if (line.startsWith("[CONTEXT-UPDATE]")) yield paint("bold", line);
    else if (line.startsWith("## ")) {
      within = "plain";
      yield paint("title", line);
    } else if (operation === undefined) yield paint(within, line);
    else {
      const [start, style] = operation;
      // Text below a change holds further changes of the section: only what is new or gone has a colour of its own.
      within = style === "yellow" ? "plain" : style;
      yield paint(style, start) + line.slice(start.length);
    }
  }
}

const CATEGORIES: Readonly<Record<Category, Style>> = {
  structural: "cyan",
  progress: "green",
  artifact: "yellow",
  value: "plain",
};

/** The line changes under the sections they fall in. */
function* changeLines(
  hunks: readonly Hunk[],
  old: string,
  paint: Paint,
  words: DeltaWords,
): Generator<string> {
  const { sections }: MarkdownDocument = scanMarkdown(old);
  let at = 0;
  let told = -1;
  for (const { at: line, removed, added, category } of hunks) {
    while (at + 1 < sections.length && sections[at + 1]!.line <= line) at++;
    const section = sections[at];
    if (section !== undefined && told !== at)
      yield paint("bold", section.level === 0 ? "§^" : `§${visible(section.title)}`);
    told = at;
    yield `${paint("dim", `  ${words.line(line + 1)}`)} ${paint(CATEGORIES[category], words.category[category])}`;
    for (const text of removed) yield paint("red", `  − ${visible(text)}`);
    for (const text of added) yield paint("green", `  + ${visible(text)}`);
  }
}

function summary(proven: boolean, old: string, next: string, message: string, words: DeltaWords): string {
  const { hunks, addedLines, removedLines, categories } = stats(difference(old, next));
  const kinds = Object.entries(categories)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${words.category[name as Category]}`);
  const places = `${words.places(hunks)}${kinds.length === 0 ? "" : ` (${kinds.join(", ")})`}`;
  const tokens = words.instead(countTokens(message.trimEnd()), countTokens(next));
  const verdict = proven ? words.appliesExactly : words.appliesUnproven;
  return `${verdict}: ${places}, ${words.changedLines(addedLines, removedLines)}; ${tokens}`;
}
