import { existsSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { forbiddenFolder } from "../../../src/host/approval/places.ts";
import { itWhole } from "../../sample.ts";
import { openLab } from "../lab.ts";
import { openRepositoryLab, tasksFile } from "./lab.ts";

const TASKS = tasksFile({ "1: build": { "T1.1": ["run: echo one > one.txt", "verify: test -s one.txt"] } });
const settings = (folder: string, more = "") =>
  `${more}git: { folder: "${folder}" }\nphase: { merge: auto }\n`;

describe("[E49] a folder where programs are started or set up from", () => {
  const env = {
    HOME: "/home/u",
    PATH: "/usr/bin:/home/u/tools/run:/opt/x/bin",
    XDG_CONFIG_HOME: "/home/u/conf",
  };
  const forbidden = (path: string, top = "/home/u/src/p") => forbiddenFolder(path, top, env);

  it.each([
    ["/{phase}", "/"],
    ["/etc/cron.d/{phase}", "/etc"],
    ["/usr/local/bin/{phase}", "/usr"],
    ["/var/lib/x/{phase}", "/var/lib"],
    ["/dev/shm/{phase}", "/dev"],
    ["/Library/LaunchAgents/{phase}", "/Library"],
    ["/home/u/.vim/pack/{phase}/start/x", "/home/u/.vim"],
    ["/home/u/.x-{phase}", "/home/u/.x-{phase}"],
    ["/home/u/.config/autostart/{phase}", "/home/u/.config"],
    ["/home/u/bin/{phase}", "/home/u/bin"],
    ["/home/u/Library/{phase}", "/home/u/Library"],
    ["/home/u/{feature}/{phase}", "/home/u/bin"],
    ["/home/u/b{feature}/{phase}", "/home/u/bin"],
    ["/{feature}/{phase}", "/bin"],
    ["/home/u/tools/run/{phase}", "/home/u/tools/run"],
    ["/opt/x/bin/{phase}", "/opt/x/bin"],
    ["/home/u/src/other/.git/hooks/{phase}", "/home/u/src/other/.git"],
    ["/home/u/src/other/.g{feature}/{phase}", "/home/u/src/other/.g{feature}"],
    ["/srv/x/node_modules/.bin/{phase}", "/srv/x/node_modules"],
    ["/home/u/conf/{phase}", "/home/u/conf"],
  ])("is refused: %s", (path, folder) => {
    expect(forbidden(path)).toBe(folder);
  });

  it.each([
    "/home/u/wt/{phase}",
    "/home/u/src/wt-{phase}",
    "/home/u/src/{feature}/{phase}",
    "/srv/wt/{phase}",
    "/home/u/bin-{phase}",
    "/tmp/wt/{phase}",
    "/var/tmp/{phase}",
  ])("is not one: %s", path => {
    expect(forbidden(path)).toBeUndefined();
  });

  it("is none where the project itself lies: its neighbours may lie there, too", () => {
    expect(forbidden("/home/u/.config/wt/{phase}", "/home/u/.config/nvim")).toBeUndefined();
    expect(forbidden("/home/u/.local/bin/{phase}", "/home/u/.local/share/p")).toBe("/home/u/.local");
    expect(forbidden("/usr/src/wt/{phase}", "/usr/src/app")).toBeUndefined();
    expect(forbidden("/usr/bin/{phase}", "/usr/src/app")).toBe("/usr");
    expect(forbidden("/usr/bin/{phase}", "/usr/app")).toBe("/usr");
    expect(forbidden("/{phase}", "/app")).toBeUndefined();
    expect(
      forbiddenFolder("/var/lib/ci/w/wt-{phase}", "/var/lib/ci/w/p", { HOME: "/var/lib/ci" }),
    ).toBeUndefined();
    expect(forbiddenFolder("/var/lib/ci/.ssh/{phase}", "/var/lib/ci/w/p", { HOME: "/var/lib/ci" })).toBe(
      "/var/lib/ci/.ssh",
    );
  });
});

describe.concurrent("[E49] worktrees outside the project", { timeout: 120_000 }, () => {
  itWhole("are shown where they really come to lie, and made once that is approved", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": TASKS,
      "espalier.yaml": settings("../alias/{phase}/x"),
    });
    mkdirSync(lab.beside("real"));
    const parent = realpathSync(dirname(lab.root));
    const asked = await lab.cli(["run"]);
    expect(asked.code).toBe(5);
    expect(asked.stderr).toContain(
      `  espalier.yaml git.folder:\n    put worktrees in ${parent}/alias/{phase}/x\n`,
    );
    expect(lab.has(lab.beside("alias"))).toBe(false);
    symlinkSync(lab.beside("real"), lab.beside("alias"));
    expect((await lab.cli(["run"])).stderr).toContain(`    put worktrees in ${parent}/real/{phase}/x\n`);
    lab.write("espalier.yaml", settings("../real/{phase}/x"));
    lab.git("commit", "-q", "-a", "-m", "settings");
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    expect(lab.git("show", "HEAD:one.txt")).toBe("one");
  });

  it.each([
    ["en", "may be started or read by other programs"],
    ["ko", "다른 프로그램이 실행하거나 읽을 수 있습니다"],
  ])("are refused in a dot folder of the home, whatever is answered: %s", async (locale, told) => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS });
    const folder = join(lab.home, ".vim/pack/{phase}/start/x");
    lab.write("espalier.yaml", settings(folder, `locale: ${locale}\n`));
    lab.git("commit", "-q", "-a", "-m", "settings");
    const { code, stderr } = await lab.cli(["run", "--yes"]);
    expect([code, stderr]).toEqual([6, expect.stringContaining("WORKTREE_PLACE")]);
    expect(stderr).toContain(told);
    expect(existsSync(join(lab.home, ".vim"))).toBe(false);
  });

  it("in the usual place are not asked about", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS });
    expect((await lab.cli(["run"])).stderr).not.toContain("git.folder");
  });

  it("are not made through a link of the repository's", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": TASKS,
      "espalier.yaml": settings(".espalier/w/a/{phase}"),
    });
    mkdirSync(lab.beside("victim"));
    mkdirSync(lab.path(".espalier"));
    symlinkSync(lab.beside("victim"), lab.path(".espalier/w"));
    const { code } = await lab.cli(["run", "--yes"]);
    expect([code, lab.has(lab.beside("victim/a"))]).toEqual([5, false]);
  });
});

it("[E50] what a jail is to show of the home is approved", async () => {
  await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "jail: { show: [.ssh] }\n" });
  const { code, stderr } = await lab.cli(["run"]);
  expect(code).toBe(5);
  expect(stderr).toContain("  espalier.yaml jail.show:\n    let agents in the jail see ");
});
