import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askRunning } from "../../../src/host/control/running.ts";
import { findProject } from "../../../src/host/project/project.ts";
import type { Call, Stage } from "../../puppet/stage.ts";
import type { Lab, Running } from "../lab.ts";
import { tasksFile } from "../repository/lab.ts";

/** A run on its way into a state. */
export interface Scene {
  readonly lab: Lab;
  readonly stage: Stage;
  readonly run: Running;
}

/** Something that a run can be at when it is stopped. */
export interface State {
  readonly name: string;
  /** `puppet`: a command that waits for the test, and passes at once when the run goes on. */
  files(puppet: string, stage: Stage): Readonly<Record<string, string>>;
  /** Resolves when the run is there. */
  reach(scene: Scene): Promise<void>;
  /** Failures of tasks that were there before the stop. */
  readonly failures?: number;
  /** What `resume` works off; absent: all of it. */
  readonly isOpen?: boolean;
}

const YAML = "backoff: { first: 0s }\nlimits: { grace: 1s }\nparallel: 3\nphase: { merge: auto }\n";

function files(yaml: string, tasks: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return { "espalier.yaml": `${YAML}${yaml}`, "TASKS.md": tasksFile({ 1: tasks }) };
}

/** A `run:` block that leaves one line in a file of its task. */
const writes = (id: string, before = "true") => `run: ${before}; echo ${id} > made-${id}`;
const calls = async ({ stage }: Scene, count: number) => {
  for (let n = 0; n < count; n++) await stage.nextCall();
};

async function hold({ lab }: Scene): Promise<void> {
  await askRunning(findProject(lab.root), { method: "hold", held: true, by: "the test" });
}

/** What an agent does that changes the one line that all of them change. */
async function works(call: Call): Promise<void> {
  writeFileSync(join(call.cwd, "line"), `${call.task}\n`);
  appendFileSync(join(call.cwd, `made-${call.task}`), `${call.task}\n`);
  await call.say(`DONE:${call.env["ESPALIER_SIGNAL_ID"]}`);
  await call.exit(0);
}

const RIVALS = { "T1.1": [], "T1.2": [], "T1.3": [] };
const rivals = (stage: Stage) => ({
  ...files(`agent: command\ncommand: ${JSON.stringify(stage.command)}\n`, RIVALS),
  line: "nobody\n",
});

/** T1.1 has landed, T1.2 solves its conflict with that, and T1.3 is done and waits for it. */
async function atConflict({ stage, run }: Scene): Promise<void> {
  const [one, two, three] = [
    await stage.nextCall("T1.1"),
    await stage.nextCall("T1.2"),
    await stage.nextCall("T1.3"),
  ];
  await works(one);
  await run.seen("[DONE] T1.1");
  await works(two);
  await stage.nextCall("T1.2");
  await works(three);
}

/** Every state in which a run can be stopped. */
export const STATES: readonly State[] = [
  {
    name: "preparing a worktree",
    files: puppet =>
      files(`worktree: { setup: [${JSON.stringify(puppet)}] }\n`, { "T1.1": [writes("T1.1")] }),
    reach: scene => calls(scene, 1),
  },
  {
    name: "tests before the work",
    files: puppet => files("", { "T1.1": [writes("T1.1"), `test: ${puppet} && test -e made-T1.1`] }),
    reach: scene => calls(scene, 1),
  },
  {
    name: "agents at work",
    files: puppet => files("", { "T1.1": [writes("T1.1", puppet)], "T1.2": [writes("T1.2", puppet)] }),
    reach: scene => calls(scene, 2),
  },
  {
    name: "commands at work that ignore SIGTERM",
    files: puppet => ({
      ...files("", { "T1.1": [writes("T1.1", `(trap : TERM; ${puppet} && exit 0; sleep 60)`)] }),
      // With the grace that agents have unless a project says otherwise.
      "espalier.yaml": YAML.replace("limits: { grace: 1s }\n", ""),
    }),
    reach: scene => calls(scene, 1),
  },
  {
    name: "verify",
    files: puppet => files("", { "T1.1": [writes("T1.1"), `verify: ${puppet}`] }),
    reach: scene => calls(scene, 1),
  },
  {
    name: "landing beside other work",
    files: puppet =>
      files(`verify: ${JSON.stringify(puppet)}\n`, {
        "T1.1": [writes("T1.1")],
        "T1.2": [writes("T1.2")],
        "T1.3": [writes("T1.3")],
      }),
    async reach({ stage, run }) {
      const [one, two, three] = [
        await stage.nextCall("T1.1"),
        await stage.nextCall("T1.2"),
        await stage.nextCall("T1.3"),
      ];
      await one.exit(0);
      await run.seen("[DONE] T1.1");
      await two.exit(0);
      await stage.nextCall("T1.2");
      await three.exit(0);
    },
  },
  {
    name: "solving a conflict, with another behind it",
    files: (_, stage) => rivals(stage),
    reach: atConflict,
    isOpen: true,
  },
  {
    name: "held, with agents at work",
    files: puppet =>
      files("", { "T1.1": [writes("T1.1", puppet)], "T1.2": [writes("T1.2"), "depends_on: [T1.1]"] }),
    async reach(scene) {
      await calls(scene, 1);
      await hold(scene);
    },
  },
  {
    name: "held, with a conflict and others behind it",
    files: (_, stage) => rivals(stage),
    async reach(scene) {
      await atConflict(scene);
      await hold(scene);
    },
    isOpen: true,
  },
  {
    name: "held, with nothing at work",
    files: puppet =>
      files("", { "T1.1": [writes("T1.1", puppet)], "T1.2": [writes("T1.2"), "depends_on: [T1.1]"] }),
    async reach(scene) {
      const call = await scene.stage.nextCall();
      await hold(scene);
      await call.exit(0);
      await scene.run.seen("[DONE] T1.1");
    },
  },
  {
    name: "waiting before a retry",
    files: puppet => ({
      ...files("", { "T1.1": [writes("T1.1", puppet)] }),
      "espalier.yaml": YAML.replace("first: 0s", "first: 60s"),
    }),
    async reach({ stage, run }) {
      await (await stage.nextCall()).exit(1);
      await run.seen("[FAIL]");
    },
    failures: 1,
    isOpen: true,
  },
  {
    name: "waiting for a quota",
    files: puppet => files("", { "T1.1": [writes("T1.1", puppet)] }),
    async reach({ stage, run }) {
      const call = await stage.nextCall();
      await call.complain("429 Too Many Requests, retry after 3000 s");
      await call.exit(1);
      await run.seen("[WAITING]");
    },
    isOpen: true,
  },
  {
    name: "the check of a phase",
    files: puppet => ({
      ...files("", { "T1.1": [writes("T1.1")] }),
      "espalier.yaml": YAML.replace("merge: auto", `merge: auto, verify: ${JSON.stringify(puppet)}`),
    }),
    reach: scene => calls(scene, 1),
  },
];
