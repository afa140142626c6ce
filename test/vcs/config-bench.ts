import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRepository } from "../../src/adapters/vcs/git/index.ts";
import { inFolder } from "../../src/adapters/vcs/git/places/folders.ts";
import { DRIVERS, type RandomConfig } from "./random-config.ts";

/** A repository whose configuration is written anew for each case. */
export interface ConfigBench extends Disposable {
  /** What of a configuration is not as promised; empty where all is. */
  check(config: RandomConfig): Promise<readonly string[]>;
  /** How many cases git could read, and in how many it started something. */
  readonly counts: { readable: number; started: number };
}

/** Everything that reads, writes or joins files under a configuration, each as arguments of git and a folder. */
const WORK: readonly (readonly [folder: "project" | "w", ...args: readonly string[]])[] = [
  ["project", "add", "-A"],
  ["w", "add", "-A"],
  ["project", "checkout-index", "-a", "-f", "--prefix=../out/"],
  ["w", "checkout-index", "-a", "-f", "--prefix=../out/"],
  ["project", "merge-tree", "--write-tree", "one", "two"],
  ["project", "status", "--porcelain"],
  ["project", "update-ref", "refs/x", "HEAD"],
];

/** Opens one for the git of a path, or for the installed one. */
export function openConfigBench(program = "git"): ConfigBench {
  const folder = mkdtempSync(join(tmpdir(), "espalier-configs-"));
  const [root, own, bin, marks] = ["project", "w", "bin", "marks"].map(name => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [root, bin, marks]) mkdirSync(path);
  if (program !== "git") symlinkSync(program, join(bin, "git"));
  const PATH = `${bin}:${process.env["PATH"] ?? ""}`;
  const author = {
    GIT_AUTHOR_NAME: "t",
    GIT_AUTHOR_EMAIL: "t@t",
    GIT_COMMITTER_NAME: "t",
    GIT_COMMITTER_EMAIL: "t@t",
  };
  const env = { PATH, HOME: folder, LC_ALL: "C" };
  const git = (cwd: string, args: readonly string[], more = {}) =>
    spawnSync("git", args, { cwd, env: { ...env, ...author, ...more }, stdio: "ignore" }).status;

  git(root, ["init", "-q", "-b", "main"]);
  const given = DRIVERS.map((name, at) => `f${at} filter=${name} merge=${name} diff=${name}\n`);
  writeFileSync(join(root, ".gitattributes"), given.join(""));
  const commit = (content: string) => {
    for (const at of DRIVERS.keys()) writeFileSync(join(root, `f${at}`), `${content}\n`);
    git(root, ["add", "-A"]);
    git(root, ["commit", "-q", "-m", content]);
  };
  commit("base");
  for (const branch of ["one", "two"]) {
    git(root, ["switch", "-q", "-C", branch, "main"]);
    commit(branch);
  }
  git(root, ["switch", "-q", "main"]);
  git(root, ["worktree", "add", "-q", own, "-b", "w"]);

  const run = join(bin, "run");
  writeFileSync(run, `#!/bin/sh\n: > ${marks}/"\${1%%[!0-9]*}"\nexec cat\n`);
  chmodSync(run, 0o755);
  const common = join(root, ".git");
  const base =
    "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[extensions]\n\tworktreeConfig = true\n";
  const place = (name: string, text: string) => {
    const bytes = text.replaceAll(/@(\d+)@/g, (_, number: string) => `${run} ${number}`);
    writeFileSync(join(common, name), Buffer.from(bytes, "latin1"));
  };
  const started = () => {
    const names = readdirSync(marks).sort();
    for (const name of names) rmSync(join(marks, name));
    return names;
  };
  const fresh = () => rmSync(join(folder, "index"), { force: true });
  /** An index of its own that is not there yet: `add` then reads every file. */
  const indexFor = (command = "") => (command === "add" ? { GIT_INDEX_FILE: join(folder, "index") } : {});

  const counts = { readable: 0, started: 0 };
  const open = (allows: (program: string) => boolean) =>
    openRepository({ root, env, leaveOut: () => [], rescueDir: join(folder, "rescued"), allows });
  /** What is started by our own calls, and what is shown before. */
  const ours = async (isAllowed: boolean) => {
    const opened = await open(() => isAllowed);
    if (!opened.ok) return { programs: undefined, marks: started() };
    for (const [where, ...args] of WORK) {
      fresh();
      const [gitDir, top] = where === "w" ? [join(common, "worktrees", "w"), own] : [common, root];
      const options = inFolder(gitDir, top);
      const env = { ...options.env, ...indexFor(args[0]) } as Record<string, string>;
      await opened.value.git.run(args, { ...options, env });
    }
    return { programs: opened.value.programs, marks: started() };
  };

  return {
    counts,
    async check({ config, more, worktree }) {
      // What is switched off by its key in every call is never asked about.
      const isOff = new Set(
        [
          ...`${config}${more}${worktree}`.matchAll(
            /(?:fsmonitor|command|external|textconv) = [^@]*@(\d+)@/g,
          ),
        ].map(([, number = ""]) => number),
      );
      place(
        "config",
        `${config.startsWith("\u00ef") ? "\u00ef\u00bb\u00bf" : ""}${base}${config.replace(/^\u00ef\u00bb\u00bf/, "")}`,
      );
      place("more", more);
      place("config.worktree", worktree);
      place("worktrees/w/config.worktree", worktree);
      const isReadable = git(root, ["config", "--list"]) === 0;
      for (const [where, ...args] of WORK) {
        fresh();
        git(where === "w" ? own : root, args, indexFor(args[0]));
      }
      const theirs = started().filter(number => !isOff.has(number));
      if (isReadable) counts.readable++;
      if (theirs.length > 0) counts.started++;
      const unasked = await ours(false);
      const wrong = unasked.marks.map(number => `program ${number} was started though nobody approved it`);
      if (unasked.programs === undefined) return wrong;
      const shown = unasked.programs.join("\n");
      const hidden = theirs.filter(number => !new RegExp(`/run ${number}(?!\\d)`).test(shown));
      wrong.push(...hidden.map(number => `git starts program ${number}, and it is not shown`));
      const approved = await ours(true);
      const told = (numbers: readonly string[]) => numbers.join(", ");
      if (told(approved.marks) !== told(theirs))
        wrong.push(`once approved ${told(approved.marks)} are started, by git ${told(theirs)}`);
      return wrong;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
