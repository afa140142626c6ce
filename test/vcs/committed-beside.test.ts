import { describe, expect, it } from "vitest";
import { because } from "../../src/ports/index.ts";
import { told } from "../reasons.ts";
import { type GitLab, must, openGitLab, whyOf } from "./lab.ts";

/** Work in the main checkout whose proof a person commits in. */
async function landWhile(
  lab: GitLab,
  work: () => void,
  person: () => void,
  check: (call: number) => boolean = () => true,
) {
  const vcs = await lab.vcs();
  const folder = must(
    await vcs.open({ branch: "main", path: lab.root, from: "main", claimant: "one", anew: "task/one" }),
  );
  work();
  const { tree } = must(await vcs.snapshot(folder));
  person();
  let calls = 0;
  const landed = must(
    await vcs.land({
      folder,
      tree,
      into: folder,
      how: "rebase",
      by: { task: "one", title: "one", attempt: "abc", verified: true },
      verify: async () => (check(++calls) ? undefined : because("diff-expected", {})),
    }),
  );
  return { landed, calls, vcs, folder };
}

const changedIn = (lab: GitLab, commit: string) =>
  lab.git("show", "--format=", "--name-status", "--no-renames", commit).split("\n");

describe("what a person commits in the main checkout while work there is proved", () => {
  it("[V76] stays, and the work lands on it, once it is proved there", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "b.txt": "b\n", "c.txt": "c\n" });
    const { landed, calls } = await landWhile(
      lab,
      () => lab.write("a.txt", "done\n"),
      () => {
        lab.write("b.txt", "a person's\n");
        lab.write("new.txt", "a person's\n");
        lab.git("rm", "-q", "c.txt");
        lab.git("add", "b.txt", "new.txt");
        lab.git("commit", "-q", "-m", "a person's");
        lab.write("open.txt", "not committed\n");
        lab.write("b.txt", "a person's\nand more\n");
      },
    );
    expect([landed.kind, calls]).toEqual(["landed", 1]);
    expect(changedIn(lab, "HEAD")).toEqual(["M\ta.txt"]);
    expect(changedIn(lab, "HEAD~1")).toEqual(["M\tb.txt", "D\tc.txt", "A\tnew.txt"]);
    expect(lab.git("status", "--porcelain")).toBe(" M b.txt\n?? open.txt");
  });

  it("[V76] is proved on as often as it moves, and what does not pass on it does not land", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const commit = (name: string) => {
      lab.write(name, "a person's\n");
      lab.git("add", name);
      lab.git("commit", "-q", "-m", name, name);
    };
    const seen = await landWhile(
      lab,
      () => lab.write("a.txt", "done\n"),
      () => commit("p1.txt"),
      call => {
        if (call === 1) commit("p2.txt");
        return true;
      },
    );
    expect([seen.landed.kind, seen.calls]).toEqual(["landed", 2]);
    expect(changedIn(lab, "HEAD")).toEqual(["M\ta.txt"]);
    using other = openGitLab({ "a.txt": "one\n" });
    const refused = await landWhile(
      other,
      () => other.write("a.txt", "done\n"),
      () => {
        other.write("p.txt", "a person's\n");
        other.git("add", "p.txt");
        other.git("commit", "-q", "-m", "a person's", "p.txt");
      },
      () => false,
    );
    expect(refused.landed).toEqual({ kind: "unproven", reason: because("diff-expected", {}) });
    expect(changedIn(other, "HEAD")).toEqual(["A\tp.txt"]);
    must(await refused.vcs.setAside(refused.folder, "task/one"));
    expect(other.git("status", "--porcelain")).toBe("");
    expect([other.read("a.txt"), other.read("p.txt")]).toEqual(["one\n", "a person's\n"]);
  });

  it("[V76] has its own version of a file that the work has changed too, where that stands as it was committed", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "old.txt": "x\n" });
    const { landed } = await landWhile(
      lab,
      () => {
        lab.write("a.txt", "one\nthe work's\n");
        lab.git("mv", "old.txt", "new.txt");
        lab.write("work.txt", "w\n");
      },
      () => {
        lab.write("a.txt", "one\nthe work's, put right\nand a person's\n");
        lab.git("commit", "-q", "-a", "-m", "a person's");
      },
    );
    expect(landed.kind).toBe("landed");
    expect(lab.git("show", "HEAD:a.txt")).toBe("one\nthe work's, put right\nand a person's");
    expect(changedIn(lab, "HEAD")).toEqual(["A\twork.txt"]);
    expect(lab.git("status", "--porcelain")).toBe("");
  });

  it("[V76] is joined by lines where only a part of such a file was committed, and both sides of the same lines are told", async () => {
    const lines = (...more: string[]) => ["1", "2", "3", "4", "5", "6", "7", "8", ...more, ""].join("\n");
    using lab = openGitLab({ "a.txt": lines() });
    const part = (text: string) => {
      lab.write("part", text);
      const id = lab.git("hash-object", "-w", "part");
      lab.git("update-index", "--cacheinfo", `100644,${id},a.txt`);
      lab.git("commit", "-q", "-m", "a person's");
      lab.git("rm", "-q", "--cached", "--ignore-unmatch", "part");
    };
    const seen = await landWhile(
      lab,
      () => lab.write("a.txt", lines("the work's")),
      () => {
        part(`a person's\n${lines()}`);
        lab.write("a.txt", `a person's\n${lines("the work's")}`);
      },
    );
    expect(seen.landed.kind).toBe("landed");
    expect(lab.git("show", "HEAD:a.txt")).toBe(`a person's\n${lines("the work's")}`.trimEnd());
    using other = openGitLab({ "a.txt": "one\n" });
    const clash = await landWhile(
      other,
      () => other.write("a.txt", "one, the work's\n"),
      () => {
        other.write("a.txt", "one, a person's\n");
        other.git("commit", "-q", "-a", "-m", "a person's");
        other.write("a.txt", "one, the work's\n");
      },
    );
    const reason = because("conflict-with", { others: [], paths: { names: ["a.txt"], more: 0 } });
    expect(clash.landed).toEqual({ kind: "unproven", reason });
    expect(other.git("show", "HEAD:a.txt")).toBe("one, a person's");
  });

  it("[V76] was there before the work was sealed: nothing is proved twice for that", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const { landed, calls } = await landWhile(
      lab,
      () => {
        lab.write("p.txt", "a person's\n");
        lab.git("add", "p.txt");
        lab.git("commit", "-q", "-m", "a person's");
        lab.write("a.txt", "done\n");
      },
      () => {},
    );
    expect([landed.kind, calls]).toEqual(["landed", 0]);
    expect(changedIn(lab, "HEAD")).toEqual(["M\ta.txt"]);
  });
});

