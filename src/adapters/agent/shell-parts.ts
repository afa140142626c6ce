/** Redirections that start and change nothing; a descriptor before them belongs to them. */
const HARMLESS = /(?:[12]?>&[12]|(?:[12&])?>{1,2} ?\/dev\/null|< ?\/dev\/null)(?=[\s;|&]|$)/y;
const SEPARATORS = /&&|\|\||\|&|[;|&\n]/y;

/**
 * The simple commands of a line of shell, each with single blanks between its words and its quotes as they stand. Undefined where
 * it does something that these do not show: a command within a command, a subshell, a file that is read or written, an open quote.
 * Time is linear in the line.
 */
export function simpleCommands(line: string): readonly string[] | undefined {
  const commands: string[] = [];
  let words: string[] = [];
  let isBegin = true;
  const end = () => {
    const command = words.join("").trim();
    if (command !== "") commands.push(command);
    words = [];
    isBegin = true;
  };
  for (let at = 0; at < line.length; ) {
    const quoted = quotedAt(line, at);
    if (quoted === undefined) return undefined;
    if (quoted > at) {
      words.push(line.slice(at, quoted));
      isBegin = false;
      at = quoted;
      continue;
    }
    const harmless = isBegin ? lengthAt(HARMLESS, line, at) : 0;
    const separator = harmless > 0 ? 0 : lengthAt(SEPARATORS, line, at);
    const character = line[at]!;
    const isBlank = character === " " || character === "\t";
    if (separator > 0) end();
    else if (harmless === 0) {
      if ("()<>`\r".includes(character) || (character === "$" && opensBare(line[at + 1]))) return undefined;
      if (!isBlank || !isBegin) words.push(isBlank ? " " : character);
      isBegin = isBlank;
    }
    at += Math.max(1, separator, harmless);
  }
  end();
  return commands;
}

/** Where a quoted piece or an escaped character ends that begins here; here where none begins, undefined where it has no end. */
function quotedAt(line: string, at: number): number | undefined {
  const mark = line[at];
  if (mark === "\\") return at + 1 < line.length && line[at + 1] !== "\n" ? at + 2 : undefined;
  if (mark === "'") {
    const close = line.indexOf("'", at + 1);
    return close < 0 ? undefined : close + 1;
  }
  if (mark !== '"') return at;
  for (let to = at + 1; to < line.length; to++) {
    const inside = line[to]!;
    if (inside === '"') return to + 1;
    if (inside === "`" || (inside === "$" && opens(line[to + 1]))) return undefined;
    if (inside === "\\") to++;
  }
  return undefined;
}

/** The same outside of quotes, where a dollar also begins quotes of another kind, in which backslashes count. */
function opensBare(next: string | undefined): boolean {
  return opens(next) || next === "'" || next === '"';
}

/** What stands behind a dollar where a command may be run. */
function opens(next: string | undefined): boolean {
  return next === "(" || next === "{";
}

function lengthAt(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0].length ?? 0;
}
