import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Vcs } from "../../src/ports/index.ts";
import { sampleOf } from "../sample.ts";
import { type GitLab, landAll, must, openGitLab, whyOf } from "./lab.ts";

/** Everything a run ever asks git for, with a folder of one attempt in it. */
async function everything(lab: GitLab, vcs: Vcs): Promise<string[]> {
  const open = await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "HEAD" });
  const own = await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "phase/1-x" });
  const failures = [open, own].flatMap(one => (one.ok ? [] : [one.failure.kind]));
  if (!open.ok || !own.ok) return failures;
  lab.write(`${own.value.path}/x.bin`, "x\n");
  const landed = await landAll(vcs, own.value, open.value).catch(() => undefined);
  const merged = await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" });
  const recorded = await vcs.record({
    path: "a.txt",
    into: "main",
    message: "m",
    rewrite: () => Buffer.from("r\n"),
  });
  const gone = await vcs.retire({ ...own.value, heldBy: ["main"], deleteBranch: true });
  return [
    ...failures,
    ...[landed, merged, recorded, gone].map(one => (one?.ok === true ? "ok" : (one?.failure.kind ?? ""))),
  ];
}

/** A program that says that it was started. */
function bait(lab: GitLab): { readonly path: string; readonly wasTaken: () => boolean } {
  const mark = join(lab.folder, "PWNED");
  const path = join(lab.folder, "bait");
  writeFileSync(path, `#!/bin/sh\ntouch ${mark}\ncat\n`);
  chmodSync(path, 0o755);
  return { path, wasTaken: () => existsSync(mark) };
}

const VECTORS: Readonly<Record<string, (lab: GitLab, program: string) => void>> = {
  "core.fsmonitor": (lab, program) => lab.git("config", "core.fsmonitor", program),
  "core.hooksPath": (lab, program) => {
    mkdirSync(join(lab.folder, "hooks"));
    symlinkSync(program, join(lab.folder, "hooks", "post-checkout"));
    lab.git("config", "core.hooksPath", join(lab.folder, "hooks"));
  },
  "hooks/post-checkout": (lab, program) => symlinkSync(program, join(lab.root, ".git/hooks/post-checkout")),
  "hooks/reference-transaction": (lab, program) =>
    symlinkSync(program, join(lab.root, ".git/hooks/reference-transaction")),
  "filter.x.clean": (lab, program) => {
    lab.git("config", "filter.x.clean", program);
    lab.git("config", "filter.x.smudge", program);
  },
  "filter.x.process": (lab, program) => {
    lab.git("config", "filter.x.process", program);
    lab.git("config", "filter.x.required", "true");
  },
  "diff.external": (lab, program) => lab.git("config", "diff.external", program),
  "diff.x.textconv": (lab, program) => lab.git("config", "diff.x.textconv", program),
  "core.pager": (lab, program) => lab.git("config", "core.pager", program),
  "alias.status": (lab, program) => lab.git("config", "alias.add", `!${program}`),
  "gpg.program": (lab, program) => {
    lab.git("config", "gpg.program", program);
    lab.git("config", "commit.gpgSign", "true");
  },
  "core.sshCommand": (lab, program) => lab.git("config", "core.sshCommand", program),
  "merge.x.driver": (lab, program) => lab.git("config", "merge.x.driver", program),
  "include.path": (lab, program) => {
    const filter = `[filter "x"]\n\tclean = ${program}\n\tsmudge = ${program}\n`;
    writeFileSync(join(lab.folder, "further"), filter);
    const more = `[core]\n\tfsmonitor = ${program}\n[includeIf "gitdir:/"]\n\tpath = "further" # there\n`;
    writeFileSync(join(lab.folder, "more"), more);
    lab.git("config", "include.path", join(lab.folder, "more"));
  },
};

