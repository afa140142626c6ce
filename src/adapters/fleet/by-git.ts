/** What makes a new repository name its objects as the one does that an object's name is from: one by the other cannot be fetched. */
export const formatOf = (object: string): readonly string[] =>
  object.length === 64 ? ["--object-format=sha256"] : [];

/** Where the work of an order lies on its hub. */
export function workUrl(hub: string, repository: string, id: string): string {
  return `${hub}/v1/git/${repository}/${encodeURIComponent(id)}`;
}

/** Where the copies of the runs of a repository are read. */
export function copiesUrl(hub: string, repository: string): string {
  return `${hub}/v1/copies/${repository}`;
}

/** Where a coordinator puts the copy of its run: its name and the epoch that the hub gave it. */
export function copyUrl(hub: string, repository: string, run: string, epoch: number): string {
  return `${copiesUrl(hub, repository)}/${run}/${epoch}`;
}

/** Below it lie the copies of a run. */
export const copiesOf = (run: string): string => `refs/heads/${run}`;

/** A copy as its one ref names it. */
export interface CopyName {
  readonly run: string;
  readonly epoch: number;
  /** When the run had completed, in seconds of the epoch; absent while there is something to do. */
  readonly over?: number;
}

export function copyRef({ run, epoch, over }: CopyName): string {
  return `${copiesOf(run)}/${epoch}${over === undefined ? "" : `-${over}`}`;
}

/** What such a ref says; undefined for any other. */
export function copyNamed(ref: string): CopyName | undefined {
  const [, run, epoch, over] = /^refs\/heads\/([^/]+)\/(\d{1,15})(?:-(\d{1,15}))?$/.exec(ref) ?? [];
  if (run === undefined) return undefined;
  return { run, epoch: Number(epoch), ...(over === undefined ? {} : { over: Number(over) }) };
}

/** The newest copy of each run: of the newest coordinator, and of that one's the copy at its end. */
export function newestOf<C extends CopyName>(copies: readonly C[]): ReadonlyMap<string, C> {
  const newest = new Map<string, C>();
  for (const copy of copies) {
    const known = newest.get(copy.run);
    const isNewer = known === undefined || copy.epoch > known.epoch;
    if (isNewer || (copy.epoch === known.epoch && copy.over !== undefined)) newest.set(copy.run, copy);
  }
  return newest;
}

/** What lets git reach a hub with a token, which stands in no argument: those every user of a machine can read. */
export function gitAccess(url: string, token: string): Readonly<Record<string, string>> {
  const ca = process.env["NODE_EXTRA_CA_CERTS"];
  return {
    GIT_ALLOW_PROTOCOL: "https:http",
    GIT_CONFIG_COUNT: "3",
    GIT_CONFIG_KEY_0: `http.${url}.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: Bearer ${token}`,
    GIT_CONFIG_KEY_1: "http.followRedirects",
    GIT_CONFIG_VALUE_1: "false",
    // What a machine sends is foreign: trees that no git would make are refused.
    GIT_CONFIG_KEY_2: "fetch.fsckObjects",
    GIT_CONFIG_VALUE_2: "true",
    ...(ca === undefined ? {} : { GIT_SSL_CAINFO: ca }),
  };
}

/** The parts of a commit that travels: the folder itself, and files that belong to its task and not to the work. */
export const WORK = "work";
export const FILES = "files";

/** Where such files lie in the folder of an order; none of this is work. */
export const FILES_FOLDER = ".espalier/files";

/** The one-shot refs of an order. */
export const BASE_REF = "refs/heads/base";
export const resultRef = (turn: number): string => `refs/heads/result-${turn}`;
