/** Longest piece; what is longer is cut at a blank. */
export const LONGEST_PIECE = 400;

const ENDS = new Set("!?。！？".split(""));
const CLOSES = new Set(")]}\"'”’`*」』".split(""));
/** Words whose dot ends nothing. */
const SHORT = new Set(["e.g", "i.e", "vs", "no", "cf", "etc", "approx", "fig", "mr", "dr", "st"]);

/** Sentences of any language, none longer than a piece may be. Their characters, blanks aside, are the text's. Linear. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  let inCode = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "`") inCode = !inCode;
    if (at - from >= LONGEST_PIECE) {
      const blank = text.slice(from, at).lastIndexOf(" ");
      const end = blank > LONGEST_PIECE / 2 ? from + blank : whole(text, at);
      push(text.slice(from, end), sentences);
      from = end;
      inCode = false;
    }
    if (inCode || !(char === "." || ENDS.has(char))) continue;
    let end = at + 1;
    while (end < text.length && CLOSES.has(text[end]!)) end++;
    const closes = end === text.length || text[end] === " " || char === "。";
    if (!closes || (char === "." ? endsNothing(text, from, at, end) : goesOnSmall(text, at, end))) continue;
    push(text.slice(from, end), sentences);
    from = end;
    at = end - 1;
  }
  push(text.slice(from), sentences);
  return sentences;
}

/** The first sentence of a text; empty without one. */
export function firstOf(text: string): string {
  return sentencesOf(text.slice(0, 2 * LONGEST_PIECE))[0] ?? "";
}

/** Whether a text is a sentence to its end, and was not cut off. */
export function endsSentence(text: string): boolean {
  let at = text.length - 1;
  while (at > 0 && CLOSES.has(text[at]!)) at--;
  return text[at] === "." || ENDS.has(text[at]!);
}

/** A dot behind a short word or a list's number (`5.`, `Step 5.`, `5단계.`), in an ellipsis of a bracket, or before a small letter. */
function endsNothing(text: string, from: number, dot: number, end: number): boolean {
  const before = text.slice(Math.max(from, dot - 12), dot).toLowerCase();
  const word = before.slice(before.lastIndexOf(" ") + 1).replace("(", "");
  if (SHORT.has(word)) return true;
  const said = text.slice(from, Math.min(dot, from + 16)).trim();
  if (dot - from < 14 && /^(?:\p{L}{2,6} )?\d{1,3}\p{L}{0,3}$/u.test(said)) return true;
  if (before.endsWith("..") && text[dot + 1] === ")") return true;
  return goesOnSmall(text, dot, end);
}

/** A small letter goes on a sentence that quotes a question (`skips the "Which remain?" prompt`); a Korean one has ended: `… 보낸다. worker가 …` */
function goesOnSmall(text: string, mark: number, end: number): boolean {
  const [before, next] = [text[mark - 1] ?? "", text[end + 1] ?? ""];
  return next >= "a" && next <= "z" && !(before >= "가" && before <= "힣");
}

function push(sentence: string, into: string[]): void {
  const text = sentence.trim();
  if (text !== "") into.push(text);
}

/** The nearest place that splits no character of two units. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
