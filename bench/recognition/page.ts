import type { PlanFormat } from "../../src/plan/types.ts";
import type { Random } from "./random.ts";
import type { Truth, TruthTask } from "./truth.ts";

/** A synthetic task file with its labels. */
export interface Variant {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly truth: Truth;
  /** The spellings it uses, to tell which of them a reader stumbles over. */
  readonly tags: readonly string[];
  /** Uses a spelling that people write but that no measured file showed: shown apart, not gated. */
  readonly beyond: boolean;
}

/** Collects lines and knows the number of the last one. */
export interface Page {
  /** Appends lines; returns the 1-based number of the last. */
  add(...lines: string[]): number;
  readonly text: () => string;
}

/** An empty page. */
export function page(): Page {
  const lines: string[] = [];
  return {
    add: (...more) => lines.push(...more.flatMap(text => text.split("\n"))),
    text: () => lines.join("\n"),
  };
}

/** Turns text into the bytes of a file as editors leave it: line ends, byte order mark, last newline. */
export function encode(random: Random, text: string, tags: string[]): Uint8Array {
  let out = random.chance(0.9) ? `${text}\n` : text;
  if (random.chance(0.12)) {
    tags.push("crlf");
    out = out.replaceAll("\n", "\r\n");
  }
  if (random.chance(0.08)) {
    tags.push("bom");
    out = `\uFEFF${out}`;
  }
  return new TextEncoder().encode(out);
}

/** Puts the parts of a variant together. */
export function variant(
  format: PlanFormat,
  path: string,
  bytes: Uint8Array,
  tasks: readonly TruthTask[],
  tags: readonly string[],
): Variant {
  const beyond = tags.some(tag => tag.startsWith("beyond:"));
  return { path, bytes, tags, beyond, truth: { name: path, format, tasks } };
}
