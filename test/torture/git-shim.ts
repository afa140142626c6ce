import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Calls of the system by which git changes anything. */
const CHANGING = [
  "mkdir",
  "rename",
  "link",
  "unlink",
  "rmdir",
  "symlink",
  "write",
  "pwrite64",
  "ftruncate",
  "fsync",
  "chmod",
] as const;

/** One moment at which a git process can be killed: which of an operation's git calls, which system call, which of those. */
export interface KillPoint {
  readonly call: number;
  readonly name: string;
  readonly times: number;
}

/** A `git` that counts its calls, and is killed where it is told to be. Its folder goes in front of PATH. */
export interface Shim {
  readonly path: string;
  /** From now on every call is recorded. */
  record(): void;
  /** Every moment of the recorded calls. */
  points(): KillPoint[];
  /** The next operation's git is killed there. */
  arm(point: KillPoint): void;
  disarm(): void;
  /** Whether a git was killed since it was armed. */
  hasKilled(): boolean;
}

const SCRIPT = `#!/bin/sh
here=$(dirname "$0")
mode=$(cat "$here/mode")
if [ "$mode" = off ]; then exec "$GIT_REAL" "$@"; fi
n=$(($(cat "$here/count") + 1)); echo $n > "$here/count"
set="trace=mkdir,rename,link,unlink,rmdir,symlink,write,pwrite64,ftruncate,fsync,chmod"
if [ "$mode" = record ]; then exec strace -f -qq -e "$set" -o "$here/log.$n" "$GIT_REAL" "$@"; fi
read -r call name times < "$here/point"
if [ "$n" != "$call" ]; then exec "$GIT_REAL" "$@"; fi
echo yes > "$here/killed"
exec strace -f -qq -e trace=none -o /dev/null -e "inject=$name:signal=SIGKILL:when=$times" "$GIT_REAL" "$@"
`;

/** Puts a shim into a folder. */
export function createShim(folder: string, realGit: string): Shim {
  const path = join(folder, "shim");
  mkdirSync(path, { recursive: true });
  const at = (name: string) => join(path, name);
  writeFileSync(at("git"), SCRIPT.replaceAll("$GIT_REAL", realGit));
  chmodSync(at("git"), 0o755);
  const set = (mode: string) => {
    writeFileSync(at("mode"), mode);
    writeFileSync(at("count"), "0");
    rmSync(at("killed"), { force: true });
  };
  set("off");
  return {
    path,
    record: () => set("record"),
    points() {
      set("off");
      const logs = readdirSync(path).filter(name => name.startsWith("log."));
      return logs.flatMap(log => {
        const call = Number(log.slice(4));
        const lines = readFileSync(at(log), "utf8").split("\n");
        return CHANGING.flatMap(name => {
          const count = lines.filter(line => line.includes(` ${name}(`)).length;
          return Array.from({ length: count }, (_, at_) => ({ call, name, times: at_ + 1 }));
        });
      });
    },
    arm({ call, name, times }) {
      set("kill");
      writeFileSync(at("point"), `${call} ${name} ${times}\n`);
    },
    disarm: () => set("off"),
    hasKilled: () => readdirSync(path).includes("killed"),
  };
}
