import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { rescueFolder } from "../../src/adapters/vcs/git/index.ts";
import type { Vcs, WorkFolder } from "../../src/ports/index.ts";
import { type GitLab, landAll, must, openGitLab } from "../vcs/lab.ts";
import { Random } from "./random.ts";

/** What can stand in a folder that is nowhere else; each returns the texts that must not be lost. */
const KINDS: Readonly<Record<string, (lab: GitLab, folder: WorkFolder, text: string) => void>> = {
  modified: (lab, { path }, text) => lab.write(`${path}/a.txt`, text),
  untracked: (lab, { path }, text) => lab.write(`${path}/deep/new.txt`, text),
  staged(lab, { path }, text) {
    lab.write(`${path}/staged.txt`, text);
    lab.gitIn(path, "add", "staged.txt");
  },
  ignored: (lab, { path }, text) => lab.write(`${path}/notes.log`, text),
  committed(lab, { path }, text) {
    lab.write(`${path}/committed.txt`, text);
    lab.gitIn(path, "add", "committed.txt");
    lab.gitIn(path, "commit", "-q", "-m", "the agent's own");
  },
  merging(lab, { path }, text) {
    lab.write(`${path}/merging.txt`, text);
    lab.write(
      `${lab.gitIn(path, "rev-parse", "--absolute-git-dir")}/MERGE_HEAD`,
      `${lab.git("rev-parse", "HEAD")}\n`,
    );
  },
  strayed(lab, { path }, text) {
    lab.gitIn(path, "checkout", "-q", "--detach");
    lab.write(`${path}/strayed.txt`, text);
  },
  locked(lab, { path }, text) {
    lab.git("worktree", "lock", path);
    lab.write(`${path}/locked.txt`, text);
  },
};

/** Every way in which folders are cleared away or put to use again. */
const WAYS: Readonly<Record<string, (lab: GitLab, vcs: Vcs, folder: WorkFolder) => Promise<unknown>>> = {
  retire: (_lab, vcs, folder) => vcs.retire({ ...folder, heldBy: ["main"], deleteBranch: true }),
  "retire, branch kept": (_lab, vcs, folder) => vcs.retire({ ...folder, heldBy: [], deleteBranch: false }),
  "set aside": (_lab, vcs, folder) => vcs.setAside(folder, "task/aside"),
  "open again": (_lab, vcs, folder) => vcs.open({ ...folder, from: "HEAD" }),
  "worktrees rescue": async (lab, _vcs, folder) => rescueFolder(await lab.open(), folder),
  async "land beside it"(lab, vcs, folder) {
    const other = must(await vcs.open({ branch: "task/other", path: lab.place("other"), from: "HEAD" }));
    lab.write(`${other.path}/other.txt`, "other\n");
    return landAll(vcs, other, folder, { attempt: "other" });
  },
};

function textsBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [readFileSync(path, "utf8")];
  return readdirSync(path)
    .filter(name => name !== ".git")
    .flatMap(name => textsBelow(join(path, name)));
}

/** Whether a text is in any branch, in the folder, or among the rescued files. */
function isKept(lab: GitLab, folder: WorkFolder, text: string): boolean {
  const places = [folder.path, join(lab.folder, "rescued")];
  if (places.some(place => textsBelow(place).some(found => found.includes(text)))) return true;
  const refs = lab.git("for-each-ref", "--format=%(refname)", "refs/heads").split("\n");
  return refs.some(ref => {
    try {
      return lab.git("grep", "-l", "--fixed-strings", text, ref).length > 0;
    } catch {
      return false;
    }
  });
}

async function round(seed: number): Promise<{ readonly lost: string[]; readonly cleared: boolean }> {
  const random = new Random(seed);
  using lab = openGitLab({ "a.txt": "one\n", ".gitignore": "*.log\nnode_modules\n" });
  const vcs = await lab.vcs();
  const folder = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "HEAD" }));
  const kinds = Object.entries(KINDS).filter(() => random.chance(0.4));
  const texts = kinds.map(([name, make]) => {
    const text = `${name} ${seed}`;
    make(lab, folder, `${text}\n`);
    return text;
  });
  // What tools make again is lost with its folder, and hides nothing that stands beside it.
  if (random.chance(0.5)) lab.write(`${folder.path}/node_modules/dep/index.js`, "made again\n");
  const way = random.pick(Object.keys(WAYS));
  const done = (await WAYS[way]?.(lab, await lab.vcs(), folder)) as { readonly ok?: boolean } | undefined;
  const lost = texts.filter(text => !isKept(lab, folder, text));
  const stood = kinds.map(([name]) => name).join(", ");
  return {
    lost: lost.map(text => `seed ${seed}: "${text}" was lost by ${way} (${stood})`),
    cleared: done?.ok === true,
  };
}

/** What clearing away came to. */
export interface RescueReport {
  readonly rounds: number;
  /** Rounds in which the folder was cleared away or put to use again; in the others that was refused. */
  readonly cleared: number;
  /** What was lost, one sentence each. */
  readonly broken: readonly string[];
}

/** Clears away folders in every state by every way. */
export async function rescueRounds(rounds: number, seed: number): Promise<RescueReport> {
  const broken: string[] = [];
  let all = 0;
  for (let at = 0; at < rounds; at++) {
    const { lost, cleared } = await round(seed + at);
    broken.push(...lost);
    if (cleared) all++;
  }
  return { rounds, cleared: all, broken };
}
