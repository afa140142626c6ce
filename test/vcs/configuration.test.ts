import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openRepository } from "../../src/adapters/vcs/git/index.ts";
import { printOf } from "../../src/adapters/vcs/git/trust/prints.ts";
import { inEnglish } from "../reasons.ts";
import { casesOf, sampleOf } from "../sample.ts";
import { GITS } from "../torture/git-configs.ts";
import { openConfigBench } from "./config-bench.ts";
import { type GitLab, landAll, must, openGitLab, openTeam } from "./lab.ts";
import { randomConfig } from "./random-config.ts";

describe("[V2] what is shown and switched off is what git itself starts", { timeout: 300_000 }, () => {
  it.each(GITS)("in random configurations, read by %s", async program => {
    using bench = openConfigBench(program);
    const holds = fc.asyncProperty(randomConfig, async config => {
      expect(await bench.check(config)).toEqual([]);
    });
    const numRuns = casesOf(10, 40);
    await fc.assert(holds, { numRuns });
    expect(bench.counts.readable).toBeGreaterThan((3 / 8) * numRuns);
    expect(bench.counts.started).toBeGreaterThan(numRuns / 8);
  });
});

/** Ways to write one filter that a reader of lines may pass over. */
const HIDDEN: Readonly<Record<string, string>> = {
  "behind a header on its line": '[user ""] name = x\n[filter "x"] clean = PROGRAM\n',
  "behind a name that is empty": '[user ""]\n\tname = x\n[filter "x"]\n\tclean = PROGRAM\n',
  "behind a note that ends in a backslash": '# note \\\n[filter "x"]\n\tclean = PROGRAM\n',
  "behind a value that ends in a backslash": '[user]\n\tname = a\\\\\n[filter "x"]\n\tclean = PROGRAM\n',
  "under a header of the old kind": "[filter.x]clean=PROGRAM\n",
  "with a note behind its header": '[filter "x"] # ]\n\tclean = PROGRAM\n',
};

/** A program that says that it was started. */
function bait(lab: GitLab): { readonly path: string; readonly wasTaken: () => boolean } {
  const mark = join(lab.folder, "STARTED");
  const path = join(lab.folder, "bait");
  writeFileSync(path, `#!/bin/sh\ntouch ${mark}\ncat\n`);
  chmodSync(path, 0o755);
  return { path, wasTaken: () => existsSync(mark) };
}

const FILES = { "a.txt": "one\n", ".gitattributes": "* filter=x merge=x\n" };

describe.each(sampleOf(Object.entries(HIDDEN), 0, 2, 4))("a filter %s", (_, text) => {
  it("[V3] is shown before anything is started, and not started unasked", async () => {
    using lab = openGitLab(FILES);
    const { path, wasTaken } = bait(lab);
    appendFileSync(join(lab.root, ".git/config"), text.replace("PROGRAM", path));
    const repository = await lab.open();
    expect(repository.programs).toEqual([`filter.x.clean=${path}`]);
    const vcs = await lab.vcs();
    const own = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" }));
    lab.write(`${own.path}/a.txt`, "two\n");
    expect(must(await vcs.snapshot(own)).changed).toEqual(["a.txt"]);
    expect(wasTaken()).toBe(false);
  });

  it("[V6] stops everything when an agent writes it, and is not started", async () => {
    using lab = openGitLab(FILES);
    const { path, wasTaken } = bait(lab);
    const vcs = await lab.vcs();
    const own = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" }));
    lab.write(`${own.path}/a.txt`, "two\n");
    appendFileSync(join(lab.root, ".git/config"), text.replace("PROGRAM", path));
    for (const answer of [await vcs.inspect(), await vcs.snapshot(own)])
      expect(answer).toMatchObject({
        ok: false,
        failure: { kind: "config-changed", keys: ["filter.x.clean"] },
      });
    expect(wasTaken()).toBe(false);
  });
});

