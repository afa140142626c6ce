import { describe, expect, it } from "vitest";
import { type GitLab, must, openGitLab, whyOf } from "./lab.ts";

const tick = (bytes: Uint8Array) => Buffer.from(Buffer.from(bytes).toString().replace("[ ] T1", "[x] T1"));
const request = { path: "TASKS.md", into: "main", message: "Tick", rewrite: tick };

function names(lab: GitLab, ref: string): string[] {
  return lab.git("show", "--name-only", "--format=%s", ref).split("\n").filter(Boolean);
}

describe("committing the boxes of the target", () => {
  it("commits them and nothing else of what is changed or staged", async () => {
    using lab = openGitLab({ "TASKS.md": "- [ ] T1\n- [ ] T2\n", "a.txt": "one\n" });
    const vcs = await lab.vcs();
    lab.write("TASKS.md", "- [x] T1\n- [x] T2\n");
    lab.write("a.txt", "two\n");
    lab.write("b.txt", "new\n");
    lab.git("add", "b.txt");
    expect(must(await vcs.record(request))).toBe(true);
    expect(names(lab, "HEAD")).toEqual(["Tick", "TASKS.md"]);
    expect(lab.git("show", "HEAD:TASKS.md")).toBe("- [x] T1\n- [ ] T2");
    expect(lab.git("status", "--porcelain").split("\n")).toEqual([" M TASKS.md", " M a.txt", "A  b.txt"]);
    expect(lab.read("TASKS.md")).toBe("- [x] T1\n- [x] T2\n");
    expect(must(await vcs.record(request))).toBe(false);
    lab.write("TASKS.md", "- [x] T1\n- [ ] T2\n");
    expect(lab.git("status", "--porcelain", "TASKS.md")).toBe("");
  });

  it("keeps what a person has staged of the same file, ticked like the rest", async () => {
    using lab = openGitLab({ "TASKS.md": "- [ ] T1\n" });
    const vcs = await lab.vcs();
    lab.write("TASKS.md", "- [ ] T1\n- [ ] T9 of mine\n");
    lab.git("add", "TASKS.md");
    expect(must(await vcs.record(request))).toBe(true);
    expect(lab.git("show", "HEAD:TASKS.md")).toBe("- [x] T1");
    expect(lab.git("show", ":TASKS.md")).toBe("- [x] T1\n- [ ] T9 of mine");
  });

  it.each(["another branch is", "no branch is"])("reaches the target while %s checked out", async how => {
    using lab = openGitLab({ "TASKS.md": "- [ ] T1\n" });
    lab.git("switch", "-q", ...(how.startsWith("no") ? ["--detach"] : ["-c", "mine"]));
    const before = lab.git("rev-parse", "HEAD");
    const vcs = await lab.vcs();
    expect(must(await vcs.record(request))).toBe(true);
    expect(lab.git("show", "main:TASKS.md")).toBe("- [x] T1");
    expect(lab.git("rev-parse", "HEAD")).toBe(before);
    expect(lab.git("status", "--porcelain")).toBe("");
  });

  it("leaves alone what the target does not have, links, and a target that is checked out elsewhere", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const vcs = await lab.vcs();
    lab.write("TASKS.md", "- [ ] T1\n");
    expect(must(await vcs.record(request))).toBe(false);
    lab.git("switch", "-q", "-c", "mine");
    lab.git("worktree", "add", "-q", lab.place("other"), "main");
    const refused = await vcs.record({ ...request, path: "a.txt", rewrite: () => Buffer.from("x") });
    expect(whyOf(refused)).toContain("main is checked out in");
    expect(lab.git("show", "main:a.txt")).toBe("one");
  });
});
