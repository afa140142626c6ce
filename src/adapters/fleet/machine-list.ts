import { z } from "zod";
import { machinesShape } from "../../fleet/index.ts";
import { hubError } from "./hub.ts";
import type { HubClient } from "./hub-client.ts";

/** The machines of the token's pool, and the orders that wait for one. Throws EspalierError. */
export async function listMachines(client: HubClient): Promise<z.output<typeof machinesShape>> {
  const heard = await client.ask("machines", z.strictObject({}), {}, machinesShape);
  if (!heard.ok) throw hubError(heard.failure);
  return heard.value;
}

/** Has a machine take nothing more (`drain`), or gives it up with what it holds (`forget`). Throws EspalierError. */
export async function leaveMachine(
  client: HubClient,
  call: "drain" | "forget",
  machine: string,
  on: boolean,
): Promise<void> {
  const given = call === "drain" ? { machine, on } : { machine };
  const heard = await client.ask(call, z.looseObject({ machine: z.string() }), given, z.null());
  if (!heard.ok) throw hubError(heard.failure);
}
