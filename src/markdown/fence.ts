/** An open code fence: its mark and how many of them a closing line needs. */
export interface Fence {
  readonly mark: string;
  readonly length: number;
}

/** The fence a line opens, from column `from` on, or undefined. */
export function opensFence(line: string, from: number): Fence | undefined {
  const mark = line[from];
  if (mark !== "`" && mark !== "~") return undefined;
  let end = from;
  while (line[end] === mark) end++;
  if (end - from < 3) return undefined;
  // An info string of a backtick fence has no backtick: otherwise the line is inline code.
  if (mark === "`" && line.includes("`", end)) return undefined;
  return { mark, length: end - from };
}

/** Whether a line closes the fence. */
export function closesFence(line: string, fence: Fence): boolean {
  let at = 0;
  while (line[at] === " " || line[at] === "\t") at++;
  let end = at;
  while (line[end] === fence.mark) end++;
  if (end - at < fence.length) return false;
  for (let rest = end; rest < line.length; rest++) {
    if (line[rest] !== " " && line[rest] !== "\t" && line[rest] !== "\r") return false;
  }
  return true;
}
