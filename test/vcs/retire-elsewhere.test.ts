import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must, openGitLab } from "./lab.ts";

const SHM = "/dev/shm";
const isOther = existsSync(SHM) && statSync(SHM).dev !== statSync(process.cwd()).dev;

describe("a worktree on another file system than the state", () => {
  // A second file system is needed.
  it.skipIf(!isOther)("goes as well, and its new ignored files are saved whole", async () => {
    using lab = openGitLab({ ".gitignore": "*.db\nkept/\n" });
    const folder = mkdtempSync(join(SHM, "espalier-"));
    try {
      const vcs = await lab.vcs();
      const path = join(folder, "t1");
      const task = must(await vcs.open({ branch: "task/1", path, from: "HEAD" }));
      lab.write(`${path}/local.db`, "precious\n");
      lab.write(`${path}/kept/deep/x`, "x\n");
      symlinkSync("deep", `${path}/kept/link`);
      const gone = must(await vcs.retire({ ...task, heldBy: ["main"], deleteBranch: true }));
      expect(gone.kept).toBeUndefined();
      expect(existsSync(path)).toBe(false);
      const saved = gone.files ?? "";
      expect(readFileSync(join(saved, "local.db"), "utf8")).toBe("precious\n");
      expect(readFileSync(join(saved, "kept/deep/x"), "utf8")).toBe("x\n");
      expect(readlinkSync(join(saved, "kept/link"))).toBe("deep");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
