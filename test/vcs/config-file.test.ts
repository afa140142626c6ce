import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  changedKeys,
  programsOf,
  readConfigFile,
  switchedOff,
} from "../../src/adapters/vcs/git/config-file.ts";
import { configFiles } from "../../src/adapters/vcs/git/config-files.ts";
import { repositoryPrograms } from "../../src/adapters/vcs/git/index.ts";
import { must, openGitLab } from "./lab.ts";

describe("a configuration file of git", () => {
  it("is read as git reads it", () => {
    using lab = openGitLab();
    lab.git("config", "filter.my thing.clean", "run it");
    lab.git("config", "--add", "remote.origin.fetch", "a");
    lab.git("config", "--add", "remote.origin.fetch", "b");
    lab.git("config", "core.fsmonitor", "x");
    const ours = readConfigFile(lab.read(".git/config"));
    const theirs = new Map<string, string[]>();
    for (const line of lab.git("config", "--local", "--list").split("\n")) {
      const at = line.indexOf("=");
      const key = line.slice(0, at);
      theirs.set(key, [...(theirs.get(key) ?? []), line.slice(at + 1)]);
    }
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
  });

  it("takes comments, continued lines, keys without a value and headers with a key behind them", () => {
    const text = '# c\n; d\n[a]\n\tflag\n\tlong = one \\\n two\n[b "X"] key = v\r\n[broken\n';
    expect(Object.fromEntries(readConfigFile(text))).toEqual({
      "a.flag": ["true"],
      "a.long": ["one  two"],
      "b.X.key": ["v"],
      "b.X.[broken": ["true"],
    });
  });

  it("never fails, and notices every change that matters", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        const [a, b] = [readConfigFile(one), readConfigFile(other)];
        expect(changedKeys(a, a)).toEqual([]);
        expect(changedKeys(a, b)).toEqual(changedKeys(b, a));
      }),
    );
    const before = readConfigFile("[core]\n\tbare = false\n");
    const changed = (text: string) => changedKeys(before, readConfigFile(`[core]\n\tbare = false\n${text}`));
    expect(changed("[core]\n\tfsmonitor = x\n")).toEqual(["core.fsmonitor"]);
    expect(changed('[filter "a"]\n\tclean = x\n')).toEqual(["filter.a.clean"]);
    expect(changed('[branch "main"]\n\tremote = origin\n[user]\n\tname = x\n')).toEqual([]);
    expect(changedKeys(before, readConfigFile(""))).toEqual(["core.bare"]);
  });

  it("names the programs no flag silences, and how they are switched off", () => {
    const entries = readConfigFile(
      '[filter "lfs"]\n\tclean = git-lfs clean\n\trequired = true\n[merge "m"]\n\tdriver = d\n[include]\n\tpath = x\n[core]\n\tpager = p\n',
    );
    expect(programsOf(entries)).toEqual([
      "filter.lfs.clean=git-lfs clean",
      "merge.m.driver=d",
      "include.path=x",
    ]);
    expect(switchedOff(entries)).toEqual([
      "filter.lfs.clean=",
      "filter.lfs.required=false",
      "merge.m.driver=false",
    ]);
  });
});

describe("configuration files that lead to others", () => {
  it("are read with all they include, once each, under whatever condition", () => {
    using lab = openGitLab();
    const place = (name: string) => join(lab.folder, name);
    writeFileSync(
      place("a"),
      `[include]\n\tpath = "b" ; beside it\n\tpath = missing\n[includeIf "x"]\n\tpath = ${place("c")}\n`,
    );
    writeFileSync(place("b"), '[filter "x"]\n\tclean = run\n[include]\n\tpath = a\n');
    writeFileSync(place("c"), '[merge "y"]\n\tdriver = run\n');
    const files = configFiles(place("a"));
    expect(files.map(({ path }) => path)).toEqual([place("a"), place("b"), place("c")]);
    expect(files.flatMap(({ entries }) => switchedOff(entries))).toEqual([
      "filter.x.clean=",
      "filter.x.required=false",
      "merge.y.driver=false",
    ]);
  });

  it("are doors: a change in what is included is noticed, in a worktree's own configuration too", async () => {
    using lab = openGitLab();
    const more = join(lab.folder, "more");
    writeFileSync(more, "[core]\n\tabbrev = 9\n");
    lab.git("config", "include.path", more);
    const vcs = await lab.vcs();
    must(await vcs.inspect());
    writeFileSync(more, '[filter "x"]\n\tclean = run\n');
    expect(await vcs.inspect()).toMatchObject({ ok: false, failure: { kind: "config-changed" } });
  });

  it("of worktrees that stood before are switched off as well", async () => {
    using lab = openGitLab();
    lab.git("config", "extensions.worktreeConfig", "true");
    lab.git("worktree", "add", "-q", lab.place("w"), "-b", "w");
    lab.gitIn(lab.place("w"), "config", "--worktree", "filter.x.clean", "run");
    expect(repositoryPrograms(join(lab.root, ".git"))).toEqual({
      programs: ["filter.x.clean=run"],
      off: ["filter.x.clean=", "filter.x.required=false"],
    });
  });
});
