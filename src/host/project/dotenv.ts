/** A setting of a file of settings, with everything that readers of such files take for its value. */
export type Setting = readonly [name: string, values: readonly string[]];

const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** What stands in quotes; `escapes` says whether a backslash keeps a quote from ending it. Undefined where nothing ends it. */
function quoted(text: string, from: number, escapes: boolean): { text: string; end: number } | undefined {
  const quote = text[from]!;
  for (let at = from + 1; at < text.length; at++) {
    if (escapes && text[at] === "\\") at++;
    else if (text[at] === quote) return { text: text.slice(from + 1, at), end: at + 1 };
  }
  return undefined;
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\([\s\S])/g, (_, char: string) => LETTERS[char] ?? char);

/** One word as a shell reads it: pieces with and without quotes behind each other. */
function shellWord(text: string, from: number): string {
  let word = "";
  for (let at = from; at < text.length; ) {
    const char = text[at]!;
    if (/[\s;]/.test(char)) break;
    const isQuote = char === '"' || char === "'";
    const piece = isQuote ? quoted(text, at, char === '"') : undefined;
    if (piece !== undefined) {
      word +=
        char === '"'
          ? piece.text.replaceAll(/\\(["\\$`]|\n)/g, (_, kept: string) => kept.trim())
          : piece.text;
      at = piece.end;
    } else if (char === "\\" && at + 1 < text.length) {
      word += text[at + 1]! === "\n" ? "" : text[at + 1]!;
      at += 2;
    } else {
      word += char;
      at += 1;
    }
  }
  return word;
}

/** Everything that what stands behind a name may mean. */
function readings(text: string, from: number): string[] {
  const newline = text.indexOf("\n", from);
  const line = text.slice(from, newline < 0 ? text.length : newline).trim();
  const plain = [line, line.split(/\s#/, 1)[0]!.trim(), line.split("#", 1)[0]!.trim(), shellWord(text, from)];
  if (!/["'`]/.test(text[from] ?? "")) return plain;
  const within = [quoted(text, from, true), quoted(text, from, false)].flatMap(found => found?.text ?? []);
  return [
    ...plain,
    ...within,
    ...within.map(unescaped),
    ...within.map(value => value.replaceAll("\\n", "\n")),
  ];
}

/**
 * `NAME=value` lines of a text. Readers differ in what quotes, escapes, comments and lines mean in a value: each reading is
 * given once.
 */
export function settingsIn(text: string): Setting[] {
  const unix = text.replaceAll("\uFEFF", "").replaceAll(/\r\n?/g, "\n");
  const begins = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]{0,200})(?:[ \t]*=[ \t]*|:[ \t]+)/gm;
  return Array.from(unix.matchAll(begins), ({ 0: whole, 1: name = "", index }) => [
    name,
    [...new Set(readings(unix, index + whole.length))],
  ]);
}