describe("a main checkout that a person has switched to another branch", () => {
  it("[V77] is opened for nobody, and what to do is said", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    lab.git("switch", "-q", "-c", "theirs");
    const opened = await vcs.open({ branch: "main", path: lab.root, from: "main", claimant: "one" });
    const message = `${lab.root} has theirs checked out, and not main; "git switch main" there, then go on`;
    expect(opened).toEqual({ ok: false, failure: { kind: "foreign", reason: told(message) } });
    lab.git("checkout", "-q", "--detach");
    const detached = await vcs.open({ branch: "main", path: lab.root, from: "main", claimant: "one" });
    expect(detached).toMatchObject({ ok: false, failure: { kind: "foreign" } });
  });

  it("[V77] with a rebase that was not ended is brought back by the command that is said", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    lab.commit("two");
    lab.git("-c", "sequence.editor=sed -i -e 1s/pick/edit/", "rebase", "-q", "-i", "HEAD~1", "--keep-empty");
    const open = () => vcs.open({ branch: "main", path: lab.root, from: "main", claimant: "one" });
    const opened = await open();
    const message = whyOf(opened);
    const command = /"(git [^"]*)"/u.exec(message)?.[1] ?? "";
    expect(command).toBe("git rebase --quit && git switch main");
    for (const part of command.split(" && "))
      lab.git("-c", "advice.detachedHead=false", ...part.split(" ").slice(1));
    must(await open());
  });

  it("[V77] takes no landing, and keeps its index; the work is taken out and kept", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const vcs = await lab.vcs();
    const folder = must(await vcs.open({ branch: "main", path: lab.root, from: "main", claimant: "one" }));
    lab.write("done.txt", "done\n");
    const { tree } = must(await vcs.snapshot(folder));
    lab.git("switch", "-q", "-c", "theirs");
    lab.write("a.txt", "a person's\n");
    lab.git("commit", "-q", "-a", "-m", "a person's");
    const by = { task: "one", title: "one", attempt: "abc", verified: true };
    const landed = await vcs.land({ folder, tree, into: folder, how: "rebase", by });
    expect(landed).toMatchObject({ ok: false, failure: { kind: "failed" } });
    expect(lab.git("status", "--porcelain")).toBe("?? done.txt");
    const { branch = "" } = must(await vcs.setAside(folder, "task/one"));
    expect(lab.git("status", "--porcelain")).toBe("");
    expect(lab.git("show", `${branch}:done.txt`)).toBe("done");
    expect(lab.git("rev-parse", "main")).toBe(folder.base);
  });
});
