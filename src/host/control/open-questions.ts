import { setTimeout as pause } from "node:timers/promises";
import { followControl } from "../../engine/control/follow.ts";
import type { Asked } from "../../engine/index.ts";
import type { RunEvent } from "../../ports/index.ts";
import type { Project } from "../project/project.ts";
import { controlPath } from "./running.ts";

/** Milliseconds to wait for a process that listens, and for its next word: what waits it tells first and at once. */
const PATIENCE = 5_000;
const QUIET = 150;

/** What agents of the process that runs this project wait for, oldest first; undefined where none runs. */
export async function openQuestions(project: Project): Promise<readonly Asked[] | undefined> {
  const path = controlPath(project);
  if (path === undefined) return undefined;
  const open = new Map<number, Asked>();
  const { promise: agreed, resolve } = Promise.withResolvers<boolean>();
  let heard = 0;
  const following = followControl(
    path,
    () => resolve(true),
    ({ event }) => {
      heard++;
      note(open, event);
    },
  );
  void following.ended.then(() => resolve(false));
  const runs = await Promise.race([agreed, pause(PATIENCE, false)]);
  for (let before = -1; runs && before < heard; ) {
    before = heard;
    await pause(QUIET);
  }
  following.close();
  return runs ? [...open.values()] : undefined;
}

function note(open: Map<number, Asked>, event: RunEvent): void {
  if (event.type === "asked") open.set(event.id, event);
  if (event.type === "answered") open.delete(event.id);
}
