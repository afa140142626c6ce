/** What other tools call keys of ours, in small letters and without marks between words. */
const MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    locale: "language lang",
    tasks: "taskfile tasksfile file",
    agent: "provider llm",
    "agents.NAME.model": "model models",
    "agents.NAME.permissions": "permissions permission",
    parallel: "concurrency workers jobs threads maxparallel maxworkers maxconcurrency parallelism",
    maxAttempts: "retries retry maxretries attempts",
    "limits.wall": "timeout timeouts",
    "jail.use": "sandbox",
    verify: "check checks lint validate",
    env: "environment",
    "git.target": "base basebranch mainbranch",
    stateDir: "state statefolder",
  }).flatMap(([key, words]) => words.split(" ").map(word => [word, key] as const)),
);

/**
 * The key that was meant by one which is known nowhere at the top: by another tool's word for it, or because it stands deeper. `within` tells
 * the keys of a mapping.
 */
export function meantKey(
  written: string,
  top: readonly string[],
  within: (key: string) => readonly string[],
): string | undefined {
  const known = MEANT.get(written.toLowerCase().replaceAll(/[-_]/g, ""));
  if (known !== undefined) return known;
  const deeper = top.flatMap(key => (within(key).includes(written) ? [`${key}.${written}`] : []));
  return deeper.length === 1 ? deeper[0] : undefined;
}
