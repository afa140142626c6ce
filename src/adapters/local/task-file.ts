import type { FSWatcher } from "chokidar";
import type { TaskFile } from "../../engine/world.ts";
import { fail, ok } from "../../ports/index.ts";
import { directFileCalls, readBounded, writeAtomic } from "../file/index.ts";

/** Bytes beyond which a task file is not read. */
const MAX_BYTES = 64 * 1024 ** 2;
/** Milliseconds of silence after which a change is told: editors write in several steps. */
const SETTLE = 150;

/**
 * The task file on disk. A link in its place is read but never written through; `path` has none on the way. What is about to
 * take its place stands in `stateDir` until then, where git does not look.
 */
export function localTaskFile(path: string, displayPath: string, stateDir: string): TaskFile {
  return {
    displayPath,
    read() {
      const bytes = readBounded(path, { maxBytes: MAX_BYTES, follow: true });
      return bytes.ok ? bytes : fail(bytes.failure.message);
    },
    write(bytes) {
      const written = writeAtomic(path, bytes, { keepMode: true, through: stateDir, calls: directFileCalls });
      return written.ok ? ok(undefined) : fail(written.failure.message);
    },
    watch(onChange) {
      let timer: NodeJS.Timeout | undefined;
      let watcher: FSWatcher | undefined;
      let isOver = false;
      const changed = () => {
        clearTimeout(timer);
        timer = setTimeout(onChange, SETTLE);
      };
      // Loaded by those who watch: a lead's commands read the file and end.
      const watched = import("chokidar").then(({ watch }) => {
        if (isOver) return;
        watcher = watch(path, { ignoreInitial: true, atomic: true, persistent: false });
        watcher.on("all", changed);
        // What happened since the file was read, before the watch was in place.
        watcher.on("ready", changed);
        // Without a watch the file is still compared at the next resume.
        watcher.on("error", () => {});
      });
      watched.catch(() => {});
      return () => {
        isOver = true;
        clearTimeout(timer);
        void watcher?.close();
      };
    },
  };
}
