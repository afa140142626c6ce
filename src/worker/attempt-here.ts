import { createLocalFleet } from "../adapters/fleet/index.ts";
import { agentEnv } from "../adapters/process/index.ts";
import { redactorOf } from "../host/machine.ts";
import { fail, ok } from "../ports/index.ts";
import { refusedFor } from "./cell.ts";
import { type HereRequest, openHere } from "./here.ts";
import { type InsideOptions, serveInside } from "./inside.ts";

/** Carries out one order with the agents of this machine, for a worker that has started this process for it. */
export async function attemptHere({
  lines,
  write,
  ...request
}: HereRequest & Pick<InsideOptions, "lines" | "write">): Promise<void> {
  const { rules, env } = request;
  const here = await openHere(request);
  const redact = redactorOf(env);
  try {
    await serveInside({
      lines,
      write,
      async open(order) {
        const agents = await here.installed();
        const problem = await here.prepare(order.cwd, order);
        if (problem !== undefined) return fail(refusedFor(problem));
        const fleet = createLocalFleet({ agents, mask: () => redact.stream() });
        const own = { ...agentEnv(env, rules.config.env), ...order.env };
        return ok({ fleet, order: { ...order, env: own } });
      },
    });
  } finally {
    await here.warden.close();
  }
}
