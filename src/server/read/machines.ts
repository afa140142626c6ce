import { type KnownMachine, standOf } from "../../fleet/index.ts";
import type { MachinesSeen } from "../../host/monitor/machines.ts";
import type { AttemptRow, AttemptSpan, Result } from "../../ports/index.ts";
import type { MachineNow, MachinesShape } from "../shapes/machines.ts";
import { shown } from "../shown.ts";

/** Machines that are shown, and things of each kind that one has. */
const MACHINES = 200;
const THINGS = 20;
/** Characters of a name. */
const SHORT = 100;

function shownFew(names: readonly string[]): string[] {
  return names.slice(0, THINGS).map(name => shown(name, SHORT));
}

function machineNow(machine: KnownMachine, tasks: readonly string[], lost: number): MachineNow {
  const { name, silent, slots, holds, agents, labels, resources } = machine;
  return {
    name: shown(name, SHORT),
    state: standOf(machine),
    heard: Math.round(silent / 1000),
    slots,
    busy: holds.length,
    tasks: tasks.slice(0, THINGS),
    agents: shownFew(agents.map(agent => agent.name)),
    // Its name counts as one of its labels.
    labels: shownFew(labels.filter(label => label !== name)),
    offers: Object.entries(resources)
      .slice(0, THINGS)
      .map(([of, use]) => ({ name: shown(of, SHORT), taken: use.taken, of: use.offers })),
    lost,
  };
}

/** Who works for the hub of a run, and what of this run each has and had; undefined for a run that is worked on here. */
export function machinesShape(
  found: Result<MachinesSeen, string> | undefined,
  open: readonly Pick<AttemptRow, "task" | "machine">[],
  spans: readonly Pick<AttemptSpan, "machine" | "outcome">[],
): MachinesShape {
  if (found === undefined) return { machines: [], waiting: 0 };
  if (!found.ok) return { hub: "", problem: shown(found.failure), machines: [], waiting: 0 };
  const { hub, machines, waiting } = found.value;
  const crashed = spans.filter(({ outcome }) => outcome === "crashed");
  const lost = Map.groupBy(crashed, span => span.machine);
  const tasks = Map.groupBy(open, row => row.machine);
  return {
    hub: shown(hub),
    machines: machines.slice(0, MACHINES).map(machine =>
      machineNow(
        machine,
        (tasks.get(machine.name) ?? []).map(row => row.task),
        lost.get(machine.name)?.length ?? 0,
      ),
    ),
    waiting,
  };
}
