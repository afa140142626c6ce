import type { FSWatcher } from "chokidar";

/** Milliseconds of silence after which a change is told: editors write in several steps. */
const SETTLE = 150;

/** Calls back when it begins to watch a file, and after the file changed, whoever wrote it. Returns how to stop. */
export function watchFile(path: string, onChange: () => void): () => void {
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
}
