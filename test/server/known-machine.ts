import type { KnownMachine } from "../../src/fleet/index.ts";
import { ok } from "../../src/ports/index.ts";
import type { Monitor } from "../../src/server/index.ts";

/** A machine as a hub tells it. */
export function knownMachine(name: string, more: Partial<KnownMachine> = {}): KnownMachine {
  const facts = {
    agents: [],
    labels: [name],
    resources: {},
    slots: 2,
    holds: [],
    silent: 0,
    draining: false,
  };
  return { name, ...facts, ...more };
}

/** Machines of each kind, for a page that shows them. */
export const farMachines: Monitor["machines"] = async () => {
  const resources = { gpu: { offers: 2, taken: 1 } };
  const machines = [
    knownMachine("build-1", { holds: ["o1"], labels: ["build-1", "linux"], resources }),
    knownMachine("build-2", { silent: 61_000 }),
    knownMachine("build-3", { draining: true }),
  ];
  return ok({ hub: "https://hub.example", machines, waiting: 2 });
};
