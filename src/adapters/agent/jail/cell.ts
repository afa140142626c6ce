/** What an agent may write in its jail besides the folder it works in and that one's repository. */
export interface Cell {
  /** Absolute paths of files. */
  readonly writable: readonly string[];
  /** Below the home: where the agent keeps sessions, logins and caches. */
  readonly keeps: readonly string[];
  /** Without it the agent reaches no network, and no model either. */
  readonly network: boolean;
  /** Absolute path of the project's state: what runs the project is hidden, the rest is read. */
  readonly state?: string | undefined;
  /** Absolute paths of programs that it starts, besides itself and what is found on its PATH. */
  readonly programs?: readonly string[] | undefined;
  /** Absolute paths of sockets it is served by. */
  readonly sockets?: readonly string[] | undefined;
  /** Below the home: keys of the user's that it sees all the same. */
  readonly show?: readonly string[] | undefined;
}

/** A mount of the jail: one flag of bubblewrap with the same path outside and inside. */
export function mounts(flag: string, paths: readonly string[]): string[] {
  return paths.flatMap(path => [flag, path, path]);
}
