import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { landAll, must, openGitLab, openPhase } from "./lab.ts";

describe("[V83] settings of how texts are written", () => {
  it("have no commit say that its message is other than UTF-8", async () => {
    using lab = openGitLab();
    lab.git("config", "i18n.commitEncoding", "EUC-KR");
    lab.git("config", "i18n.logOutputEncoding", "EUC-KR");
    // Commits are made by git itself then.
    lab.git("config", "core.sharedRepository", "group");
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(join(phase.path, "b.txt"), "b\n");
    must(await landAll(vcs, phase, phase, { task: "장바구니" }));
    expect(lab.git("cat-file", "commit", "phase/1-x")).not.toContain("\nencoding ");
    expect(lab.git("-c", "i18n.logOutputEncoding=UTF-8", "log", "-1", "--format=%s", "phase/1-x")).toBe(
      "장바구니: title of 장바구니",
    );
    expect(must(await vcs.attemptsIn("phase/1-x"))).toMatchObject([{ task: "장바구니", verified: true }]);
  });

  it.each(["true", "input"])(
    "keep no work from landing by its line ends: core.autocrlf=%s",
    async autocrlf => {
      using lab = openGitLab();
      const vcsBefore = await lab.vcs();
      const phase = await openPhase(lab, vcsBefore);
      lab.git("config", "core.autocrlf", autocrlf);
      lab.git("config", "core.safecrlf", "true");
      const vcs = await lab.vcs();
      lab.write(join(phase.path, "unix.txt"), "a\nb\n");
      lab.write(join(phase.path, "mixed.txt"), "a\r\nb\n");
      must(await landAll(vcs, phase, phase));
      expect(lab.git("ls-tree", "--name-only", "phase/1-x").split("\n")).toEqual([
        "a.txt",
        "mixed.txt",
        "unix.txt",
      ]);
      expect(lab.read(join(phase.path, "mixed.txt"))).toBe("a\r\nb\n");
    },
  );
});
