import { statSync } from "node:fs";
import { join } from "node:path";
import { STATE_NAMES } from "../../adapters/store/index.ts";
import { followControl } from "../../engine/control/follow.ts";
import type { Lookout, News } from "../../server/index.ts";
import type { Project } from "../project.ts";
import { askRunning, controlPath } from "../running.ts";
import type { ReadingLookout } from "./lookout.ts";

/** Milliseconds between two looks for a process that listens, and for changes nobody tells of. */
const LOOK = 500;

/** What changes when somebody writes the state: times and sizes of the database and its log. */
function trace(stateDir: string): string {
  const { database } = STATE_NAMES;
  return [database, `${database}-wal`]
    .map(name => statSync(join(stateDir, name), { throwIfNoEntry: false }))
    .map(facts => (facts === undefined ? "" : `${facts.ino}:${facts.mtimeMs}:${facts.size}`))
    .join(" ");
}

/**
 * The lookout of a process that only looks on: it hears the one that runs through the control socket, finds the next one
 * when that has gone, and notices what commands write that listen nowhere.
 */
export function outsideLookout(reading: ReadingLookout, project: Project): Lookout {
  const listeners = new Set<(news: News) => void>();
  let link = { live: false, held: false };
  let following: { close(): void } | undefined;
  let seen = trace(project.stateDir);
  let closed = false;
  const tell = (news: News) => {
    for (const listener of [...listeners]) listener(news);
  };
  const setLink = (next: typeof link) => {
    link = next;
    tell("changed");
  };

  const tryFollow = () => {
    const path = following === undefined ? controlPath(project) : undefined;
    if (path === undefined) return;
    const one = followControl(
      path,
      held => setLink({ live: true, held }),
      stamped => {
        const { type } = stamped.event;
        if (type === "run-held" || type === "run-released") link = { live: true, held: type === "run-held" };
        tell(stamped);
      },
    );
    following = one;
    void one.ended.then(() => {
      following = undefined;
      if (link.live && !closed) setLink({ live: false, held: false });
    });
  };

  const look = () => {
    tryFollow();
    const now = trace(project.stateDir);
    if (now === seen) return;
    seen = now;
    tell("changed");
  };
  tryFollow();
  const timer = setInterval(look, LOOK);

  return {
    ...reading,
    link: () => link,
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    act: request => askRunning(project, request),
    close() {
      closed = true;
      clearInterval(timer);
      following?.close();
      reading.close();
    },
  };
}
