import { execFileSync } from "node:child_process";
import type { Result, Vcs, VcsFailure } from "../../src/ports/index.ts";
import { type GitLab, landAll, must, openGitLab, whyOf } from "../vcs/lab.ts";
import { createShim, type KillPoint } from "./git-shim.ts";

type Outcome = Result<unknown, VcsFailure>;

/** Something git is killed over: how it is prepared, what is done, and what must hold once it was done again. */
interface Scenario {
  readonly name: string;
  prepare(lab: GitLab, vcs: Vcs): Promise<void>;
  act(lab: GitLab, vcs: Vcs): Promise<Outcome>;
  /** Sentences about what does not hold. */
  check(lab: GitLab): string[];
}

const PHASE = { branch: "phase/1-x", from: "HEAD" };
const phase = (lab: GitLab, vcs: Vcs) => vcs.open({ ...PHASE, path: lab.place("p1") });
const task = (lab: GitLab, vcs: Vcs, n: number) =>
  vcs.open({ branch: `task/${n}`, path: lab.place(`t${n}`), from: PHASE.branch });

function expectThat(holds: boolean, sentence: string): string[] {
  return holds ? [] : [sentence];
}

function cleanFolder(lab: GitLab, path: string): string[] {
  const status = lab.gitIn(path, "status", "--porcelain");
  return expectThat(status === "", `${path} is not clean: ${status}`);
}

function landedOnce(lab: GitLab, attempt: string, branch: string): string[] {
  const found = lab.git("log", "--format=%H", `--grep=Espalier-Attempt: ${attempt}`, branch);
  const count = found === "" ? 0 : found.split("\n").length;
  return expectThat(count === 1, `${attempt} landed ${count} times`);
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: "worktree add",
    prepare: async () => {},
    act: phase,
    check: lab => [
      ...cleanFolder(lab, lab.place("p1")),
      ...expectThat(lab.gitIn(lab.place("p1"), "branch", "--show-current") === PHASE.branch, "wrong branch"),
    ],
  },
  {
    name: "commit",
    async prepare(lab, vcs) {
      const folder = must(await phase(lab, vcs));
      lab.write(`${folder.path}/new.txt`, "new\n");
      lab.write(`${folder.path}/a.txt`, "changed\n");
    },
    async act(lab, vcs) {
      const folder = await phase(lab, vcs);
      return folder.ok ? landAll(vcs, folder.value, folder.value, { attempt: "once" }) : folder;
    },
    check: lab => [
      ...landedOnce(lab, "once", PHASE.branch),
      ...cleanFolder(lab, lab.place("p1")),
      ...expectThat(lab.git("show", `${PHASE.branch}:new.txt`) === "new", "the work is not there"),
    ],
  },
  {
    name: "landing beside another",
    async prepare(lab, vcs) {
      const into = must(await phase(lab, vcs));
      const [one, two] = [must(await task(lab, vcs, 1)), must(await task(lab, vcs, 2))];
      lab.write(`${one.path}/one.txt`, "1\n");
      lab.write(`${two.path}/two.txt`, "2\n");
      must(await landAll(vcs, one, into, { attempt: "first" }));
    },
    async act(lab, vcs) {
      const into = await phase(lab, vcs);
      const two = into.ok ? await task(lab, vcs, 2) : into;
      if (!into.ok || !two.ok) return two;
      return landAll(vcs, two.value, into.value, { attempt: "second" });
    },
    check: lab => [
      ...landedOnce(lab, "first", PHASE.branch),
      ...landedOnce(lab, "second", PHASE.branch),
      ...cleanFolder(lab, lab.place("p1")),
      ...expectThat(lab.has(`${lab.place("p1")}/two.txt`), "the work is not in the folder"),
    ],
  },
  {
    name: "merging into the main checkout",
    async prepare(lab, vcs) {
      const folder = must(await phase(lab, vcs));
      lab.write(`${folder.path}/a.txt`, "changed\n");
      lab.write(`${folder.path}/new.txt`, "new\n");
      lab.write(`${folder.path}/deep/er.txt`, "deep\n");
      must(await landAll(vcs, folder, folder, { attempt: "once" }));
      lab.write("mine.txt", "a person's\n");
    },
    act: (_lab, vcs) => vcs.merge({ branch: PHASE.branch, into: "main", message: "Merge phase 1" }),
    check: lab => [
      ...landedOnce(lab, "once", "main"),
      ...expectThat(lab.git("rev-list", "--merges", "--count", "main") === "1", "merged more than once"),
      ...expectThat(lab.git("status", "--porcelain") === "?? mine.txt", lab.git("status", "--porcelain")),
      ...expectThat(
        lab.read("a.txt") === "changed\n" && lab.read("deep/er.txt") === "deep\n",
        "files are missing",
      ),
    ],
  },
  {
    name: "retiring with unsaved work",
    async prepare(lab, vcs) {
      const folder = must(await phase(lab, vcs));
      lab.write(`${folder.path}/unsaved.txt`, "unsaved\n");
    },
    act: (lab, vcs) =>
      vcs.retire({ branch: PHASE.branch, path: lab.place("p1"), heldBy: ["main"], deleteBranch: true }),
    check: lab => {
      const branches = lab.git("for-each-ref", "--format=%(refname:short)", "refs/heads/espalier/rescue");
      const saved = branches === "" ? undefined : lab.git("show", `${branches.split("\n")[0]}:unsaved.txt`);
      return [
        ...expectThat(saved === "unsaved", "unsaved work was lost"),
        ...expectThat(!lab.has(lab.place("p1")), "the folder is still there"),
      ];
    },
  },
  {
    name: "setting aside",
    async prepare(lab, vcs) {
      const folder = must(await phase(lab, vcs));
      lab.write(`${folder.path}/half.txt`, "half\n");
    },
    async act(lab, vcs) {
      const folder = await phase(lab, vcs);
      return folder.ok ? vcs.setAside(folder.value, "task/1") : folder;
    },
    check: lab => [
      ...cleanFolder(lab, lab.place("p1")),
      ...expectThat(lab.git("show", "task/1:half.txt") === "half", "half-done work was lost"),
    ],
  },
];