describe("a repository that is deleted meanwhile", () => {
  it.each(["", "/config"])("[V320] is said to be gone, where .git%s was removed", async part => {
    using lab = openGitLab(FILES);
    const vcs = await lab.vcs();
    rmSync(join(lab.root, `.git${part}`), { recursive: true });
    const reason = { code: "repository-gone", args: { path: join(lab.root, ".git") } };
    expect(await vcs.inspect()).toMatchObject({ ok: false, failure: { kind: "config-changed", reason } });
  });
});

describe("[V6] the entry points", () => {
  it("are looked at before each call of git, also while a landing waits for its checks", async () => {
    using lab = openGitLab(FILES);
    const { path, wasTaken } = bait(lab);
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.write(`${one.path}/b.txt`, "b\n");
    lab.write(`${two.path}/c.txt`, "c\n");
    must(await landAll(vcs, one, phase));
    const landed = await landAll(vcs, two, phase, {
      verify: async () => {
        appendFileSync(join(lab.root, ".git/config"), `[filter "x"] smudge = ${path}\n`);
        return undefined;
      },
    });
    expect(landed).toMatchObject({ ok: false, failure: { kind: "config-changed" } });
    expect(wasTaken()).toBe(false);
  });

  it("see a change that leaves size and time as they were", async () => {
    using lab = openGitLab();
    const config = join(lab.root, ".git/config");
    lab.git("config", "alias.x", "one");
    const vcs = await lab.vcs();
    must(await vcs.inspect());
    const then = new Date(2020, 1, 1);
    utimesSync(config, then, then);
    must(await vcs.inspect());
    writeFileSync(config, readFileSync(config, "utf8").replace("one", "two"));
    utimesSync(config, then, then);
    expect(await vcs.inspect()).toMatchObject({ failure: { keys: ["alias.x"] } });
  });

  it("stay shut for what means the same, and for a worktree that git made and removed", async () => {
    using lab = openGitLab();
    lab.git("config", "extensions.worktreeConfig", "true");
    lab.git("config", "--worktree", "core.abbrev", "9");
    const vcs = await lab.vcs();
    const own = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" }));
    appendFileSync(join(lab.root, ".git/config"), '# a note\n[branch "x"]\n\tremote = o\n');
    expect(await vcs.inspect()).toMatchObject({ ok: true });
    must(await vcs.retire({ ...own, heldBy: ["main"], deleteBranch: true }));
    expect(await vcs.inspect()).toMatchObject({ ok: true });
  });

  it.each(
    sampleOf<[string, (lab: GitLab) => void]>(
      [
        [
          "a file that was to be included once it is there",
          lab => writeFileSync(lab.place("later"), "[alias]\n\tx = !y\n"),
        ],
        [
          "a file under a condition that does not hold",
          lab => writeFileSync(lab.place("other"), "[alias]\n\tx = !y\n"),
        ],
        [
          "what a person set up for everything",
          lab => writeFileSync(lab.place(".gitconfig"), '[filter "x"] clean = y\n'),
        ],
        [
          "attributes of a person's own",
          lab => {
            mkdirSync(lab.place(".config/git"), { recursive: true });
            writeFileSync(lab.place(".config/git/attributes"), "* filter=x\n");
          },
        ],
        [
          "the configuration of a worktree",
          lab => writeFileSync(join(lab.root, ".git/worktrees/t1/config.worktree"), "[alias]\n\tx = !y\n"),
        ],
        ["hooks where the configuration says", lab => writeFileSync(lab.place("hooks/post-checkout"), "")],
        ["what git cannot read", lab => appendFileSync(join(lab.root, ".git/config"), "[broken\n")],
      ],
      0,
      1,
      6,
    ),
  )("are opened by %s", async (_, change) => {
    using lab = openGitLab();
    writeFileSync(lab.place("other"), "");
    mkdirSync(lab.place("hooks"));
    lab.git("config", "extensions.worktreeConfig", "true");
    lab.git("config", "include.path", "~/later");
    lab.git("config", "includeIf.onbranch:none.path", lab.place("other"));
    lab.git("config", "core.hooksPath", lab.place("hooks"));
    const vcs = await lab.vcs();
    must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" }));
    must(await vcs.inspect());
    change(lab);
    expect(await vcs.inspect()).toMatchObject({ ok: false, failure: { kind: "config-changed" } });
  });

  it("are opened by a hook in the folder above the checkout, where the configuration says so", async () => {
    using lab = openGitLab();
    lab.git("config", "core.hooksPath", "..");
    const vcs = await lab.vcs();
    must(await vcs.inspect());
    writeFileSync(join(lab.root, "../post-checkout"), "");
    expect(await vcs.inspect()).toMatchObject({ ok: false, failure: { kind: "config-changed" } });
  });
});

