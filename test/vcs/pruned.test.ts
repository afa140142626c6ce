import { lutimesSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { landAll, must, openGitLab, openTeam } from "./lab.ts";

describe("what an agent prunes", () => {
  it("[V36] is written again, whatever the files are called, and links as well", async () => {
    using lab = openGitLab();
    const { vcs, phase, one, two } = await openTeam(lab);
    const names = [
      '"q"',
      "a b.txt",
      "new\nline",
      String.raw`"back\slash`,
      "end\r",
      ":colon",
      "-dash",
      "한글.md",
    ];
    for (const name of names) lab.write(join(one.path, name), `${name}\n`);
    symlinkSync("no\nwhere", join(one.path, "link"));
    // What was written long ago is not read again by git.
    for (const name of [...names, "link"]) lutimesSync(join(one.path, name), 1_000_000, 1_000_000);
    const sealed = must(await vcs.snapshot(one));
    expect(sealed.changed).toHaveLength(names.length + 1);
    lab.gitIn(two.path, "gc", "-q", "--prune=now");
    // Another process knows nothing of what was sealed before.
    const later = await lab.vcs();
    expect(must(await later.snapshot(one)).tree).toBe(sealed.tree);
    expect(must(await landAll(later, one, phase)).kind).toBe("landed");
    expect(lab.git("fsck", "--no-dangling")).toBe("");
    expect(lab.git("show", "phase/1-x:link")).toBe("no\nwhere");
  });
});
