import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";

const TASKS = [
  "# J",
  "## Phase 1: a",
  ...["T1.1", "T1.2", "T1.3"].flatMap(id => [`### [ ] ${id}: x`, "- uses: [db]", "- run: true"]),
  "### [ ] T1.4: x",
  "- uses: port:3000",
  "- run: true",
  "",
].join("\n");

describe.concurrent("resources in the configuration", () => {
  it("[RD20] caps reach a run, and plan shows the front that they allow", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "parallel: 5\nresources: { db: 2 }\n" });
    const { stdout } = await lab.ask("plan");
    expect(stdout).toContain("uses db");
    expect(stdout).toMatch(/Widest front +4 at once {2}T1\.1, T1\.2, T1\.3, T1\.4\n/);
    expect(stdout).toMatch(/By resources +3 at once {2}T1\.1, T1\.2, T1\.4\n/);
    const run = await lab.ask("run", "--yes");
    expect(run.stdout).toContain("[DISPATCH] T1.1, T1.2, T1.4 → parallel");
    expect(run.stdout).toContain("[DISPATCH] T1.3\n");
  });

  it("[RD20] the cap of an agent holds back what goes to it", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "resources: { shell: 1 }\n" });
    expect((await lab.ask("run", "--dry-run")).stdout).toMatch(/1 {2}T1\.1\n +2 {2}T1\.2\n +3 {2}T1\.3\n/);
  });

  it.each(["0", "many", "1001"])("a cap of %s is refused with its place", async cap => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": `resources: { db: ${cap} }\n` });
    const { code, stderr } = await lab.ask("plan");
    expect(code).toBe(2);
    expect(stderr).toContain("espalier.yaml:1:18: resources.db: expected a number from 1 to 1000");
  });

  it("a cap that nobody uses, and a name beside one, are told", async () => {
    await using lab = openLab({
      "TASKS.md": TASKS.replaceAll("port:3000", "dbs"),
      "espalier.yaml": "resources: { db: 1, dbs2: 1, cluade: 2 }\n",
    });
    const { stdout } = await lab.ask("plan");
    expect(stdout).toContain("MISSPELT_RESOURCE: no cap is set for dbs: one task at a time uses it (T1.4)");
    expect(stdout).toContain("UNUSED_RESOURCE: espalier.yaml sets a cap for cluade");
    expect(stdout).toContain("did you mean claude?");
  });
});
