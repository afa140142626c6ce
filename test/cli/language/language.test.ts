import { describe, expect, it } from "vitest";
import { localeOfEnv } from "../../../src/text/index.ts";
import { itWhole } from "../../sample.ts";
import { type Lab, openLab } from "../lab.ts";

const KOREAN = { LANG: "ko_KR.UTF-8" };
const TASKS = { "TASKS.md": "## Phase 1: One\n\n### [ ] T1.1: Eins\n" };

/** Whether `status`, which needs a run, is refused in Korean. */
async function isKorean(lab: Lab, env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { code, stderr } = await lab.askIn(env, "status", ...args);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^NO_RUN: /);
  return /[가-힣]/.test(stderr);
}

describe("the language of an environment", () => {
  it.each([
    ["ko_KR.UTF-8", "ko"],
    ["ko", "ko"],
    ["ko-KR", "ko"],
    ["KO_KR.eucKR", "ko"],
    ["kok_IN", "en"],
    ["C", "en"],
    ["POSIX", "en"],
    ["C.UTF-8", "en"],
    ["de_DE.UTF-8", "en"],
    ["", "en"],
  ])("[LG1] that says %o is %s", (said, locale) => {
    expect(localeOfEnv({ LANG: said })).toBe(locale);
  });

  it("[LG1] is that of the first variable that says something", () => {
    const [ko, en] = ["ko_KR.UTF-8", "en_US.UTF-8"];
    expect(localeOfEnv({})).toBe("en");
    expect(localeOfEnv({ LC_ALL: "", LANG: ko })).toBe("ko");
    expect(localeOfEnv({ LC_ALL: "C", LANG: ko })).toBe("en");
    expect(localeOfEnv({ LC_ALL: ko, LC_MESSAGES: en, LANG: en })).toBe("ko");
    expect(localeOfEnv({ LC_MESSAGES: ko, LANG: en })).toBe("ko");
    expect(localeOfEnv({ ESPALIER_LOCALE: "ko", LC_ALL: en })).toBe("ko");
    expect(localeOfEnv({ ESPALIER_LOCALE: "en", LC_ALL: ko })).toBe("en");
  });
});

describe("the language of a command", () => {
  itWhole("[LG1] is asked for, configured, or that of the environment, in this order", async () => {
    await using lab = openLab(TASKS);
    expect(await isKorean(lab, {})).toBe(false);
    expect(await isKorean(lab, KOREAN)).toBe(true);
    expect(await isKorean(lab, KOREAN, "--locale", "en")).toBe(false);
    expect(await isKorean(lab, {}, "--locale=ko")).toBe(true);
    lab.write("espalier.yaml", "locale: en\n");
    expect(await isKorean(lab, KOREAN)).toBe(false);
    lab.write("espalier.yaml", "# first\nlocale: 'ko' # second\n");
    expect(await isKorean(lab, {})).toBe(true);
    expect(await isKorean(lab, {}, "--locale", "en")).toBe(false);
  });

  it("[LG1] may be asked for before the command, and is one that we speak", async () => {
    await using lab = openLab(TASKS);
    expect((await lab.ask("--locale", "ko", "status")).stderr).toMatch(/[가-힣]/);
    for (const args of [
      ["status", "--locale", "fr"],
      ["--locale=fr", "status"],
      ["status", "--locale"],
    ]) {
      const { code, stderr } = await lab.ask(...args);
      expect([code, stderr.split("\n")[0]]).toEqual([2, expect.stringContaining("--locale <language>")]);
    }
  });

  it("[LG1] is that of a configuration that is not valid, too", async () => {
    await using lab = openLab({ ...TASKS, "espalier.yaml": "locale: ko\nparallel: many\n" });
    expect((await lab.ask("plan", "--help")).stdout).toContain("사용법:");
    lab.write("espalier.yaml", "locale: en\nparallel: many\n");
    expect((await lab.askIn(KOREAN, "plan", "--help")).stdout).toContain("Usage:");
  });

  it("[LG1] is found in a folder that is no project, and in none at all", async () => {
    await using lab = openLab();
    expect((await lab.askIn(KOREAN, "plan")).stderr).toMatch(/^TASKS_NOT_FOUND: .*[가-힣]/);
    expect((await lab.askIn(KOREAN, "--help")).stdout).toContain("명령:");
  });

  it("[LG2] changes nothing of what programs read", async () => {
    await using lab = openLab({
      ...TASKS,
      "espalier.yaml": "agent: command\ncommand: \"sh -c 'exit 1'\"\nmaxAttempts: 1\n",
    });
    const logged = (text: string) => text.split("\n").filter(line => line.startsWith("["));
    const told = await lab.askIn(KOREAN, "run", "-y");
    expect(logged(told.stdout)).toContainEqual(
      expect.stringMatching(/^\[FAILED\] T1\.1 has no attempts left: /),
    );
    expect(told.stdout).toMatch(/실패한 태스크가 있음/);
    expect(lab.read(".espalier/orchestrate.log")).not.toMatch(/[가-힣]/);
    for (const args of [
      ["status", "--json"],
      ["task", "show", "T1.1", "--json"],
      ["doctor", "--json"],
    ]) {
      const korean = await lab.askIn(KOREAN, ...args);
      expect(korean.stdout).not.toMatch(/[가-힣]/);
      expect(korean.code).toBe((await lab.ask(...args)).code);
    }
  });
});
