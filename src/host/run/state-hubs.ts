import { existsSync } from "node:fs";
import { projectHome, readJoined } from "../../adapters/home/index.ts";
import { EspalierError } from "../../ports/index.ts";
import { type Approvable, leftHub, storedHub } from "../approval/approvable.ts";
import { hubNote, type Invocation, isElsewhere } from "../project/invocation.ts";
import type { Session } from "../session/open.ts";

type Asked = Pick<Session, "project" | "invocation" | "runId">;

/** Whether an address that a person gave or approved is of the hub at a URL. */
async function isAt(joined: string, url: string): Promise<boolean> {
  const { hubAddress } = await import("../../adapters/fleet/hub-client.ts");
  try {
    return hubAddress(joined).url === url;
  } catch (error) {
    if (error instanceof EspalierError) return false;
    throw error;
  }
}

/** The hub that a run comes back from which this machine works on by itself, where only the state tells of it. */
export async function hubToLeave(
  { project: { stateDir }, invocation, runId }: Asked,
  env: NodeJS.ProcessEnv,
): Promise<Approvable | undefined> {
  if (isElsewhere(invocation) || !existsSync(hubNote(stateDir))) return undefined;
  const { readConducted } = await import("./conducted.ts");
  const noted = readConducted(stateDir);
  if (noted?.run !== runId || noted.url === undefined) return undefined;
  const joined = readJoined(projectHome(env, stateDir))?.on;
  return joined !== undefined && (await isAt(joined, noted.url)) ? undefined : leftHub(noted.url);
}

/** The hubs that only the state has for a run whose flags are `given`: it lies in the repository, and may have come with it. */
export async function hubsOfState(
  asked: Asked,
  given: Invocation,
  env: NodeJS.ProcessEnv,
): Promise<Approvable[]> {
  const joined = readJoined(projectHome(env, asked.project.stateDir))?.on;
  const left = await hubToLeave(asked, env);
  return [
    ...(given.on === undefined ? storedHub(asked.invocation, joined) : []),
    ...(left === undefined ? [] : [left]),
  ];
}
