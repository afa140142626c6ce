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

/** `[words](target)` with its last character's place. */
function linkAt(line: string, open: number): { readonly words: string; readonly end: number } | undefined {
  const close = line.indexOf("](", open);
  if (close < 0 || close - open > LONGEST_LINK || close === open + 1) return undefined;
  const words = line.slice(open + 1, close);
  const end = line.indexOf(")", close);
  if (end < 0 || end - close > LONGEST_LINK || words.includes("[")) return undefined;
  return { words, end };
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
