import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a merge of plain git would stop at, with `git merge` one branch after the other and nobody to learn from. */
export function plainConflicts(waves: readonly (readonly string[])[]): number {
  const root = mkdtempSync(join(tmpdir(), "espalier-plain-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], { cwd: root, stdio: "pipe" });
  const shared = join(root, "CHANGES.md");
  git("init", "-q", "-b", "main");
  writeFileSync(shared, "# Changes\n");
  git("add", "-A");
  git("commit", "-q", "-m", "start");
  let conflicts = 0;
  for (const [n, wave] of waves.entries()) {
    for (const [at, task] of wave.entries()) {
      git("checkout", "-q", "-b", `t${n}-${at}`, "main");
      appendFileSync(shared, `- ${task} is done\n`);
      git("commit", "-q", "-a", "-m", task);
    }
    git("checkout", "-q", "main");
    for (const at of wave.keys()) {
      const merged = spawnSync(
        "git",
        ["-c", "user.name=b", "-c", "user.email=b@b", "merge", "-q", `t${n}-${at}`],
        { cwd: root },
      );
      if (merged.status === 0) continue;
      conflicts++;
      const both = readFileSync(shared, "utf8").replace(/^(?:<{7} .*|={7}|>{7} .*)\n/gm, "");
      writeFileSync(shared, both);
      git("commit", "-q", "-a", "-m", "both");
    }
  }
  rmSync(root, { recursive: true, force: true });
  return conflicts;
}
