import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isOf, openSite } from "./site.ts";

it.each(["git", "a person"])(
  "[E223] a phase's folder that %s removed is made again for what lands",
  async who => {
    using site = await openSite();
    const end = site.bench.start();
    const [one, two, three] = [
      await site.bench.puppets.next("T1.1"),
      await site.bench.puppets.next("T1.2"),
      await site.bench.puppets.next("T1.3"),
    ];
    site.write(one, "one.txt", "1\n");
    site.done(one);
    await site.bench.event(isOf("completed", "T1.1"));
    const folder = join(site.lab.folder, "p1-p");
    if (who === "git") site.lab.git("worktree", "remove", "--force", folder);
    else rmSync(folder, { recursive: true });
    site.write(two, "two.txt", "2\n");
    site.done(two);
    await site.bench.event(isOf("completed", "T1.2"));
    site.write(three, "three.txt", "3\n");
    site.done(three);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.home()).toEqual(["T1.1", "T1.2", "T1.3"]);
    expect(existsSync(join(folder, "three.txt"))).toBe(true);
  },
);
