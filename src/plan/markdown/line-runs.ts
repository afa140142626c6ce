/** Numbers of lines in rising order, kept as runs. */
export interface LineRuns {
  add(line: number): void;
  /** Asked in rising order, too. */
  reader(): (line: number) => boolean;
}

/** Begins an empty set of lines. */
export function createLineRuns(): LineRuns {
  const runs: [from: number, to: number][] = [];
  return {
    add(line) {
      const last = runs.at(-1);
      if (last !== undefined && line <= last[1] + 1) last[1] = Math.max(last[1], line);
      else runs.push([line, line]);
    },
    reader() {
      let at = 0;
      return line => {
        while (at < runs.length && runs[at]![1] < line) at++;
        return at < runs.length && runs[at]![0] <= line;
      };
    },
  };
}
