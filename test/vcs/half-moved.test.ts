import { writeFileSync } from "node:fs";
import { join as path } from "node:path";
import { expect, it } from "vitest";
import { mend } from "../../src/adapters/vcs/git/index.ts";
import { join } from "../../src/adapters/vcs/git/join/join.ts";
import { because, ok } from "../../src/ports/index.ts";
import { landAll, must, openGitLab, openPhase, openTeam } from "./lab.ts";

/** Leaves a folder as a process does that dies while it moves its files, with something in it that no commit has. */
function leaveHalfMoved(lab: ReturnType<typeof openGitLab>, folder: string): void {
  writeFileSync(
    path(lab.root, ".git/worktrees/p1/espalier-moving"),
    `${lab.git("rev-parse", "phase/1-x")}\n`,
  );
  lab.write(`${folder}/loose.txt`, "loose\n");
}

it("[V153] two commits of which one is not there are not joined, and nothing is made of that", async () => {
  using lab = openGitLab();
  const gone = "1".padStart(40, "0");
  const joined = await join(await lab.open(), lab.git("rev-parse", "HEAD"), gone);
  expect(joined).toMatchObject({ ok: false, failure: { kind: "failed" } });
});

it("[V154] what a folder held that was half moved is named: when it is opened", async () => {
  using lab = openGitLab();
  const phase = await openPhase(lab, await lab.vcs());
  leaveHalfMoved(lab, phase.path);
  const { loose = "" } = await openPhase(lab, await lab.vcs());
  expect(lab.git("show", `${loose}:loose.txt`)).toBe("loose");
  expect((await openPhase(lab, await lab.vcs())).loose).toBe(undefined);
});

it("[V154] … when work lands there", async () => {
  using lab = openGitLab();
  const { vcs, phase, one, two } = await openTeam(lab);
  lab.write(`${one.path}/b.txt`, "b\n");
  must(await landAll(vcs, one, phase));
  leaveHalfMoved(lab, phase.path);
  lab.write(`${two.path}/c.txt`, "c\n");
  const told: string[] = [];
  must(await landAll(vcs, two, phase, { task: "T1.2", kept: branch => told.push(branch) }));
  expect(told.map(branch => lab.git("show", `${branch}:loose.txt`))).toEqual(["loose"]);
});

it("[V154] … when doctor mends it", async () => {
  using lab = openGitLab();
  const phase = await openPhase(lab, await lab.vcs());
  leaveHalfMoved(lab, phase.path);
  const admin = path(lab.root, ".git/worktrees/p1");
  const mended = await mend(await lab.open(), { what: "files half moved", path: admin });
  const [branch = ""] = lab
    .git("for-each-ref", "--format=%(refname:short)", "refs/heads/espalier")
    .split("\n");
  expect(mended).toEqual(ok(because("leftover-mended", { how: "put-back", branch })));
});
