/** Paths that `expects:` names besides its two words. */
export function expectedPaths(expects: readonly string[] | undefined): readonly string[] {
  return (expects ?? []).filter(path => path !== "diff" && path !== "none");
}
