import { errorsOf } from "../../host/project/plan-file.ts";
import type { Project } from "../../host/project/project.ts";
import { EspalierError, type Machine } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import type { Io } from "../io.ts";
import type { DoctorWords } from "../views/words/doctor-words.ts";
import { type Check, problemFrom } from "./doctor-problem.ts";
import { presentPlan } from "./doctor-tasks.ts";

/** Tasks that are named where many ask for the same. */
const NAMED = 5;

/** What the open tasks of the project ask of machines; none where there is no task file that can be read. */
async function askedBy(io: Io, project: Project, machines: readonly Machine[]) {
  const [launch, settings, fitting, access] = await Promise.all([
    import("../../host/run/launch.ts"),
    import("../../host/project/settings.ts"),
    import("../../host/run/fitting.ts"),
    import("../../host/run/hub-access.ts"),
  ]);
  const { latest, file, plan } = presentPlan(project);
  if (errorsOf(plan).length > 0) return [];
  const origin = { project, file, plan, latest };
  const invocation = launch.lastOf(origin)?.invocation ?? {};
  const run = launch.presentRun(origin, { invocation: {}, stays: false }, false);
  const options = settings.engineOptions(project.config, invocation, "", project.root);
  const repository = await access.nameAtHubs(project, file, io.env);
  return fitting.askedOfMachines(run, options, machines, repository);
}

/** The machines of a hub, what each has, and what it lacks for the tasks that are open. */
export async function machineChecks(
  io: Io,
  project: Project,
  on: string | undefined,
  words: DoctorWords,
): Promise<Check[]> {
  if (on === undefined) return [];
  const [{ openHubOf, offersOf }, { listMachines }, { standOf }, { asRule, lacksOf, unserved }] =
    await Promise.all([
      import("./worker.ts"),
      import("../../adapters/fleet/machine-list.ts"),
      import("../../fleet/index.ts"),
      import("../../host/run/fitting.ts"),
    ]);
  let heard: Awaited<ReturnType<typeof listMachines>>;
  try {
    const client = await openHubOf(io, on);
    heard = await listMachines(client).finally(() => client.close());
  } catch (error) {
    return [problemFrom("hub", error, words.reason)];
  }
  const { machines, waiting } = heard;
  const hub: Check =
    machines.length === 0
      ? { name: "hub", level: "problem", ...words.noMachines(visible(on, 200)) }
      : { name: "hub", level: "ok", found: words.hub(visible(on, 200), machines.length, waiting.length) };
  let asked: Awaited<ReturnType<typeof askedBy>> = [];
  try {
    asked = await askedBy(io, project, machines);
  } catch (error) {
    if (!(error instanceof EspalierError)) throw error;
  }
  const few = (tasks: readonly string[]) =>
    words.tasks(tasks.slice(0, NAMED).join(", "), Math.max(0, tasks.length - NAMED));
  const each = machines.map((machine): Check => {
    const { name, slots, holds, silent, agents } = machine;
    const own = [...machine.labels.filter(label => label !== name), ...offersOf(machine)];
    const labels = own.map(label => visible(label, 100));
    const state = standOf(machine);
    const has = [agents.map(one => one.name).join(", "), labels.join(" ")].filter(one => one !== "");
    const found = words.machine(state, Math.round(silent / 1000), holds.length, slots, has.join("; "));
    const lacks = [...lacksOf(machine, asked)].map(
      ([what, tasks]) => `${visible(what, 100)} (${few(tasks)})`,
    );
    const level = lacks.length > 0 || state !== "there" ? "note" : "ok";
    const advice = lacks.length === 0 ? {} : { advice: words.lacks(lacks.join(", ")) };
    return { name: `machine ${name}`, level, found, ...advice };
  });
  const without = machines.length === 0 ? [] : unserved(machines, asked);
  const nobody = without.map(({ task, agents, labels, uses, repository }): Check => {
    const of = repository === undefined ? [] : [asRule(repository)];
    const wants = [agents.length === 0 ? "auto" : agents.join(" | "), ...labels, ...uses, ...of].map(one =>
      visible(one, 100),
    );
    return { name: "task", level: "problem", ...words.nobodyTakes(task, wants.join(", ")) };
  });
  const taking = machines.filter(machine => standOf(machine) !== "draining");
  const drained = unserved(taking, asked).flatMap((one): Check[] => {
    const could = machines.filter(machine => unserved([machine], [one]).length === 0);
    if (could.length === 0) return [];
    const names = could.map(({ name }) => visible(name, 100));
    const command = `espalier worker drain ${names[0]} --off --hub ${visible(on, 200)}`;
    return [{ name: "task", level: "problem", ...words.onlyDrained(one.task, names.join(", "), command) }];
  });
  return [hub, ...each, ...nobody, ...drained];
}
