import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openRepositoryLab, tasksFile } from "./lab.ts";

const QUICK = "phase: { merge: never }\nbackoff: { first: 0s }\n";
const WRITER = `agents: { writer: { command: "sh -c 'cat >/dev/null; echo x >> one.txt; echo DONE:$ESPALIER_SIGNAL_ID'" } }\n`;

describe("phases merged while a process has the run", { timeout: 120_000 }, () => {
  it("[HO70] are not while work of theirs is sent back, and are once it is done anew", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": QUICK + WRITER,
      "TASKS.md": tasksFile({
        "1: a": { "T1.1": ["agent: writer"], "T1.2": ["run: echo 2 > two.txt"] },
      }),
    });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    expect((await lab.ask("task", "send-back", "T1.1", "once more")).code).toBe(0);
    const early = await lab.ask("phase", "merge", "1");
    expect([early.code, early.stdout + early.stderr]).toEqual([5, expect.stringContaining("T1.1 is ready")]);
    expect(lab.git("ls-files")).not.toContain("two.txt");
    expect((await lab.ask("resume")).code).toBe(0);
    expect((await lab.ask("phase", "merge", "1")).stdout).toContain("phase 1: merged into main");
    expect(lab.git("ls-files")).toContain("two.txt");
  });

  it("[VR126] by hand and stopped are told with what is merged and what is left", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": QUICK,
      "TASKS.md": tasksFile({
        "1: a": { "T1.1": ["run: echo 1 > one.txt"] },
        "2: b": { "T2.1": ["run: echo 2 > two.txt"] },
        "3: c": { "T3.1": ["run: echo 3 > three.txt"] },
      }),
    });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    const check = "if [ -e two.txt ]; then touch ../checking ../../checking; exec sleep 60; fi";
    lab.write("espalier.yaml", `phase: { merge: never, verify: "${check}" }\n`);
    const merge = lab.start(["phase", "merge", "--all", "--yes"]);
    await merge.seen("phase 1: merged into main");
    await expect.poll(() => lab.has(lab.beside("checking")), { timeout: 30_000 }).toBe(true);
    merge.signal("SIGINT");
    const { code, stderr } = await merge.ended;
    expect(code).toBe(130);
    expect(stderr).toContain("STOPPED: stopped: phase 2 is not merged");
    expect(stderr).toContain("still on their branches: 2, 3; what was merged before stays merged");
    expect(lab.git("ls-tree", "--name-only", "main").split("\n")).toContain("one.txt");
    lab.write("espalier.yaml", QUICK);
    expect((await lab.ask("--locale", "ko", "phase", "merge", "--all", "--yes")).code).toBe(0);
    expect(lab.git("ls-tree", "--name-only", "main")).toContain("three.txt");
  });

  itWhole("[HO70] are by that process once the run is over, and are not before", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": QUICK,
      "TASKS.md": tasksFile({
        "1: a": { "T1.1": ["run: echo 1 > one.txt"] },
        "2: b": {
          "T2.1": [
            "run: 'while [ ! -e ../go ] && [ ! -e ../../go ]; do sleep 0.05; done; cp one.txt two.txt'",
          ],
        },
      }),
    });
    const run = lab.start(["run", "--yes", "--dashboard"]);
    await run.seen("[DISPATCH] T2.1");
    const early = await lab.ask("phase", "merge", "1");
    expect(early.code).toBe(4);
    expect(early.stderr).toContain("the run goes on");
    expect(early.stderr).toContain("espalier phase merge --all");
    lab.write("../go", "");
    await run.seen("[ULTRA-THIN] All done");
    const { code, stdout, stderr } = await lab.ask("phase", "merge", "--all");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/phase 1: merged into main \([0-9a-f]{10}\); phase 2: merged into main/);
    expect(lab.read("two.txt")).toBe("1\n");
    expect((await lab.ask("phase", "merge", "2")).stdout).toContain("phase 2: there is nothing to merge");
    // Its own places were taken away by another hand than the run's: a task that is tried again finds one.
    await lab.ask("task", "retry", "T2.1");
    await run.seen("[DONE] T2.1", 2);
    run.signal("SIGINT");
    await run.ended;
  });
});
