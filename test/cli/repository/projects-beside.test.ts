import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openRepositoryLab, tasksFile } from "./lab.ts";

const SETTINGS = "phase: { merge: never }\nbackoff: { first: 0s }\n";

/** A project whose first task writes and whose second leaves half a file behind. */
function project(name: string): Record<string, string> {
  return {
    [`${name}/espalier.yaml`]: SETTINGS,
    [`${name}/TASKS.md`]: tasksFile({
      "1: all": {
        "T1.1": [`run: echo ${name} > one.txt`],
        "T1.2": [`run: echo ${name} >> half.txt; false`],
      },
    }),
  };
}

/** A command that ends once another does; after half a minute all the same. */
const until = (command: string) => `for i in $(seq 300); do ${command} && break; sleep 0.1; done`;

/** What both projects can look at, wherever they work. */
const SHARED = "$(git rev-parse --git-common-dir)";

describe("projects in folders of one repository", { timeout: 120_000 }, () => {
  it("[E173] have branches, worktrees and what was set aside for themselves, also side by side", async () => {
    await using lab = openRepositoryLab({ ...project("api"), ...project("web") });
    const names = ["api", "web"] as const;
    const ended = await Promise.all(names.map(cwd => lab.cli(["run", "--yes"], { cwd })));
    expect(ended.map(({ code }) => code)).toEqual([5, 5]);
    for (const [at, name] of names.entries()) {
      const other = names[1 - at]!;
      const branch = `phase/${name}/1-all`;
      expect(ended[at]!.stdout).toContain(`unfinished  phase 1 on ${branch}`);
      const files = lab.git("ls-tree", "-r", "--name-only", branch);
      expect(files).toContain(`${name}/one.txt`);
      expect(files).not.toContain(`${other}/one.txt`);
      const left = /refs\/espalier\/left\/[^\s~]+/.exec(ended[at]!.stdout)?.[0] ?? "";
      expect(lab.git("show", `${left}:${name}/half.txt`)).toBe(name);
      expect(lab.git("ls-tree", "-r", "--name-only", left)).not.toContain(`${other}/half.txt`);
    }
  });

  it("[E174] [V96] take turns in the main checkout, and each lands what is its own", async () => {
    const once = `[ -e ${SHARED}/once ]`;
    const ticked = (task: string) => until(`grep -q "\\[x\\] ${task}" ../api/TASKS.md`);
    await using lab = openRepositoryLab({
      "api/espalier.yaml": SETTINGS,
      "api/TASKS.md": tasksFile({
        "0: base": {
          "T0.1": [
            `run: echo api > one.txt; ${until("grep -q CHECKOUT_BUSY ../web/.espalier/orchestrate.log")}; echo api >> one.txt`,
          ],
        },
        "1: all": {
          "T1.1": [`run: ${until(once.replace("once", "begun"))}; echo 1 > t1.txt`],
          "T1.2": [`run: ${until(once)}; echo 2 > t2.txt`],
        },
      }),
      "web/espalier.yaml": SETTINGS,
      "web/TASKS.md": tasksFile({
        "0: base": {
          "T0.1": [
            `run: touch ${SHARED}/begun; ${ticked("T1.1")}; ${once} || { touch ${SHARED}/once; exit 1; }; ${ticked("T1.2")}; echo web > one.txt`,
          ],
        },
      }),
    });
    const first = lab.cli(["run", "--yes"], { cwd: "api" });
    await vi.waitFor(() => expect(lab.has(join(lab.root, "api/one.txt"))).toBe(true), 20_000);
    const second = await lab.cli(["run", "--yes"], { cwd: "web" });
    expect([(await first).code, second.code]).toEqual([0, 0]);
    expect(second.stdout).toContain("T0.1: CHECKOUT_BUSY a task of another project works in this checkout");
    const landed = (name: string) =>
      lab.git("log", "-1", "--format=", "--name-only", "main", "--", `${name}/one.txt`);
    expect([landed("api"), landed("web")]).toEqual(["api/one.txt", "web/one.txt"]);
    expect(lab.git("show", "main:api/one.txt")).toBe("api\napi");
    expect(lab.git("show", "main:api/TASKS.md")).not.toMatch(/\[x\] T1/);
    expect(lab.text(join(lab.root, "api/TASKS.md")).match(/\[x\] T1/g)).toHaveLength(2);
    expect(lab.git("for-each-ref", "refs/espalier/begun", "refs/espalier/begun-in")).toBe("");
  });

  it("[E173] [E174] clear no folder of each other's, and are merged side by side", async () => {
    const names = ["", "api", "api/sub"];
    const tasks = tasksFile({ "1: all": { "T1.1": ["run: echo done > one.txt"] } });
    const files = names.map(name => [
      [join(name, "espalier.yaml"), SETTINGS],
      [join(name, "TASKS.md"), tasks],
    ]);
    await using lab = openRepositoryLab(Object.fromEntries(files.flat()));
    const each = (...args: readonly string[]) =>
      Promise.all(names.map(name => lab.cli(args, name === "" ? {} : { cwd: name })));
    expect((await each("run", "--yes")).map(({ code }) => code)).toEqual([0, 0, 0]);
    for (const { stdout } of await each("worktrees", "list"))
      expect(stdout.match(/^phase\//gm)).toHaveLength(1);
    await lab.cli(["worktrees", "clean", "--all"], { cwd: "api" });
    expect(lab.git("worktree", "list").split("\n")).toHaveLength(3);
    expect((await each("phase", "merge", "--all")).map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(lab.git("status", "--short")).toBe("");
    expect(lab.git("ls-files", "*one.txt").split("\n")).toEqual(
      names.map(name => join(name, "one.txt")).sort(),
    );
  });
});
