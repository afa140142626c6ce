/**
 * Where the tests work: in memory, where there is room and programs may run. A test that makes hundreds of states waits for
 * the disk's syncing and for nothing else; what only a disk can show is asked of one in test/torture.
 */
import { mkdtempSync, readFileSync, realpathSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** More than all tests that run at once ever need. */
const ENOUGH = 2 ** 30;

/** Where what tests start keeps its compiled code, from test to test and from run to run. */
export const COMPILED: string = join(tmpdir(), `espalier-test-cache-${process.getuid?.() ?? ""}`);

/** Makes a new folder whose name begins so; whoever asks removes it. */
export function scratchFolder(prefix: string): string {
  return realpathSync(mkdtempSync(join(serves(MEMORY) ? MEMORY : tmpdir(), prefix)));
}

/** Containers often give it little room, or mount it so that no script there can be started. */
function serves(place: string): boolean {
  try {
    const mounted = readFileSync("/proc/self/mounts", "utf8")
      .split("\n")
      .map(line => line.split(" "))
      .findLast(([, at]) => at === place);
    const { bavail, bsize } = statfsSync(place);
    return mounted?.[3]?.split(",").includes("noexec") === false && bavail * bsize > ENOUGH;
  } catch {
    return false;
  }
}
