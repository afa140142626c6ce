/** Longest piece; what the segmenter leaves longer is cut at a blank. */
export const LONGEST_PIECE = 400;
/** Characters handed to the segmenter at once. */
const CHUNK = 16_000;

/** Sentences of any language, none longer than a piece may be. Their characters, blanks aside, are the text's. */
export function sentencesOf(text: string): string[] {
  if (text.length <= 80) return text.trim() === "" ? [] : [text.trim()];
  const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
  const sentences: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = chunkEnd(text, from);
    let open = "";
    for (const { segment } of segmenter.segment(text.slice(from, end))) {
      open += segment;
      if (endsInside(open)) continue;
      push(open, sentences);
      open = "";
    }
    push(open, sentences);
    from = end;
  }
  return sentences;
}

/** A stop behind `e.g`, `No` or an open code mark ends nothing. */
function endsInside(text: string): boolean {
  if (text.length > LONGEST_PIECE) return false;
  const tail = text.trimEnd().slice(-5).toLowerCase();
  if (tail.endsWith("e.g.") || tail.endsWith("i.e.") || tail.endsWith(" vs.") || tail.endsWith(" no."))
    return true;
  let marks = 0;
  for (const char of text) if (char === "`") marks++;
  return marks % 2 === 1;
}

function chunkEnd(text: string, from: number): number {
  if (text.length - from <= CHUNK) return text.length;
  const blank = text.lastIndexOf(" ", from + CHUNK);
  return blank > from + CHUNK / 2 ? blank : whole(text, from + CHUNK);
}

function push(sentence: string, into: string[]): void {
  const text = sentence.trim();
  for (let from = 0; from < text.length; ) {
    let end = Math.min(text.length, from + LONGEST_PIECE);
    if (end < text.length) {
      const blank = text.lastIndexOf(" ", end);
      end = blank > from + LONGEST_PIECE / 2 ? blank : whole(text, end);
    }
    const part = text.slice(from, end).trim();
    if (part !== "") into.push(part);
    from = end;
  }
}

/** The nearest place that splits no character of two units. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
