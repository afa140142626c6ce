import { createHash } from "node:crypto";
import { isLabel } from "../../delta/index.ts";
import { GLOBAL_LABEL } from "../../tree/index.ts";

/** Longest name made of a foreign one; labels may have 64 characters. */
const LONGEST = 48;

/** A foreign name as a label or a part of one; with a hash where more than `softly` had to be changed. */
function named(name: string, softly = ""): string {
  const composed = name.normalize("NFC");
  let out = "";
  let changed = composed !== name;
  for (const char of composed) {
    const isKept = isLabel(out === "" ? char : `_${char}`);
    changed ||= !isKept && char !== softly;
    if (isKept) out += char;
    else if (out !== "" && !out.endsWith("-")) out += "-";
  }
  const isShort = Array.from(out).length <= LONGEST;
  if (!changed && isShort && out !== "" && out !== GLOBAL_LABEL) return out;
  return marked(out, LONGEST - 9, name);
}

/** The beginning of a label, and a hash that sets it apart. */
function marked(label: string, most: number, name: string): string {
  const start = Array.from(label).slice(0, most).join("");
  return `${start === "" ? "file" : start}-${digest(name)}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** The label of a file's document; `isTaken` tells of labels that mean something else. */
export function fileLabel(path: string, isTaken: (label: string) => boolean): string {
  const label = named(path, "/");
  return isTaken(label) ? marked(label, LONGEST, path) : label;
}

/** The label of what a context-fill task prepares; a later attempt makes a new version of it. */
export function fillLabel(task: string): string {
  return `fill-${named(task)}`;
}

/** The label of a block that an attempt added; `index` counts from 1. */
export function addedLabel(task: string, attempt: number, index: number): string {
  return `add-${named(task)}-${attempt}-${index}`;
}
