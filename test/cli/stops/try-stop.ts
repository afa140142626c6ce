import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStage } from "../../puppet/stage.ts";
import { scratchFolder } from "../../scratch.ts";
import { openRepositoryLab, type RepositoryLab } from "../repository/lab.ts";
import type { Stop } from "./signals.ts";
import type { State } from "./states.ts";

/** What became of a run that was stopped. */
export interface Stopped {
  /** Milliseconds from the stop to the end of the process. */
  readonly ms: number;
  /** What does not hold, one sentence each. */
  readonly broken: readonly string[];
}

function expectThat(holds: boolean, sentence: string): string[] {
  return holds ? [] : [sentence];
}

interface Standing {
  readonly tasks: readonly { readonly id: string; readonly status: string; readonly retries: number }[];
}

/** What a process that has left must not leave behind. */
function leftBehind(lab: RepositoryLab): string[] {
  const names = readdirSync(lab.path(".git"), { recursive: true, encoding: "utf8" });
  const locks = names.filter(name => name.endsWith(".lock"));
  const ours = [".espalier/holder.json", ".espalier/control.sock"].filter(name => existsSync(lab.path(name)));
  return [...locks, ...ours].map(name => `${name} is left`);
}

/** Whether a line stands in the branch exactly once for each task whose work is there. */
function landedOnce(lab: RepositoryLab, tasks: readonly string[]): string[] {
  return tasks.flatMap(id => {
    const text = lab.git("show", `main:made-${id}`);
    return expectThat(text === id, `made-${id} holds ${JSON.stringify(text)}`);
  });
}

/** Brings a run into a state, stops it, and looks at what is left; goes on with it where all of it can pass then. */
export async function tryStop(state: State, stop: Stop): Promise<Stopped> {
  await using stage = await openStage();
  const go = join(scratchFolder("espalier-go-"), "go");
  // No quotes: it stands in all kinds of them.
  const puppet = `test -e ${go} || ${stage.command.replaceAll("'", "")}`;
  await using lab = openRepositoryLab(state.files(puppet, stage));
  const run = lab.start(["run", "--yes"]);
  const end = run.ended.catch(() => undefined);
  await state.reach({ lab, stage, run });
  const began = performance.now();
  await stop.ask(lab, run);
  const done = await end;
  const ms = Math.round(performance.now() - began);
  const log = lab.read(".espalier/orchestrate.log");
  const after = log.slice(log.indexOf("[STOP]"));
  const { tasks } = JSON.parse((await lab.ask("status", "--json")).stdout) as Standing;
  const failures = tasks.reduce((sum, task) => sum + task.retries, 0);
  const broken = [
    ...expectThat(
      done?.code === 130,
      `it ended with ${done?.code ?? done?.signal}: ${done?.stderr.slice(-300)}`,
    ),
    ...expectThat(log.includes("[STOP]"), "nothing says that it was stopped"),
    ...expectThat(!after.includes("[FAIL]") && !after.includes("[PAUSED]"), `after the stop: ${after}`),
    ...expectThat(failures === (state.failures ?? 0), `${failures} attempts are counted`),
    ...leftBehind(lab),
  ];
  if (state.isOpen === true || broken.length > 0) return { ms, broken };
  writeFileSync(go, "");
  const resumed = await lab.ask("resume", "--yes");
  const ids = tasks.map(({ id }) => id);
  return {
    ms,
    broken:
      resumed.code === 0
        ? landedOnce(lab, ids)
        : [`resume ended with ${resumed.code}: ${resumed.stdout.slice(-600)}`],
  };
}
