/** What a terminal shows after these bytes: the few control sequences a redraw uses, nothing else. */
export function screenOf(bytes: string): { lines: string[]; cursor: boolean } {
  const lines: string[] = [""];
  let row = 0;
  let column = 0;
  let cursor = true;
  const put = (char: string) => {
    const line = (lines[row] ?? "").padEnd(column);
    lines[row] = line.slice(0, column) + char + line.slice(column + char.length);
    column += char.length;
  };
  for (let at = 0; at < bytes.length; ) {
    const char = bytes[at]!;
    if (char === "\n") {
      row++;
      column = 0;
      lines[row] ??= "";
      at++;
      continue;
    }
    if (char === "\r") {
      column = 0;
      at++;
      continue;
    }
    if (char !== "\u001b") {
      put(char);
      at++;
      continue;
    }
    let end = at + 2;
    while (end < bytes.length && !/[A-Za-z]/.test(bytes[end]!)) end++;
    const parameters = bytes.slice(at + 2, end);
    const final = bytes[end];
    at = end + 1;
    if (final === "H") {
      row = 0;
      column = 0;
    } else if (final === "A") row = Math.max(0, row - Number(parameters || "1"));
    else if (final === "G") column = Math.max(0, Number(parameters || "1") - 1);
    else if (final === "K") lines[row] = parameters === "2" ? "" : (lines[row] ?? "").slice(0, column);
    else if (final === "J") lines.splice(row, lines.length, (lines[row] ?? "").slice(0, column));
    else if (final === "h" && parameters === "?25") cursor = true;
    else if (final === "l" && parameters === "?25") cursor = false;
    else if (final !== "m" && parameters !== "?2026")
      throw new Error(`unexpected sequence ${parameters}${final}`);
  }
  while (lines.at(-1) === "") lines.pop();
  return { lines, cursor };
}