describe("[V4] a repository is refused", () => {
  async function refusal(lab: GitLab): Promise<string> {
    const env = { PATH: process.env["PATH"], HOME: lab.folder };
    const { root, folder } = lab;
    const opened = await openRepository({
      root,
      env,
      leaveOut: () => [],
      rescueDir: folder,
      allows: () => true,
    });
    return opened.ok ? "" : inEnglish(opened.failure.reason);
  }

  it("whose filter has a name that cannot be shown or switched off", async () => {
    using lab = openGitLab();
    appendFileSync(join(lab.root, ".git/config"), Buffer.from('[filter "\u00ff"] clean = x\n', "latin1"));
    expect(await refusal(lab)).toContain("no UTF-8 text");
  });

  it("whose configuration leads git to files elsewhere", async () => {
    using lab = openGitLab();
    mkdirSync(lab.place("victim"));
    lab.git("config", "core.worktree", lab.place("victim"));
    expect(await refusal(lab)).toContain("core.worktree leads git out of this checkout");
  });

  it("whose configuration includes what is no plain file", async () => {
    using lab = openGitLab();
    mkdirSync(lab.place("folder"));
    lab.git("config", "includeIf.onbranch:none.path", lab.place("folder"));
    expect(await refusal(lab)).toContain("no plain file");
  });
});

it("[V3] programs of a person's own configuration are not asked about, also through a link", async () => {
  using lab = openGitLab(FILES);
  writeFileSync(lab.place("dotfile"), '[filter "x"]\n\tclean = cat\n');
  symlinkSync(lab.place("dotfile"), lab.place(".gitconfig"));
  expect((await lab.open()).programs).toEqual([]);
  writeFileSync(join(lab.root, "inside"), '[filter "y"]\n\tclean = cat\n');
  writeFileSync(lab.place("dotfile"), "[include]\n\tpath = project/inside\n");
  expect((await lab.open()).programs).toEqual(["filter.y.clean=cat"]);
});

it("[V3] nothing is started while one program of several is not approved", async () => {
  using lab = openGitLab(FILES);
  const { path, wasTaken } = bait(lab);
  lab.git("config", "filter.x.clean", path);
  lab.git("config", "filter.y.clean", "other");
  const open = async (allows: (program: string) => boolean) => {
    const { root, folder } = lab;
    const env = { PATH: process.env["PATH"], HOME: folder };
    const { git } = must(await openRepository({ root, env, leaveOut: () => [], rescueDir: folder, allows }));
    lab.write("a.txt", `${wasTaken()} ${allows.toString()}`);
    must(await git.run(["add", "-A"]));
    return wasTaken();
  };
  expect(await open(program => program.startsWith("filter.x"))).toBe(false);
  expect(await open(() => true)).toBe(true);
});

it("[V8] a file that was written just before it was read is read again, however it stands", () => {
  using lab = openGitLab();
  const path = join(lab.root, "a.txt");
  const now = Date.now();
  const print = { ...printOf(path, undefined, now), content: "stale" };
  const written = (before: number) => printOf(path, { ...print, changedAt: now - before }, now).content;
  expect([written(1000) === "stale", written(5000) === "stale"]).toEqual([false, true]);
  expect(printOf(path, { ...print, stamp: "other", changedAt: 0 }, now).content).not.toBe("stale");
});
