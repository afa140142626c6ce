import { isBlank, lineShape } from "../markdown/index.ts";
import type { Category } from "./types.ts";

const STATUS = new Set(
  (
    "done complete completed in_progress in-progress pending ready blocked failed paused waiting cancelled skipped todo " +
    "active abandoned merged open closed started shipped planned ✅ ❌ ⏳ 🚧 🔄 ☑ ☐ ⬜ 완료 진행중 대기"
  ).split(" "),
);
const ARTIFACT_ENDING_MAX = 5;

/**
 * The category of an operation, from the words that stand on one side only: `structural` when headings, fences, rules
 * or table heads differ, else `progress` when boxes, status words, percentages or fractions do, else `artifact` when
 * paths, links or hashes do, else `value`.
 */
export function categoryOf(removed: readonly string[], added: readonly string[]): Category {
  const counts = new Map<string, number>();
  const note = (line: string, by: 1 | -1): void => {
    if (isFrame(line)) count(counts, `\n${line}`, by);
    const { box } = lineShape(line);
    if (box !== undefined) count(counts, `[${box.toLowerCase()}]`, by);
    for (const word of line.split(/\s/)) count(counts, word, by);
  };
  for (const line of removed) note(line, -1);
  for (const line of added) note(line, 1);
  for (const [word, balance] of counts) if (balance !== 0 && word.startsWith("\n")) return "structural";
  let artifact = false;
  for (const [word, balance] of counts) {
    if (balance === 0) continue;
    if (isProgress(word)) return "progress";
    artifact ||= isArtifact(word);
  }
  return artifact ? "artifact" : "value";
}

function count(counts: Map<string, number>, word: string, by: number): void {
  counts.set(word, (counts.get(word) ?? 0) + by);
}

/** Lines that make a document's frame: headings, fences, front matter marks and rules, table delimiters. */
function isFrame(line: string): boolean {
  const start = lineShape(line).content;
  const first = line[start];
  if (first === "#") return line.startsWith("# ", start + leading(line, start, "#") - 1);
  if (first === "`" || first === "~") return leading(line, start, first) >= 3;
  if (first === "-" || first === "=") return isBlank(line.slice(start + leading(line, start, first)));
  return first === "|" && /^[\s|:-]+$/.test(line.slice(start)) && line.includes("-");
}

function leading(line: string, from: number, mark: string): number {
  let at = from;
  while (line[at] === mark) at++;
  return at - from;
}

function isProgress(word: string): boolean {
  if (word === "[x]" || word === "[ ]") return true;
  const bare = word.replaceAll(/[*_`()[\],.:;]/g, "");
  if (STATUS.has(bare.toLowerCase())) return true;
  const number = bare.endsWith("%") ? bare.slice(0, -1) : bare.split("/").join("");
  return number !== bare && number !== "" && isNumber(number);
}

function isNumber(text: string): boolean {
  for (const char of text) if (char < "0" || char > "9") return false;
  return true;
}

/** A path, a file name with a short ending, a link or a hexadecimal hash. */
function isArtifact(word: string): boolean {
  const bare = word.replaceAll(/[*`()[\],;:"']/g, "");
  if (bare.length < 3) return false;
  if (bare.includes("://") || bare.slice(1, -1).includes("/")) return true;
  const dot = bare.lastIndexOf(".");
  const ending = bare.length - dot - 1;
  if (dot > 0 && ending > 0 && ending <= ARTIFACT_ENDING_MAX && /[a-z]/i.test(bare.slice(dot + 1)))
    return true;
  return bare.length >= 7 && bare.length <= 64 && /^[0-9a-f]+$/.test(bare) && /\d/.test(bare);
}
