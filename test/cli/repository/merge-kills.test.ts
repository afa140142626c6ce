import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepositoryLab, type RepositoryLab, tasksFile } from "./lab.ts";

/**
 * Calls of git at which a merge is killed, counted from the first one that finds the phase in the target: before anything is
 * tidied, and after the branch is gone. A merge makes about twenty of them.
 */
const POINTS = [1, 8] as const;

/** A `git` that ends the `phase merge` it is called for by SIGKILL, at the n-th call after the branch came into main. */
const SHIM = `#!/bin/sh
here=$(dirname "$0")
read -r branch calls < "$here/point" || exec "$REAL" "$@"
if [ ! -e "$here/seen" ]; then
  "$REAL" --git-dir="$here/../project/.git" merge-base --is-ancestor "$branch" main 2>/dev/null || exec "$REAL" "$@"
fi
echo x >> "$here/seen"
[ "$(wc -l < "$here/seen")" -ge "$calls" ] || exec "$REAL" "$@"
up=$$
while [ "$up" -gt 1 ]; do
  if tr '\\0' ' ' < "/proc/$up/cmdline" | grep -q "phase merge"; then echo yes > "$here/killed"; kill -KILL "$up"; exit 1; fi
  up=$(awk '{ print $4 }' "/proc/$up/stat")
done
exec "$REAL" "$@"
`;

function createShim(lab: RepositoryLab) {
  const folder = lab.beside("shim");
  const at = (name: string) => join(folder, name);
  mkdirSync(folder);
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(at("git"), SHIM.replaceAll("$REAL", real));
  chmodSync(at("git"), 0o755);
  const forget = () => {
    for (const name of ["point", "seen", "killed"]) rmSync(at(name), { force: true });
  };
  return {
    env: { PATH: `${folder}:${process.env["PATH"]}` },
    arm(branch: string, calls: number) {
      forget();
      writeFileSync(at("point"), `${branch} ${calls}\n`);
    },
    disarm: forget,
    hasKilled: () => existsSync(at("killed")),
  };
}

describe("a merge by hand that is killed before it has tidied up", { timeout: 120_000 }, () => {
  it.skipIf(process.platform !== "linux")(
    "[VR25] is tidied up by the next one (the processes to kill are found in /proc)",
    async () => {
      const phases = POINTS.map(
        (_, at) => [`${at + 1}: p`, { [`T${at + 1}.1`]: [`run: echo x > ${at}.txt`] }] as const,
      );
      await using lab = openRepositoryLab({
        "TASKS.md": tasksFile(Object.fromEntries(phases)),
        "espalier.yaml": "",
      });
      expect((await lab.ask("run", "--yes")).code).toBe(0);
      const shim = createShim(lab);
      const branches = () => lab.git("branch", "--list", "--format=%(refname:short)", "phase/*").split("\n");
      const folders = () => lab.git("worktree", "list").split("\n").length;
      let killed = 0;
      for (const [at, calls] of POINTS.entries()) {
        shim.arm(`phase/${at + 1}-p`, calls);
        await lab.cli(["phase", "merge", `${at + 1}`, "--yes"], { env: shim.env });
        if (shim.hasKilled()) killed++;
        expect(lab.git("ls-tree", "--name-only", "main")).toContain(`${at}.txt`);
        // What the one before left is gone, what this one leaves may stand until the next.
        expect(branches()).not.toContain(`phase/${at}-p`);
      }

      expect(killed).toBe(POINTS.length);
      shim.disarm();
      const last = await lab.ask("phase", "merge", "--all", "--yes");
      expect([last.code, last.stdout]).toEqual([0, "no phase that is done waits on its branch\n"]);
      expect([branches(), folders()]).toEqual([[""], 1]);
      expect(lab.git("status", "--porcelain")).toBe("");
      expect(lab.git("rev-list", "--merges", "--count", "main")).toBe(`${POINTS.length}`);
    },
  );
});