describe.each(sampleOf(Object.entries(VECTORS), 1, 3, 4, 6, 11, 13))(
  "what is planted as %s",
  (key, plant) => {
    it("stops everything when it comes while a run goes on", async () => {
      using lab = openGitLab({ "a.txt": "one\n", ".gitattributes": "*.bin filter=x diff=x merge=x\n" });
      const vcs = await lab.vcs();
      const { path, wasTaken } = bait(lab);
      plant(lab, path);
      rmSync(join(lab.folder, "PWNED"), { force: true });
      const inspected = await vcs.inspect();
      expect(inspected).toMatchObject({ ok: false, failure: { kind: "config-changed" } });
      const name = key === "alias.status" ? "alias.add" : key;
      const told = whyOf(inspected);
      expect(told).toContain(name.toLowerCase().split("/").at(-1));
      expect(new Set(await everything(lab, vcs))).toEqual(new Set(["config-changed"]));
      expect(wasTaken()).toBe(false);
    });

    it("is not started either when it was there before", async () => {
      using lab = openGitLab({ "a.txt": "one\n", ".gitattributes": "*.bin filter=x diff=x merge=x\n" });
      const { path, wasTaken } = bait(lab);
      plant(lab, path);
      rmSync(join(lab.folder, "PWNED"), { force: true });
      const vcs = await lab.vcs();
      expect(await everything(lab, vcs)).toEqual(["ok", "ok", "ok", "ok"]);
      expect(wasTaken()).toBe(false);
    });
  },
);

/** Keys of which the documentation says that their value is started, each in what `everything` could touch. */
const COMMANDS: readonly string[] = [
  "core.alternateRefsCommand",
  "core.askPass",
  "core.editor",
  "core.gitProxy",
  "credential.helper",
  "credential.https://x.helper",
  "diff.x.command",
  "gpg.openpgp.program",
  "gpg.ssh.defaultKeyCommand",
  "gpg.ssh.program",
  "gpg.x509.program",
  "hook.mine.command",
  "interactive.diffFilter",
  "man.x.cmd",
  "merge.x.recursive",
  "mergetool.x.cmd",
  "pager.log",
  "remote.origin.receivepack",
  "remote.origin.uploadpack",
  "sequence.editor",
  "submodule.x.update",
  "tar.x.command",
  "trailer.x.cmd",
  "trailer.x.command",
  "uploadpack.packObjectsHook",
];

it("[V1] no value that is a command is started, whatever its key", async () => {
  using lab = openGitLab({ "a.txt": "one\n", ".gitattributes": "*.bin filter=x diff=x merge=x\n" });
  const { path, wasTaken } = bait(lab);
  for (const key of COMMANDS) lab.git("config", key, key === "submodule.x.update" ? `!${path}` : path);
  for (const event of ["reference-transaction", "post-checkout", "post-index-change"])
    lab.git("config", "--add", "hook.mine.event", event);
  for (const key of ["commit.gpgSign", "log.showSignature", "tag.gpgSign", "submodule.recurse"])
    lab.git("config", key, "true");
  for (const [key, value] of [
    ["gpg.format", "ssh"],
    ["remote.origin.vcs", "x"],
    ["remote.origin.url", "ext::x"],
    ["protocol.ext.allow", "always"],
    ["init.templateDir", lab.folder],
  ] as const)
    lab.git("config", key, value);
  const vcs = await lab.vcs();
  expect(await everything(lab, vcs)).toEqual(["ok", "ok", "ok", "ok"]);
  expect(wasTaken()).toBe(false);
});

