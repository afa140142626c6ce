import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  candidateNames,
  featureIn,
  idWord,
  isNamedBy,
  phaseNames,
  projectWord,
  taskNames,
  taskPlaces,
} from "../../src/engine/workspaces/names.ts";

const RULES = {
  top: "/home/me/My App",
  prefix: "",
  branch: "phase/{phase}-{feature}",
  folder: "../{project}-phase{phase}-{feature}",
};

describe("names of branches and folders", () => {
  it("are those of the documents", () => {
    expect(phaseNames(RULES, { label: "1", feature: "Auth & Login" })).toEqual({
      branch: "phase/1-auth-login",
      path: "/home/me/my-app-phase1-auth-login",
    });
    expect(taskNames(RULES, { label: "2", feature: "x" }, "T2.1")).toEqual({
      branch: "task/2-x/t2-1",
      path: "/home/me/my-app-phase2-x--t2-1",
    });
  });

  it("are found again for the tasks of a phase and no others", () => {
    const phase = { label: "2", feature: "x" };
    const tasks = ["T2.1", "나무", "a/../b"].map(task => taskNames(RULES, phase, task));
    const second = candidateNames(RULES, phase, "T2.1", 2);
    const others = [
      phaseNames(RULES, phase).branch,
      taskNames(RULES, { label: "2", feature: "xy" }, "T2.1").branch,
      taskNames(RULES, { label: "12", feature: "x" }, "T2.1").branch,
      "main",
      "trying/2-x/t2-1",
    ];
    const branches = [...tasks, second].map(({ branch }) => branch);
    expect(taskPlaces(RULES, phase, [...others, ...branches])).toEqual([...tasks, second]);
  });

  const hostile = [
    "../../etc",
    "$(touch PWNED)",
    "`id`",
    "a\nb",
    "-rf",
    "x".repeat(300),
    "\u202etxt",
    "나무",
    "",
    ".",
    "a/../b",
    "~",
    "a;b",
    "\u0000",
    "HEAD",
    "refs/heads/main",
    "a.lock",
    "@{-1}",
    "%2e%2e",
    "e\u0301",
  ];
  it.each(hostile)("are plain whatever the feature is: %j", feature => {
    const { branch, path } = phaseNames(RULES, { label: "1", feature });
    expect(branch).toMatch(/^phase\/1-[a-z0-9-]{1,40}$/);
    expect(path).toMatch(/^\/home\/me\/my-app-phase1-[a-z0-9-]{1,40}$/);
  });

  it("are different for different tasks, and plain for any", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(idWord(one)).toMatch(/^[a-z0-9-]{1,60}$/);
        expect(idWord(one) === idWord(other)).toBe(one === other);
      }),
    );
    const ids = ["T1.3", "T1-3", "t1.3", "1.3", "T1.3-FE", "P1-S1-T1", "001", "T1 3"];
    expect(new Set(ids.map(idWord)).size).toBe(ids.length);
  });

  it("[E173] are those of one project where others lie in the same repository", () => {
    const phase = { label: "1", feature: "all" };
    const projects = ["", "a", "packages/a", "packages-a", "나무", "A"].map(prefix => ({ ...RULES, prefix }));
    expect(phaseNames({ ...RULES, prefix: "a" }, phase)).toEqual({
      branch: "phase/a/1-all",
      path: "/home/me/my-app-a-phase1-all",
    });
    expect(taskNames({ ...RULES, prefix: "a" }, phase, "T1.1")).toEqual({
      branch: "task/a/1-all/t1-1",
      path: "/home/me/my-app-a-phase1-all--t1-1",
    });
    const own = projects.map(rules => [
      phaseNames(rules, phase),
      taskNames(rules, phase, "T1.1"),
      candidateNames(rules, phase, "T1.1", 2),
    ]);
    for (const kind of ["branch", "path"] as const)
      expect(new Set(own.flat().map(names => names[kind])).size).toBe(3 * projects.length);
    for (const [at, rules] of projects.entries()) {
      const found = own.flat().map(({ branch }) => featureIn(rules, "1", branch));
      expect(found.flatMap((feature, one) => (feature === undefined ? [] : [one]))).toEqual([3 * at]);
      const places = taskPlaces(
        rules,
        phase,
        own.flat().map(({ branch }) => branch),
      );
      expect(places).toEqual(own[at]?.slice(1));
    }
  });

  it("[E546] are a checkout's own, whatever lies beside it", () => {
    const long = "service-for-the-support-of-our-customers";
    const tops = [
      "项目",
      "计划",
      "项目1",
      "计划1",
      `${long}-en`,
      `${long}-ja`,
      "🚀",
      "🎉",
      "쇼핑몰",
      "café",
      "My_App",
    ];
    const words = tops.map(top => projectWord({ top: `/home/me/${top}`, prefix: "" }));
    expect(new Set(words).size).toBe(tops.length);
    for (const word of words) expect(word).toMatch(/^[a-z0-9-]{1,47}$/);
    expect(words.slice(-3)).toEqual(["syopingmol", "cafe", "my-app"]);
  });

  it("[E173] tell whose a branch is", () => {
    const projects = ["", "a", "a/b"].map(prefix => ({ ...RULES, prefix }));
    const phase = { label: "1", feature: "all" };
    for (const rules of projects) {
      const names = [
        phaseNames(rules, phase),
        taskNames(rules, phase, "T1.1"),
        candidateNames(rules, phase, "T1.1", 2),
      ];
      for (const { branch } of names) expect(projects.filter(one => isNamedBy(one, branch))).toEqual([rules]);
    }
    expect(projects.some(one => isNamedBy(one, "mine"))).toBe(false);
    // With the feature first, the name of a folder's branch reads as that of the top's.
    const first = { ...RULES, branch: "phase/{feature}-{phase}" };
    const { branch } = phaseNames({ ...first, prefix: "a" }, phase);
    expect([featureIn(first, "1", branch), featureIn({ ...first, prefix: "a" }, "1", branch)]).toEqual([
      undefined,
      "all",
    ]);
  });

  it("[E173] are as they are written where a template tells the project", () => {
    const rules = { ...RULES, prefix: "a", branch: "{project}/{phase}-{feature}" };
    expect(phaseNames(rules, { label: "1", feature: "all" }).branch).toBe("my-app-a/1-all");
  });

  it("tell the feature a branch was named by, and no other phase's", () => {
    const { branch } = phaseNames(RULES, { label: "1", feature: "old title" });
    expect(featureIn(RULES, "1", branch)).toBe("old-title");
    expect(featureIn(RULES, "2", branch)).toBeUndefined();
    expect(featureIn({ ...RULES, branch: "p{phase}" }, "1", "p1")).toBeUndefined();
  });
});
