import { isBelow } from "../../file/index.ts";
import { realPath } from "./make.ts";

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

/** Folders that are empty in there. */
export const EMPTY = ["/tmp", "/run"];

/** One flag of bubblewrap with what it needs; the last of it is the place inside. */
export type Mount = readonly [flag: string, ...paths: string[]];

/**
 * Where a path is inside: bubblewrap follows no link to the place that it mounts at, so it is mounted where the links lead.
 * In folders that are empty in there no link is.
 */
export function placeOf(path: string): string {
  return EMPTY.some(folder => isBelow(folder, path)) ? path : (realPath(path) ?? path);
}

/** Mounts of the same path outside and inside. */
export function mounts(flag: string, paths: readonly string[]): Mount[] {
  return paths.map(path => [flag, path, placeOf(path)]);
}

/** Mounts as they are made: what lies in another one's place comes after that one, which would cover it. */
export function inOrder(all: readonly Mount[]): string[] {
  const depth = (mount: Mount) => (mount.at(-1) ?? "").split("/").length;
  return all.toSorted((a, b) => depth(a) - depth(b)).flat();
}
