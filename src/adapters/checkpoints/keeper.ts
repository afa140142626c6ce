import { type Created, createCheckpoint } from "../../checkpoint/index.ts";
import type { CheckpointKeeper } from "../../engine/chronicle/index.ts";
import { fail, ok, type Result } from "../../ports/result.ts";
import { type Locale, messageIn } from "../../text/index.ts";
import { filesOfCommits } from "./commit-files.ts";
import { openCheckpoints } from "./folder.ts";
import { mendCheckpoints } from "./mend.ts";
import { storeCheckpoint } from "./store.ts";

export interface KeeperOptions {
  /** The folder of checkpoints. */
  readonly path: string;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** Absolute path of git, where there is one. */
  readonly git: string | undefined;
  readonly locale: Locale;
  /** Play-by-play entries that stay word for word. */
  readonly recent: number;
}

/** Keeps a run's checkpoints in a folder; what a crash left half done there is mended first. For the holder of the lock. */
export function localKeeper(options: KeeperOptions): CheckpointKeeper {
  const { locale, recent } = options;
  const folder = openCheckpoints(options.path);
  let mended = false;
  const read = () => {
    if (!mended) mendCheckpoints(folder, locale);
    mended = true;
    return folder.read();
  };
  return {
    latest() {
      const { history, texts } = read();
      const { current } = history;
      const anchor = current === undefined ? undefined : history.states.get(current)?.anchor;
      const text = current === undefined ? undefined : texts.state(current);
      return {
        exists: history.order.length > 0,
        ...(anchor === undefined ? {} : { anchor }),
        ...(text === undefined ? {} : { text }),
      };
    },
    keep(request): Result<Created, string> {
      const { history, texts } = read();
      const { parent, ...rest } = request;
      const known = parent !== undefined && (history.states.has(parent) || history.parents.has(parent));
      const created = createCheckpoint(history, texts, {
        ...rest,
        locale,
        recent,
        ...(known ? { parent } : {}),
      });
      if (!created.ok) return fail(messageIn(locale, created.failure));
      const stored = storeCheckpoint(folder, created.value);
      return stored.ok ? ok(created.value) : stored;
    },
    changed: commits => filesOfCommits(options.git, options.root, options.env, commits),
  };
}
