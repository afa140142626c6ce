import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Vcs, WorkFolder } from "../../src/ports/index.ts";
import { agentSaid } from "../reasons.ts";
import { itWhole } from "../sample.ts";
import { type GitLab, landAll, must, openGitLab, openTask, openTeam } from "./lab.ts";

const LIST = "# Changes\n\n- start\n";

/** Two tasks that each put these bytes at the end of a file, and the first of them landed. */
async function appended(
  lab: GitLab,
  path: string,
  ours: string | Uint8Array,
  theirs: string | Uint8Array,
): Promise<{ vcs: Vcs; phase: WorkFolder; two: WorkFolder }> {
  const { vcs, phase, one, two } = await openTeam(lab);
  for (const [folder, bytes] of [
    [one, ours],
    [two, theirs],
  ] as const) {
    const was = lab.has(join(folder.path, path)) ? lab.bytes(join(folder.path, path)) : Buffer.alloc(0);
    writeFileSync(join(folder.path, path), Buffer.concat([was, Buffer.from(bytes)]));
  }
  must(await landAll(vcs, one, phase, { task: "T1.1" }));
  return { vcs, phase, two };
}

describe("lines that two tasks inserted at one place", () => {
  it("[V41] stand one after the other in the order they landed, once the result is proved", async () => {
    using lab = openGitLab({ "list.md": LIST });
    const { vcs, phase, two } = await appended(lab, "list.md", "- one\n", "- two\n");
    const seen: string[] = [];
    const verify = async (path: string) => {
      seen.push(lab.read(`${path}/list.md`));
      return undefined;
    };
    const landed = must(await landAll(vcs, two, phase, { task: "T1.2", inserts: "proved", verify }));
    expect(landed).toMatchObject({ kind: "landed", joined: [{ path: "list.md", others: ["T1.1"] }] });
    expect(seen).toEqual([`${LIST}- one\n- two\n`]);
    expect(lab.git("show", "phase/1-x:list.md")).toBe(`${LIST}- one\n- two`);
    expect(lab.read(`${phase.path}/list.md`)).toBe(`${LIST}- one\n- two\n`);
    expect(lab.gitIn(phase.path, "status", "--porcelain")).toBe("");
    expect(lab.git("fsck", "--strict")).not.toContain("error");
  });

  it("[V41] [D26] and that needed a comma before them make JSON that holds both", async () => {
    const scripts = (own: object) => `${JSON.stringify({ name: "x", scripts: own }, undefined, 2)}\n`;
    using lab = openGitLab({ "package.json": scripts({}) });
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.write(`${one.path}/package.json`, scripts({ a: "1" }));
    lab.write(`${two.path}/package.json`, scripts({ b: "2", c: "3" }));
    must(await landAll(vcs, one, phase, { task: "T1.1" }));
    const three = await openTask(lab, vcs, 3);
    lab.write(`${three.path}/package.json`, scripts({ a: "1", d: "4" }));
    const verify = async () => undefined;
    for (const [folder, task] of [
      [two, "T1.2"],
      [three, "T1.3"],
    ] as const)
      expect(must(await landAll(vcs, folder, phase, { task, inserts: "proved", verify })).kind).toBe(
        "landed",
      );
    const all = { a: "1", b: "2", c: "3", d: "4" };
    expect(lab.read(`${phase.path}/package.json`)).toBe(scripts(all));
  });

  it("[V80] are no conflict where their check was ended, and land when it is asked again", async () => {
    using lab = openGitLab({ "list.md": LIST });
    const { vcs, phase, two } = await appended(lab, "list.md", "- one\n", "- two\n");
    const { tree } = must(await vcs.snapshot(two));
    const by = { task: "T1.2", title: "two", attempt: "abc", verified: true };
    const request = { folder: two, tree, into: phase, how: "rebase", inserts: "proved", by } as const;
    const verify = async () => agentSaid("ended");
    expect(must(await vcs.land({ ...request, verify, isEnded: () => true }))).toEqual({ kind: "stopped" });
    expect(lab.git("show", "phase/1-x:list.md")).toBe(`${LIST}- one`);
    expect(lab.read(`${phase.path}/list.md`)).toBe(`${LIST}- one\n`);
    expect(lab.read(`${two.path}/list.md`)).toBe(`${LIST}- two\n`);
    const again = must(await vcs.open({ branch: two.branch, path: two.path, from: phase.branch }));
    const landed = must(await vcs.land({ ...request, folder: again, verify: async () => undefined }));
    expect(landed.kind).toBe("landed");
    expect(lab.git("show", "phase/1-x:list.md")).toBe(`${LIST}- one\n- two`);
  });

  itWhole("[V41] go back as a conflict with both sides when the result is refused", async () => {
    using lab = openGitLab({ "list.md": LIST });
    const { vcs, phase, two } = await appended(lab, "list.md", "- one\n", "- two\n");
    const verify = async () => agentSaid("two lists");
    const landed = must(await landAll(vcs, two, phase, { task: "T1.2", inserts: "proved", verify }));
    expect(landed).toMatchObject({
      kind: "conflict",
      refused: agentSaid("two lists"),
      files: [{ path: "list.md" }],
    });
    const again = await openTask(lab, vcs, 2);
    expect(must(await vcs.snapshot(again)).unresolved).toEqual(["list.md"]);
    expect(lab.git("show", "phase/1-x:list.md")).toBe(`${LIST}- one`);
  });

  it("[V42] without a proof are joined in what is a list by its history, and by name", async () => {
    using lab = openGitLab({ "list.md": LIST, "edited.md": LIST });
    lab.write("edited.md", "# Changes\n\n- begun\n");
    lab.commit("an old line is another");
    const none = () => false;
    const { vcs, phase, two } = await appended(lab, "edited.md", "- one\n", "- two\n");
    const conflict = must(await landAll(vcs, two, phase, { task: "T1.2", inserts: none }));
    expect(conflict.kind).toBe("conflict");
    using other = openGitLab({ "list.md": LIST });
    const team = await appended(other, "list.md", "- one\n", "- two\n");
    const landed = must(await landAll(team.vcs, team.two, team.phase, { task: "T1.2", inserts: none }));
    expect(landed.kind).toBe("landed");
    using named = openGitLab({ "edited.md": LIST });
    named.write("edited.md", "# Changes\n\n- begun\n");
    named.commit("an old line is another");
    const last = await appended(named, "edited.md", "- one\n", "- two\n");
    const inserts = (path: string) => path === "edited.md";
    expect(must(await landAll(last.vcs, last.two, last.phase, { inserts })).kind).toBe("landed");
  });

  itWhole(
    "[V42] of a file that one commit made are no list yet; what was read of its history is gone on with",
    async () => {
      using lab = openGitLab();
      const { vcs, phase, two } = await appended(lab, "new.md", "- one\n", "- two\n");
      const inserts = () => false;
      expect(must(await landAll(vcs, two, phase, { task: "T1.2", inserts })).kind).toBe("conflict");
      const again = await openTask(lab, vcs, 2);
      const late = await openTask(lab, vcs, 3);
      lab.write(`${again.path}/new.md`, "- one\n- two\n");
      lab.write(`${late.path}/new.md`, "- one\n- three\n");
      const later = await openTask(lab, vcs, 4);
      lab.write(`${later.path}/new.md`, "- ONE\n- four\n");
      const last = await openTask(lab, vcs, 5);
      lab.write(`${last.path}/new.md`, "- one\n- five\n");
      expect(must(await landAll(vcs, again, phase, { task: "T1.2", inserts })).kind).toBe("landed");
      expect(must(await landAll(vcs, late, phase, { task: "T1.3", inserts })).kind).toBe("landed");
      expect(lab.read(`${phase.path}/new.md`)).toBe("- one\n- two\n- three\n");
      // Whoever changes an old line ends it.
      expect(must(await landAll(vcs, later, phase, { task: "T1.4", inserts })).kind).toBe("conflict");
      const resolved = await openTask(lab, vcs, 4);
      lab.write(`${resolved.path}/new.md`, "- ONE\n- two\n- three\n- four\n");
      expect(must(await landAll(vcs, resolved, phase, { task: "T1.4", inserts })).kind).toBe("landed");
      expect(must(await landAll(vcs, last, phase, { task: "T1.5", inserts })).kind).toBe("conflict");
    },
  );

  it("[V41] are not joined where a side changed a line, nor in what is no text, nor in what git is told to join otherwise", async () => {
    const inserts = "proved";
    using lab = openGitLab({
      "list.md": LIST,
      "bin.dat": "a\0b\n",
      "x.lock": LIST,
      ".gitattributes": "*.lock -merge\n",
    });
    const { vcs, phase, one, two } = await openTeam(lab);
    for (const [folder, word] of [
      [one, "one"],
      [two, "two"],
    ] as const) {
      lab.write(`${folder.path}/list.md`, `# Changes\n\n- start ${word}\n- ${word}\n`);
      lab.write(`${folder.path}/bin.dat`, `a\0b\n${word}\n`);
      lab.write(`${folder.path}/x.lock`, `${LIST}- ${word}\n`);
    }
    must(await landAll(vcs, one, phase, { task: "T1.1" }));
    const landed = must(await landAll(vcs, two, phase, { task: "T1.2", inserts }));
    expect(landed).toMatchObject({
      kind: "conflict",
      files: [{ path: "bin.dat" }, { path: "list.md" }, { path: "x.lock" }],
    });
  });

  itWhole("[V41] are joined although another file stays in conflict, which alone is told", async () => {
    using lab = openGitLab({ "list.md": LIST, "a.txt": "one\n" });
    const { vcs, phase, one, two } = await openTeam(lab);
    for (const [folder, word] of [
      [one, "one"],
      [two, "two"],
    ] as const) {
      lab.write(`${folder.path}/list.md`, `${LIST}- ${word}\n`);
      lab.write(`${folder.path}/a.txt`, `${word}!\n`);
    }
    must(await landAll(vcs, one, phase, { task: "T1.1" }));
    const landed = must(await landAll(vcs, two, phase, { task: "T1.2", inserts: "proved" }));
    if (landed.kind !== "conflict") throw new Error(landed.kind);
    expect(landed.files.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(lab.read(`${two.path}/list.md`)).toBe(`${LIST}- one\n- two\n`);
    expect(lab.read(`${two.path}/a.txt`)).toContain("<<<<<<< ");
  });

  it("[V41] keep bytes that are no text of ours, line ends, modes, and an end without a newline", async () => {
    using lab = openGitLab({ "list.md": "a\r\nb" });
    lab.git("update-index", "--chmod=+x", "list.md");
    lab.git("commit", "-q", "-m", "a program");
    lab.git("reset", "-q", "--hard");
    const ours = Buffer.from([13, 10, 0xff, 13, 10]);
    const theirs = Buffer.from([13, 10, 0xc3, 13, 10]);
    const { vcs, phase, two } = await appended(lab, "list.md", ours, theirs);
    expect(must(await landAll(vcs, two, phase, { inserts: "proved" })).kind).toBe("landed");
    expect([...lab.bytes(join(phase.path, "list.md"))]).toEqual([
      ...Buffer.from("a\r\nb\r\n"),
      0xff,
      13,
      10,
      0xc3,
      13,
      10,
    ]);
    expect(lab.git("ls-tree", "phase/1-x", "list.md")).toMatch(/^100755 /);
  });

  itWhole("[V41] of sixteen tasks are all there, once", async () => {
    using lab = openGitLab({ "list.md": LIST });
    const { vcs, phase } = await openTeam(lab);
    const folders: WorkFolder[] = [];
    for (let n = 3; n < 19; n++) folders.push(await openTask(lab, vcs, n));
    for (const [n, folder] of folders.entries()) lab.write(`${folder.path}/list.md`, `${LIST}- task ${n}\n`);
    for (const [n, folder] of folders.entries()) {
      const task = `T1.${n}`;
      expect(must(await landAll(vcs, folder, phase, { task, inserts: () => false })).kind).toBe("landed");
    }
    const lines = folders.map((_, n) => `- task ${n}\n`);
    expect(lab.read(`${phase.path}/list.md`)).toBe(LIST + lines.join(""));
  });
});
