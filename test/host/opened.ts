import { openProject, type ProjectRequest, type StampedEvent } from "../../src/host/index.ts";
import type { Lab } from "../cli/lab.ts";

/** Opens the project of a lab; unless something else is asked for, by a program that approves everything. */
export function open(
  lab: Lab,
  more: Partial<ProjectRequest> = { approve: () => true },
): ReturnType<typeof openProject> {
  return openProject({ folder: lab.root, env: lab.env, ...more });
}

/** All events of a run, once it has ended. */
export async function all(events: AsyncIterable<StampedEvent>): Promise<readonly StampedEvent[]> {
  const heard: StampedEvent[] = [];
  for await (const event of events) heard.push(event);
  return heard;
}
