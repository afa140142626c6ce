import { splitRow } from "../../src/checkpoint/table.ts";

/** A text without blanks, marks and control characters: what is shown of it is found again in it. */
function bare(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}*_`~\\|§"—]/gu, "");
}

/** Whether the parts of a shown text, cut at `…`, stand in a text in their order. */
function standsIn(text: string, shown: string): boolean {
  let at = 0;
  return shown.split("…").every(part => {
    const found = text.indexOf(bare(part), at);
    at = found + bare(part).length;
    return found >= 0;
  });
}

const BOXES = ["open", "done"];

/**
 * Proves what an English delta document tells people line by line against its two checkpoints, by other means than those
 * that wrote it; returns the lines that are false.
 */
export function falseLines(document: string, old: string, next: string): string[] {
  const [before, after] = [bare(old), bare(next)];
  const lines = document
    .slice(document.indexOf("\n## Changes"), document.lastIndexOf("espalier-delta"))
    .split("\n");
  const broken: string[] = [];
  let part = "";
  for (const [index, line] of lines.entries()) {
    if (/^#{2,3} /.test(line)) part = line.slice(line.indexOf(" ") + 1);
    else if (line.startsWith("|---")) continue;
    else if (line.startsWith("| ") && part !== "Added" && part !== "Removed") {
      if (lines[index + 1]?.startsWith("|---") === true) continue;
      const [place = "", was = "", is = ""] = splitRow(line);
      if (!rowHolds(before, after, place, was, is)) broken.push(line);
    } else if (line.startsWith("- ") && (part === "Added" || part === "Removed")) {
      if (!entryHolds(line.slice(2), part === "Added" ? after : before)) broken.push(line);
    } else if (/^\d+\. /.test(line) && !stepHolds(line, before, after)) broken.push(line);
  }
  return broken;
}

function rowHolds(before: string, after: string, place: string, was: string, is: string): boolean {
  if (was === is && was !== "") return false;
  if (place.startsWith("layout")) return /^−\d+$/.test(was) && /^\+\d+$/.test(is);
  const end = (text: string, shown: string) =>
    BOXES.includes(shown) ||
    /^\[.\]$/.test(shown) ||
    shown === "first" ||
    standsIn(text, shown.replace(/^after §/, ""));
  return end(before, was) && end(after, is);
}

function entryHolds(shown: string, text: string): boolean {
  const whole = /^§(.*): (?:new section|section of)/.exec(shown);
  if (whole !== null) return standsIn(text, whole[1]!);
  return standsIn(text, shown.replace(/ and \d+ more$/, "").split(", ", 1)[0]!);
}

function stepHolds(line: string, before: string, after: string): boolean {
  const step = line.slice(line.indexOf(" ") + 1);
  const [verb = ""] = step.split(" ", 1);
  if (step.includes("espalier checkpoint apply") || /^And \d+ more such steps?\.$/.test(step)) return true;
  const text = verb === "Remove" ? before : after;
  const section = /(?: (?:to|in|from) )§(.*)\.$/.exec(step)?.[1];
  if (!["Add", "Change", "Remove", "Rename", "Move", "Set", "Arrange"].includes(verb)) return false;
  if (section === undefined || verb === "Move" || verb === "Rename") return true;
  return standsIn(text, section.split(" to §").at(-1)!);
}
