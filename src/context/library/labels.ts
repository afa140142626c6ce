import { createHash } from "node:crypto";
import { GLOBAL_LABEL } from "../../tree/index.ts";

/** Longest name made of a foreign one; labels may have 64 characters. */
const LONGEST = 48;

/** A foreign name as a part of a label: letters, digits, `.`, `_` and `-`; with a hash where more than `softly` had to be changed. */
function named(name: string, softly = ""): string {
  let out = "";
  let changed = false;
  for (const char of name) {
    const isPlain = /^[A-Za-z0-9._-]$/.test(char);
    changed ||= !isPlain && char !== softly;
    if (isPlain) out += char;
    else if (!out.endsWith("-")) out += "-";
  }
  if (!changed && out.length <= LONGEST && out !== "" && out !== GLOBAL_LABEL) return out;
  return `${out.slice(0, LONGEST - 9)}-${digest(name)}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** The label of a file's document; `isTaken` tells of labels that mean something else. */
export function fileLabel(path: string, isTaken: (label: string) => boolean): string {
  const label = named(path, "/");
  return isTaken(label) ? `${label.slice(0, LONGEST)}-${digest(path)}` : label;
}

/** The label of what a context-fill task prepares; a later attempt makes a new version of it. */
export function fillLabel(task: string): string {
  return `fill-${named(task)}`;
}

/** The label of a block that an attempt added; `index` counts from 1. */
export function addedLabel(task: string, attempt: number, index: number): string {
  return `add-${named(task)}-${attempt}-${index}`;
}
