import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must, openGitLab } from "./lab.ts";

describe("a diff as text", () => {
  it("[V50] shows what differs between a commit and a snapshot: names as they are, moves, no bytes of binary files", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "한글 이름.md": "가\n나\n다\n", "x.bin": "\0a" });
    const vcs = await lab.vcs();
    const folder = must(await vcs.open({ branch: "b", path: lab.place("w"), from: "main" }));
    const at = (name: string) => join("..", "w", name);
    lab.write(at("a.txt"), "two\n");
    lab.write(at("x.bin"), "\0b");
    lab.gitIn(folder.path, "mv", "한글 이름.md", "옮김.md");
    const { tree } = must(await vcs.snapshot(folder));
    const diff = must((await vcs.diff?.(folder.base, tree)) ?? { ok: true, value: "" });
    expect(diff).toContain("-one\n+two\n");
    expect(diff).toContain("rename from 한글 이름.md\nrename to 옮김.md\n");
    expect(diff).toContain("Binary files a/x.bin and b/x.bin differ\n");
    expect(must((await vcs.diff?.(tree, tree)) ?? { ok: true, value: "none" })).toBe("");
  });

  it("[V50] starts nothing that the repository names", async () => {
    using lab = openGitLab({ "a.txt": "one\n", ".gitattributes": "*.txt diff=loud\n" });
    const ran = lab.place("ran");
    const vcs = await lab.vcs();
    const folder = must(await vcs.open({ branch: "b", path: lab.place("w"), from: "main" }));
    lab.write(join("..", "w", "a.txt"), "two\n");
    const { tree } = must(await vcs.snapshot(folder));
    for (const key of ["diff.loud.textconv", "diff.loud.command", "diff.external"])
      lab.git("config", key, `touch ${ran}; cat`);
    const repository = await lab.open();
    const { diffText } = await import("../../src/adapters/vcs/git/index.ts");
    expect(must(await diffText(repository, folder.base, tree))).toContain("-one\n+two\n");
    expect(existsSync(ran)).toBe(false);
  });

  it("[V50] is cut at the end of a line where it is far too long, and says so", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const folder = must(await vcs.open({ branch: "b", path: lab.place("w"), from: "main" }));
    lab.write(join("..", "w", "big.txt"), `${"0123456789abcde\n".repeat(600_000)}`);
    const { tree } = must(await vcs.snapshot(folder));
    const diff = must((await vcs.diff?.(folder.base, tree)) ?? { ok: true, value: "" });
    expect(Buffer.byteLength(diff)).toBeLessThan(8 * 1024 ** 2 + 100);
    expect(diff).toMatch(/\n\+0123456789abcde\n\[\d{7} more bytes left out\]\n$/);
  });
});
