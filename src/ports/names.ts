/** A few of many names, and how many more there are. */
export interface Names {
  readonly names: readonly string[];
  readonly more: number;
}

/** At most so many of many names. */
export function few(names: readonly string[], most = 5): Names {
  return { names: names.slice(0, most), more: Math.max(0, names.length - most) };
}
