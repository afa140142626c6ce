import { randomBytes } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";

/** What the writer needs to know about a file. */
export interface FileFacts {
  readonly kind: "file" | "directory" | "symlink" | "other";
  readonly size: number;
  /** Permission bits only. */
  readonly mode: number;
  readonly links: number;
  readonly owner: number;
  readonly group: number;
  /** When the content last changed, in nanoseconds. */
  readonly modified: bigint;
  /** Equal for two names of one file; may be given again once a file is gone. */
  readonly identity: string;
}

/**
 * How a file is opened; never waiting for the other end of a pipe, through a symbolic link only by `follow`. `append`
 * makes the file where it is missing.
 */
export type OpenWay = "create" | "read" | "follow" | "append" | "directory";

/**
 * The system calls of the file writer, so that tests can fail each of them.
 * Each member is one call and throws what `node:fs` throws.
 */
export interface FileCalls {
  open(path: string, way: OpenWay, mode: number): number;
  read(fd: number, buffer: Uint8Array, offset: number, position: number): number;
  /** May write fewer bytes than given; returns how many. */
  write(fd: number, bytes: Uint8Array, offset: number, position: number): number;
  fsync(fd: number): void;
  fstat(fd: number): FileFacts;
  lstat(path: string): FileFacts;
  chmod(fd: number, mode: number): void;
  chown(fd: number, owner: number, group: number): void;
  close(fd: number): void;
  rename(from: string, to: string): void;
  link(from: string, to: string): void;
  unlink(path: string): void;
  list(directory: string): readonly string[];
  /** 32 hexadecimal digits nobody can guess. */
  token(): string;
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_WAIT = (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

const FLAGS: Record<OpenWay, number> = {
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW,
  read: constants.O_RDONLY | NO_FOLLOW | NO_WAIT,
  follow: constants.O_RDONLY | NO_WAIT,
  append: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | NO_FOLLOW | NO_WAIT,
  directory: constants.O_RDONLY,
};

function factsOf(stats: BigIntStats): FileFacts {
  const kind = stats.isFile()
    ? "file"
    : stats.isDirectory()
      ? "directory"
      : stats.isSymbolicLink()
        ? "symlink"
        : "other";
  return {
    kind,
    size: Number(stats.size),
    mode: Number(stats.mode) & 0o777,
    links: Number(stats.nlink),
    owner: Number(stats.uid),
    group: Number(stats.gid),
    modified: stats.mtimeNs,
    identity: `${stats.dev}:${stats.ino}`,
  };
}

/** The real file system. */
export const nodeFileCalls: FileCalls = {
  open: (path, way, mode) => openSync(path, FLAGS[way], mode),
  read: (fd, buffer, offset, position) => readSync(fd, buffer, offset, buffer.length - offset, position),
  write: (fd, bytes, offset, position) => writeSync(fd, bytes, offset, bytes.length - offset, position),
  fsync: fsyncSync,
  fstat: fd => factsOf(fstatSync(fd, { bigint: true })),
  lstat: path => factsOf(lstatSync(path, { bigint: true })),
  chmod: fchmodSync,
  chown: fchownSync,
  close: closeSync,
  rename: renameSync,
  link: linkSync,
  unlink: unlinkSync,
  list: directory => readdirSync(directory),
  token: () => randomBytes(16).toString("hex"),
};

/** The same without waiting for the disk: for files that are worth nothing after a power cut. */
export const unsyncedFileCalls: FileCalls = { ...nodeFileCalls, fsync() {} };
