import { chmodSync, existsSync, mkdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProgram } from "../../src/adapters/process/index.ts";
import { type GitLab, landAll, must, openGitLab, openPhase, whyOf } from "./lab.ts";

/** A git whose checkouts end as on a full disk, after these shell commands, as long as the disk is full. */
function onFullDisk(lab: GitLab, written: string): { readonly path: string; makeRoom(): void } {
  const real = findProgram("git", { path: process.env["PATH"] });
  if (!real.ok) throw new Error("git is not here");
  const folder = join(lab.folder, "full");
  mkdirSync(folder);
  writeFileSync(join(folder, "mark"), "");
  const script = [
    "#!/bin/sh",
    `if test -e ${folder}/mark; then case "$*" in *"read-tree -m -u"*)`,
    written,
    'echo "error: unable to write file big.txt: No space left on device" >&2; exit 128;; esac; fi',
    `exec ${real.value} "$@"`,
  ];
  writeFileSync(join(folder, "git"), `${script.join("\n")}\n`);
  chmodSync(join(folder, "git"), 0o755);
  return {
    path: `${folder}:${process.env["PATH"]}`,
    makeRoom: () => rmSync(join(folder, "mark")),
  };
}

const MERGE = { branch: "phase/1-x", into: "main", message: "m" };

describe("a disk that fills up while the main checkout moves", () => {
  it("costs nothing: once there is room, the merge goes its way to the end", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "b.txt": "keep\n", "mine.txt": "mine\n" });
    const disk = onFullDisk(
      lab,
      "printf 'new\\n' > new.txt; printf '0123' > big.txt; printf 'tw' > a.txt; rm b.txt; ln -s nowhere link",
    );
    const vcs = await lab.vcs(disk.path);
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/a.txt`, "two\n");
    lab.write(`${phase.path}/b.txt`, "kept\n");
    lab.write(`${phase.path}/new.txt`, "new\n");
    symlinkSync("nowhere", `${phase.path}/link`);
    lab.write(`${phase.path}/big.txt`, "0123456789\n");
    must(await landAll(vcs, phase, phase));
    lab.write("mine.txt", "a person's\n");
    const before = lab.git("rev-parse", "main");
    const full = await vcs.merge(MERGE);
    expect(full).toMatchObject({ ok: false, failure: { kind: "full" } });
    expect(lab.git("rev-parse", "main")).toBe(before);
    disk.makeRoom();
    expect(must(await vcs.merge(MERGE)).kind).toBe("merged");
    expect([lab.read("a.txt"), lab.read("b.txt"), lab.read("new.txt"), lab.read("big.txt")]).toEqual([
      "two\n",
      "kept\n",
      "new\n",
      "0123456789\n",
    ]);
    expect(readlinkSync(join(lab.root, "link"))).toBe("nowhere");
    expect(lab.git("status", "--porcelain")).toBe(" M mine.txt");
  });

  it("overwrites nothing that a person put there meanwhile", async () => {
    using lab = openGitLab();
    const disk = onFullDisk(lab, "printf '0123' > big.txt");
    const vcs = await lab.vcs(disk.path);
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/big.txt`, "0123456789\n");
    must(await landAll(vcs, phase, phase));
    await vcs.merge(MERGE);
    disk.makeRoom();
    lab.write("big.txt", "my own\n");
    const refused = await vcs.merge(MERGE);
    expect(whyOf(refused)).toContain("files of its own");
    expect(lab.read("big.txt")).toBe("my own\n");
  });

  it("is no reason to take an empty file of a person's for an unfinished one", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/big.txt`, "0123456789\n");
    must(await landAll(vcs, phase, phase));
    lab.write("big.txt", "");
    for (const _ of [1, 2]) expect((await vcs.merge(MERGE)).ok).toBe(false);
    expect(lab.read("big.txt")).toBe("");
    expect(existsSync(join(lab.root, ".git/espalier-moving"))).toBe(false);
  });
});
