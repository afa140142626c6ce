import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  commitText,
  readSignature,
  storeCommit,
  storesPlainly,
} from "../../src/adapters/vcs/git/repository/commit-object.ts";
import { casesOf } from "../sample.ts";
import { type GitLab, landAll, must, openGitLab } from "./lab.ts";

const BY = { author: "Ann A <ann@example.org>", committer: "Ben <ben@example.org>" };

/** The same commit made by git itself, at the moment the text tells. */
function byGit(lab: GitLab, text: string, parents: readonly string[], message: string): string {
  const when = /> (\d{10} [+-]\d{4})\n/.exec(text)?.[1] ?? "";
  const args = ["commit-tree", "HEAD^{tree}", ...parents.flatMap(parent => ["-p", parent]), "-F", "-"];
  const env = {
    PATH: process.env["PATH"],
    GIT_AUTHOR_NAME: "Ann A",
    GIT_AUTHOR_EMAIL: "ann@example.org",
    GIT_AUTHOR_DATE: when,
    GIT_COMMITTER_NAME: "Ben",
    GIT_COMMITTER_EMAIL: "ben@example.org",
    GIT_COMMITTER_DATE: when,
  };
  return execFileSync("git", args, { cwd: lab.root, env, input: message, encoding: "utf8" }).trim();
}

const words = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
  .map(text => text.replaceAll("\0", ""));

describe("a commit that is stored without git", () => {
  it("is the very one that git would have made", () => {
    using lab = openGitLab();
    const head = lab.git("rev-parse", "HEAD");
    const tree = lab.git("rev-parse", "HEAD^{tree}");
    const common = join(lab.root, ".git");
    const moments = fc.date({ min: new Date(1e12), max: new Date(4e12), noInvalidDate: true });
    fc.assert(
      fc.property(words, moments, fc.boolean(), (title, now, isRoot) => {
        const message = `${title}\n\nEspalier-Task: T1.1\n`;
        const parents = isRoot ? [] : [head];
        const text = commitText({ tree, parents, message }, BY, now);
        const id = must(storeCommit(common, text));
        expect(id).toBe(byGit(lab, text, parents, message));
        expect(lab.git("cat-file", "-t", id)).toBe("commit");
      }),
      { numRuns: casesOf(6, 15) },
    );
    expect(lab.git("fsck", "--strict")).not.toContain("error");
  });

  it("is stored once, and leaves nothing half written", () => {
    using lab = openGitLab();
    const common = join(lab.root, ".git");
    const tree = lab.git("rev-parse", "HEAD^{tree}");
    const text = commitText({ tree, parents: [], message: "x\n" }, BY, new Date());
    const id = must(storeCommit(common, text));
    expect(must(storeCommit(common, text))).toBe(id);
    const folder = readdirSync(join(common, "objects", id.slice(0, 2)));
    expect(folder.filter(name => name.startsWith("tmp_"))).toEqual([]);
  });

  it("is refused where it cannot be written, and where its message holds a NUL", () => {
    using lab = openGitLab();
    const common = join(lab.root, ".git");
    expect(storeCommit(common, "tree x\0y")).toMatchObject({ ok: false, failure: { kind: "failed" } });
    expect(storeCommit(join(lab.root, "a.txt"), "x")).toMatchObject({
      ok: false,
      failure: { kind: "failed" },
    });
  });

  it("is signed by whom git knows, else by us", async () => {
    using lab = openGitLab();
    const unknown = await lab.open();
    expect(await readSignature(unknown.git)).toEqual({
      author: "Espalier <espalier@localhost>",
      committer: "Espalier <espalier@localhost>",
    });
    lab.git("config", "user.name", "Zoë <Z>");
    lab.git("config", "user.email", "zoe@example.org");
    lab.git("config", "author.email", "other@example.org");
    const known = await lab.open();
    expect(await readSignature(known.git)).toEqual({
      author: "Zoë Z <other@example.org>",
      committer: "Zoë Z <zoe@example.org>",
    });
  });

  it("is left to git where objects are others' to write, or named otherwise", async () => {
    using lab = openGitLab();
    expect(storesPlainly((await lab.open()).facts)).toBe(true);
    expect(storesPlainly({ ...(await lab.open()).facts, head: "a".repeat(64) })).toBe(false);
    lab.git("config", "core.sharedRepository", "group");
    const shared = await lab.open();
    expect(storesPlainly(shared.facts)).toBe(false);
    const vcs = await lab.vcs();
    const into = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
    lab.write(`${into.path}/new.txt`, "x\n");
    must(await landAll(vcs, into, into, { attempt: "by-git" }));
    expect(lab.git("log", "-1", "--format=%an <%ae>", into.branch)).toBe("Espalier <espalier@localhost>");
  });
});
