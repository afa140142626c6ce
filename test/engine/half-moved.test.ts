import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isOf, openSite } from "./site.ts";

it("[V154] what a folder held that was half moved is told when the next attempt opens it", async () => {
  using site = await openSite({ tasks: "### [ ] T1.1: a\n### [ ] T1.2: b\n" });
  const end = site.bench.start();
  const [one, two] = [await site.bench.puppets.next("T1.1"), await site.bench.puppets.next("T1.2")];
  site.write(one, "loose.txt", "loose\n");
  const admin = join(site.lab.root, ".git/worktrees/p1-p--t1-1");
  writeFileSync(join(admin, "espalier-moving"), `${site.lab.git("rev-parse", "main")}\n`);
  one.say(`FAIL:${one.id}:no`);
  await site.bench.event(isOf("attempt-failed", "T1.1"));
  site.done(two);
  const again = await site.bench.puppets.next("T1.1");
  const told = site.told.flatMap(({ code, reason }) =>
    code === "RESCUED" && reason.code === "work-rescued" ? [reason.args] : [],
  );
  expect(told).toMatchObject([{ path: again.request.cwd }]);
  expect(site.lab.git("show", `${told[0]?.branch}:loose.txt`)).toBe("loose");
  site.done(again);
  expect(await end).toMatchObject({ outcome: "completed" });
});
