import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DiskRecord, readLog } from "./log.ts";

const DEVICE = fileURLToPath(new URL("device.ts", import.meta.url));
const MIB = 96;

/** Why no disk can be made here; undefined where one can. */
export function whyNoDisk(): string | undefined {
  if (process.platform !== "linux") return "power cuts need Linux";
  if (process.getuid?.() !== 0) return "power cuts need root: a disk is mounted";
  if (!existsSync("/dev/fuse") || !existsSync("/dev/loop-control")) return "no /dev/fuse or no loop devices";
  if (spawnSync("mkfs.ext4", ["-V"]).error !== undefined) return "no mkfs.ext4";
  return undefined;
}

/** A mounted file system on a disk that remembers every write. */
export interface RecordedDisk {
  /** Where it is mounted. */
  readonly root: string;
  /** Bytes of its log up to now: what was told before was told before this. */
  position(): number;
  /** Takes it away without another write being remembered, and tells what was. */
  end(): { readonly base: Buffer; readonly records: readonly DiskRecord[] };
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

/** Makes a disk with an empty file system in a folder. `prepare` fills it; what it writes is there before the log begins. */
export async function openDisk(folder: string, prepare: (root: string) => void): Promise<RecordedDisk> {
  const image = join(folder, "image");
  const log = join(folder, "log");
  const around = makeFolder(join(folder, "around"));
  const root = makeFolder(join(folder, "disk"));
  writeFileSync(image, Buffer.alloc(MIB * 1024 ** 2));
  const lazy = "lazy_itable_init=0,lazy_journal_init=0";
  execFileSync("mkfs.ext4", ["-q", "-F", "-E", lazy, "-J", "size=8", image]);
  execFileSync("mount", ["-o", "loop", image, root]);
  try {
    prepare(root);
  } finally {
    execFileSync("umount", [root]);
  }
  const base = readFileSync(image);
  writeFileSync(log, "");
  const device = spawn(process.execPath, [DEVICE, image, log, around], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>(resolve => device.on("close", () => resolve()));
  await Promise.race([new Promise(resolve => device.stdout.once("data", resolve)), ended]);
  // Journal commits come from syncs alone: nothing gets to the disk by waiting.
  execFileSync("mount", ["-o", "loop,commit=60", join(around, "disk"), root]);
  return {
    root,
    position: () => statSync(log).size,
    end() {
      const told = readFileSync(log);
      spawnSync("umount", ["-l", root]);
      spawnSync("umount", ["-l", around]);
      device.kill("SIGKILL");
      return { base, records: readLog(told) };
    },
  };
}

let cuts = 0;

/** Mounts what a disk holds where it was, for as long as `look` takes. Its file system mends itself by its journal. */
export async function onDisk<T>(
  folder: string,
  disk: Buffer,
  look: (root: string) => Promise<T>,
): Promise<T> {
  // Of its own each time: whatever still holds the one before must not lend it its memory.
  const image = join(folder, `cut-${cuts++}`);
  const root = makeFolder(join(folder, "disk"));
  writeFileSync(image, disk);
  execFileSync("mount", ["-o", "loop", image, root]);
  try {
    return await look(root);
  } finally {
    // A process of the run may take a moment to go.
    for (let tries = 0; spawnSync("umount", [root]).status !== 0 && tries < 50; tries++)
      await new Promise(resolve => setTimeout(resolve, 100));
    rmSync(image);
  }
}
