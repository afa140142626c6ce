/** Characters between a key as a message names it and the colon behind which the line's value stands. */
const LONGEST_REST = 60;

/** Where the value of a `key: value` line begins, seen from the end of its key; undefined for other lines. */
export function valueAt(line: string, from: number): number | undefined {
  for (let at = from; at < line.length && at < from + LONGEST_REST; at++) {
    if (line[at] !== ":") continue;
    let end = at + 1;
    while (line[end] === "*" || line[end] === "_") end++;
    if (end === line.length) return end;
    if (line[end] !== " ") continue;
    while (line[end] === " ") end++;
    return end;
  }
  return undefined;
}

/** What is set behind a text: apart from it by a blank, unless it begins with a mark that belongs to what stands before. */
export function spaced(text: string): string {
  return ",;.:!?)".includes(text[0]!) ? text : ` ${text}`;
}
