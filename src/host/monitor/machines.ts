import type { KnownMachine } from "../../fleet/index.ts";
import { EspalierError, fail, ok, type Result } from "../../ports/index.ts";
import { reasonText } from "../../text/index.ts";
import type { Project } from "../project/project.ts";

/** The machines of a hub as it knows them. */
export interface MachinesSeen {
  /** Its address. */
  readonly hub: string;
  readonly machines: readonly KnownMachine[];
  /** How many orders of all its runs wait for one. */
  readonly waiting: number;
}

/** Milliseconds for which what a hub has said stands: many pages are one question. */
const FRESH = 2000;

/** Asks the hub at an address for its machines, once for all who ask at a time. The failure is a sentence for people. */
export function machinesLook(
  { locale }: Pick<Project, "locale">,
  env: NodeJS.ProcessEnv,
  now: () => number = () => performance.now(),
): (on: string) => Promise<Result<MachinesSeen, string>> {
  let last: {
    readonly on: string;
    readonly at: number;
    readonly answer: Promise<Result<MachinesSeen, string>>;
  };

  const ask = async (on: string): Promise<Result<MachinesSeen, string>> => {
    try {
      // Most runs have no hub: what talks to one is loaded when it is asked for.
      const [{ hubAddress, hubToken, openHub }, { listMachines }] = await Promise.all([
        import("../../adapters/fleet/hub-client.ts"),
        import("../../adapters/fleet/machine-list.ts"),
      ]);
      const { url } = hubAddress(on);
      const client = openHub(url, hubToken(env, "ask-for-token"));
      try {
        const { machines, waiting } = await listMachines(client);
        return ok({ hub: url, machines, waiting: waiting.length });
      } finally {
        client.close();
      }
    } catch (error) {
      if (!(error instanceof EspalierError)) throw error;
      return fail(error.reason === undefined ? error.message : reasonText(error.reason, locale));
    }
  };

  return on => {
    if (last?.on !== on || now() - last.at > FRESH) last = { on, at: now(), answer: ask(on) };
    return last.answer;
  };
}
