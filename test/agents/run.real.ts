import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPlace, type Place, TEAMS } from "./clients.ts";
import { CONFIG, openTestProject, type TestProject } from "./project.ts";

let place: Place;
let project: TestProject;
beforeEach(async () => {
  place = await openPlace();
  project = openTestProject(place);
});
afterEach(() => place.dispose());

describe.each(TEAMS.map(team => ({ team })))("espalier run with $team", ({ team }) => {
  it("has each of them write, prove and bring home a file, with its notes", async () => {
    project.write("espalier.yaml", CONFIG);
    const tasks = team.map(
      (name, index) =>
        `### [ ] T1.${index + 1}: file ${name}\n- agent: ${name}\n- verify: test -f ${name}.txt # SCENARIO:notes FILE:${name}.txt\n`,
    );
    project.write("TASKS.md", `# Files\n## Phase 1: write\n${tasks.join("\n")}`);
    project.commit();
    const { code, said } = await project.espalier("run", "--yes");
    expect(said).toContain(`[ULTRA-THIN] Phase 1 done (${team.length}/${team.length} succeeded)`);
    expect(code).toBe(0);
    const log = execFileSync("git", ["log", "--all", "--name-only", "--format="], {
      cwd: place.folder,
      encoding: "utf8",
    });
    for (const name of team) expect(log).toContain(`${name}.txt`);
    const told = JSON.parse((await project.espalier("status", "--json")).said);
    expect(JSON.stringify(told)).toContain("completed");
  });

  it("[E168] asks each for the signal that it left out, in its session", async () => {
    project.write("espalier.yaml", CONFIG);
    const tasks = team.map(
      (name, index) =>
        `### [ ] T1.${index + 1}: ask ${name}\n- agent: ${name}\n- verify: "true # SCENARIO:asks"\n`,
    );
    project.write("TASKS.md", `# Asking\n## Phase 1: ask\n${tasks.join("\n")}`);
    project.commit();
    const { said } = await project.espalier("run", "--yes");
    expect(said).toContain(`(${team.length}/${team.length} succeeded)`);
    expect(said).not.toContain("[FAIL]");
    const told = place.model.asked.filter(({ last }) => last.startsWith("[SIGNAL]"));
    expect(told.map(({ said: all }) => all.includes("SCENARIO:asks"))).toEqual(team.map(() => true));
  });

  it("keeps them in step when a document changes while they work", async () => {
    const rules = Array.from({ length: 60 }, (_, index) => `- rule ${index}: walls are painted white`).join(
      "\n",
    );
    project.write("docs/spec.md", `# Spec\n\n## Gates\n\n- gate: oak\n\n## Rules\n\n${rules}\n`);
    project.write("espalier.yaml", CONFIG);
    const tasks = team.map(
      (name, index) =>
        `### [ ] T1.${index + 1}: think ${name}\n- agent: ${name}\n- context: ctx-root\n- verify: "true # SCENARIO:team"\n`,
    );
    const tree = "## Context\n\n- ctx-root: docs/spec.md (shared)\n";
    project.write("TASKS.md", `# Team\n## Phase 1: think\n${tasks.join("\n")}\n${tree}`);
    project.commit();
    const run = project.espalier("run", "--yes");
    for (
      let tries = 0;
      tries < 600 && place.model.asked.filter(({ tools }) => tools.length > 0).length < team.length;
      tries++
    )
      await new Promise(resolve => setTimeout(resolve, 50));
    project.write("docs/new.md", `# Spec\n\n## Gates\n\n- gate: iron\n\n## Rules\n\n${rules}\n`);
    const published = await project.espalier("context", "publish", "docs-spec.md", "docs/new.md");
    expect(published.code).toBe(0);
    place.model.release();
    const { said } = await run;
    expect(said).toContain(`(${team.length}/${team.length} succeeded)`);
    const updates = place.model.asked.filter(
      ({ last, tools }) => tools.length > 0 && last.includes("[CONTEXT-UPDATE] docs-spec.md-v1→2"),
    );
    expect(updates.length).toBe(team.length);
    expect(updates.every(({ last }) => last.includes("iron") && !last.includes("rule 30"))).toBe(true);
    const log = (await project.espalier("context", "log", "--json")).said;
    expect(log.match(/"verdict": ?"confirmed"/g)?.length).toBeGreaterThanOrEqual(team.length * 2);
  });
});
