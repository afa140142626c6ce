/** One line of Markdown as it is read: without marks of emphasis and code, links by their words, blanks folded. */
export function plainOf(text: string): string {
  const line = foldBlanks(text);
  // Without its code marks, what opens a comment would hide what follows it.
  if (!/[`*[]/.test(line) || line.includes("<!--")) return line;
  let out = "";
  let inCode = false;
  let inEmphasis = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!;
    if (char === "`") inCode = !inCode;
    else if (inCode) out += char;
    else if (char === "*" && line[at + 1] === "*") at++;
    else if (char === "*" && (isEmphasis(line, at) || (inEmphasis && closes(line, at))))
      inEmphasis = !inEmphasis;
    else if (char === "[" || (char === "!" && line[at + 1] === "[")) {
      const link = linkAt(line, char === "[" ? at : at + 1);
      if (link === undefined) out += char;
      else {
        out += plainOf(link.words);
        at = link.end;
      }
    } else out += char;
  }
  return out.trim();
}

/** Characters of a link's words and of its target. */
const LONGEST_LINK = 300;

/** `[words](target)` with its last character's place. Looks no further than a link can be long. */
function linkAt(line: string, open: number): { readonly words: string; readonly end: number } | undefined {
  const from = open + 1;
  const length = line.slice(from, from + LONGEST_LINK + 1).indexOf("](");
  if (length <= 0) return undefined;
  const words = line.slice(from, from + length);
  if (words.includes("[")) return undefined;
  const close = from + length;
  const target = line.slice(close, close + LONGEST_LINK + 1).indexOf(")");
  return target < 0 ? undefined : { words, end: close + target };
}

/** A single mark that opens or closes a word; one between blanks multiplies, one in a name is a pattern. */
function isEmphasis(line: string, at: number): boolean {
  const opens = isOutside(line[at - 1]) && isWord(line[at + 1]);
  return opens || (isWord(line[at - 1]) && isOutside(line[at + 1]));
}

/** `*Never.*` ends behind a mark of punctuation. */
function closes(line: string, at: number): boolean {
  return line[at - 1] !== " " && isOutside(line[at + 1]);
}

function isOutside(char: string | undefined): boolean {
  return char === undefined || " ([\"'.,;:!?)]".includes(char);
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N})\]]/u.test(char);
}

/** A text on one line, with single blanks. */
export function foldBlanks(text: string): string {
  return text.split(/\s/).filter(Boolean).join(" ");
}
