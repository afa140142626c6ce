import { diff } from "../delta/index.ts";

/** What only a reader of a change can say: the words behind a cue in its new lines. */
export interface Question {
  /** As it stands in front of the answer, on the same line. */
  readonly cue: string;
  readonly answer: string;
  /** Without the answer nothing is proved; else it counts as its word. */
  readonly must: boolean;
}

/** What an answer to a question proves. */
export type Answered = "right" | "wrong" | "none";

/** Lines of a change that are looked at, and characters of a line. */
const MOST_LINES = 200;
const LONGEST_LINE = 400;
/** Characters of a cue, and of an answer that is asked for. */
const LONGEST_CUE = 32;
/** Tokens of a cue: with the form around it a question costs at most twenty. */
const MOST_TOKENS = 10;
const LONGEST_ANSWER = 24;
/** Words that somebody may say around the answer. */
const MOST_WORDS = 12;

const WORD = /[\p{L}\p{N}]+(?:[_.-][\p{L}\p{N}]+)*/gu;
/** A cue stands in a form of ours: nothing in it may end that, or read like a part of it. */
const PLAIN = /^[\p{L}\p{N} :_.,=()/#*-]+$/u;
const LETTERS = /\p{L}{2}/u;
const FORM = /ack|seen|impact|action|items|unclear|pause|본 값|영향|조치|항목/i;

/**
 * What to ask whoever was told of a change: a word of its new lines that stands nowhere in the old text, behind words that stand
 * once in the new one. Undefined where no line has any.
 */
export function questionFor(
  old: string,
  next: string,
  must: boolean,
  countTokens: (text: string) => number,
): Question | undefined {
  const known = new Set(wordsIn(old));
  const lines = diff(old, next).hunks.flatMap(({ added }) => added);
  let second: Question | undefined;
  for (const line of lines.slice(0, MOST_LINES)) {
    if (line.length > LONGEST_LINE) continue;
    for (const { 0: answer, index } of line.matchAll(WORD)) {
      if (answer.length > LONGEST_ANSWER || known.has(plain(answer))) continue;
      const cue = cueBefore(line.slice(0, index));
      if (cue === undefined || next.split(cue).length !== 2 || countTokens(cue) > MOST_TOKENS) continue;
      const question = { cue, answer, must };
      // A value behind its key is easier to name than a word in a sentence.
      if (cue.endsWith(":") || cue.endsWith("=")) return question;
      second ??= question;
    }
  }
  return second;
}

/** The last words in front of an answer, as few as a form has room for. */
function cueBefore(before: string): string | undefined {
  const text = before.trimEnd();
  let from = Math.max(0, text.length - LONGEST_CUE);
  while (from > 0 && from < text.length && text[from - 1] !== " ") from++;
  const cue = text.slice(from).replace(/^[^\p{L}\p{N}]+/u, "");
  return LETTERS.test(cue) && PLAIN.test(cue) && !FORM.test(cue) ? cue : undefined;
}

/** Holds what was said against what was asked for. */
export function answered({ answer }: Question, said: string | undefined): Answered {
  const words = wordsIn(said ?? "");
  if (words.length === 0) return "none";
  return words.length <= MOST_WORDS && words.includes(plain(answer)) ? "right" : "wrong";
}

function wordsIn(text: string): string[] {
  return (text.match(WORD) ?? []).map(plain);
}

function plain(word: string): string {
  return word.normalize("NFKC").toLowerCase();
}