it.each([
  ["a helper", (program: string) => `ext::${program} x`],
  ["a command of the other side", () => "../other"],
])("[V1] what is missing is not fetched by %s", async (_, url) => {
  using lab = openGitLab();
  const { path, wasTaken } = bait(lab);
  // One that reads on would have git wait for it.
  writeFileSync(path, readFileSync(path, "utf8").replace("cat\n", ""));
  lab.gitIn(lab.folder, "init", "-q", "other");
  const blob = lab.git("rev-parse", "HEAD:a.txt");
  rmSync(join(lab.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  const settings = `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ${url(path)}\n\tuploadpack = ${path}\n\tpromisor = true\n[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n`;
  appendFileSync(join(lab.root, ".git/config"), settings);
  const vcs = await lab.vcs();
  await everything(lab, vcs);
  expect(wasTaken()).toBe(false);
  expect(() => lab.git("-c", "protocol.ext.allow=always", "cat-file", "-p", blob)).toThrow("Command failed");
  expect(wasTaken()).toBe(true);
});

describe("names", () => {
  const hostile = [
    "../up",
    "-leading",
    "--upload-pack=x",
    "x$(touch PWNED)",
    "x; rm -rf .",
    "x`id`",
    "a b",
    "a\nb",
    "a..b",
    "a.lock",
    "a@{1}",
    "HEAD:x",
    "refs//x",
    "x/",
    ".hidden",
    "ü",
    "\u202etxt",
    "a\u0000b",
    "ext::sh -c id",
    "a~1",
    "a^",
    "a:b",
    "a?b",
    "a*b",
    "a[b",
    "a\\b",
    "",
    "/abs",
    "a//b",
    "x".repeat(300),
  ];

  it(`refuses ${hostile.length} hostile ones, and starts nothing`, async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    for (const branch of hostile) {
      const opened = await vcs.open({ branch, path: lab.place("p1"), from: "HEAD" });
      expect({ branch, opened: opened.ok }).toEqual({ branch, opened: false });
    }
    expect(lab.has(lab.place("p1"))).toBe(false);
    expect(lab.git("branch", "--format=%(refname:short)")).toBe("main");
    expect(lab.has("PWNED")).toBe(false);
  });
});

describe("an agent that strays", () => {
  const cases: Readonly<
    Record<string, readonly [did: (lab: GitLab, path: string) => void, message: string]>
  > = {
    "checks out another branch": [
      (lab, path) => lab.gitIn(path, "checkout", "-q", "-b", "other"),
      "left its branch",
    ],
    "detaches its HEAD": [(lab, path) => lab.gitIn(path, "checkout", "-q", "--detach"), "detached HEAD"],
    "rewrites history": [
      (lab, path) => lab.gitIn(path, "commit", "-q", "--amend", "--allow-empty", "-m", "other"),
      "rewrote the history",
    ],
    "hides a repository": [
      (lab, path) => {
        mkdirSync(join(path, "sub"));
        lab.gitIn(join(path, "sub"), "init", "-q");
        writeFileSync(join(path, "sub/x"), "x");
        lab.gitIn(join(path, "sub"), "add", "x");
        lab.gitIn(join(path, "sub"), "commit", "-q", "-m", "x");
      },
      "sub is a repository of its own",
    ],
    "deletes its branch": [
      (lab, path) => {
        lab.gitIn(path, "checkout", "-q", "--detach");
        lab.gitIn(path, "branch", "-q", "-D", "task/1");
        writeFileSync(join(lab.root, ".git/worktrees/t1/HEAD"), "ref: refs/heads/task/1\n");
      },
      "deleted its branch",
    ],
  };
  it.each(Object.entries(cases))("is noticed when it %s", async (_, [did, message]) => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const own = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" }));
    did(lab, own.path);
    const sealed = await vcs.snapshot(own);
    expect(sealed).toMatchObject({ ok: false, failure: { kind: "strayed" } });
    expect(whyOf(sealed)).toContain(message);
  });

  it("cannot hide a change by flags in its index", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const own = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" }));
    lab.gitIn(own.path, "update-index", "--assume-unchanged", "a.txt");
    lab.write(`${own.path}/a.txt`, "hidden\n");
    expect(must(await vcs.snapshot(own)).changed).toEqual(["a.txt"]);
  });

  it("cannot lead git elsewhere by the file that names its repository", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const { path, wasTaken } = bait(lab);
    const own = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: "HEAD" }));
    lab.gitIn(lab.folder, "init", "-q", "evil");
    lab.gitIn(join(lab.folder, "evil"), "config", "core.fsmonitor", path);
    writeFileSync(join(own.path, ".git"), `gitdir: ${join(lab.folder, "evil/.git")}\n`);
    lab.write(`${own.path}/a.txt`, "two\n");
    expect(must(await vcs.snapshot(own)).changed).toEqual(["a.txt"]);
    expect(wasTaken()).toBe(false);
  });
});