async function once(
  scenario: Scenario,
  point: KillPoint | undefined,
  onPoints: (points: readonly KillPoint[]) => void,
  onKill: () => void = () => {},
): Promise<string[]> {
  using lab = openGitLab();
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const shim = createShim(lab.folder, real);
  await scenario.prepare(lab, await lab.vcs());
  const shimmed = await lab.vcs(`${shim.path}:${process.env["PATH"] ?? ""}`);
  if (point === undefined) {
    shim.record();
    must(await scenario.act(lab, shimmed));
    onPoints(shim.points());
    return scenario.check(lab);
  }
  shim.arm(point);
  await scenario.act(lab, shimmed);
  if (shim.hasKilled()) onKill();
  shim.disarm();
  // A new process looks at what is left and does the same again.
  const again = await scenario.act(lab, await lab.vcs());
  const where = `${scenario.name}, killed at ${point.name} ${point.times} of call ${point.call}`;
  if (!again.ok) return [`${where}: ${whyOf(again)}`];
  const broken = scenario.check(lab);
  const fsck = lab.git("fsck", "--no-dangling", "--no-progress");
  return [...broken, ...expectThat(fsck === "", `fsck: ${fsck}`)].map(sentence => `${where}: ${sentence}`);
}

/** What killing git came to. */
export interface GitKills {
  /** Moments there are, and those that were tried. */
  readonly points: number;
  readonly tried: number;
  /** Of those the ones that were reached: git was killed there. */
  readonly killed: number;
  readonly broken: readonly string[];
}

/** Kills git at every moment of every scenario, or at `most` of them, evenly chosen. */
export async function killGit(most: number, say: (line: string) => void = () => {}): Promise<GitKills> {
  const broken: string[] = [];
  let all = 0;
  let [tried, killed] = [0, 0];
  const share = Math.ceil(most / SCENARIOS.length);
  for (const scenario of SCENARIOS) {
    let points: readonly KillPoint[] = [];
    broken.push(
      ...(await once(scenario, undefined, found => {
        points = found;
      })),
    );
    const step = Math.max(1, points.length / share);
    all += points.length;
    let here = 0;
    for (let at = 0; at < points.length; at += step) {
      broken.push(
        ...(await once(
          scenario,
          points[Math.floor(at)],
          () => {},
          () => killed++,
        )),
      );
      here++;
    }
    tried += here;
    say(`  ${scenario.name}: ${here} of ${points.length} moments`);
  }
  return { points: all, tried, killed, broken };
}
