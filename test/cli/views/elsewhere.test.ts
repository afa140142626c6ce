import { describe, expect, it } from "vitest";
import { askedOf, attemptLines, workerText } from "../../../src/cli/views/attempt-lines.ts";
import { attempt, look } from "./scene.ts";

const worker = (
  machine: string | undefined,
  labels: readonly string[] = [],
  locale: "en" | "ko" = "en",
  outcome: "running" | "failed" = "running",
) =>
  workerText(
    attempt({ task: "T1.1", outcome, ...(machine === undefined ? {} : { machine }) }),
    { isElsewhere: true, labels },
    look(80, locale).words,
  );

describe("attempts on other machines", () => {
  it("[VN6] name the machine, or say what they wait for", () => {
    expect(worker("build1")).toBe("claude on build1");
    expect(worker(undefined)).toBe("claude  waits for a machine");
    expect(worker(undefined, ["gpu", "arch=arm64"])).toBe("claude  waits for a machine with gpu, arch=arm64");
    expect(worker(undefined, ["gpu"], "ko")).toBe("claude  gpu 있는 머신을 기다림");
    expect(worker(undefined, ["gpu"], "en", "failed")).toBe("claude");
    expect(worker("a\u001b[2Jb")).not.toContain("\u001b");
  });

  it("[VN6] wait for labels and resources of a machine, and for nothing that the project counts itself", () => {
    const task = { machine: ["arch=arm64"], uses: ["gpu", "db", "toString"] };
    expect(askedOf(task, { resources: { db: 1 } })).toEqual(["arch=arm64", "gpu", "toString"]);
    expect(askedOf({}, {})).toEqual([]);
  });

  it("[VN6] say nothing of machines where the run has none but this one", () => {
    const facts = { now: 0, attemptLog: () => undefined, isElsewhere: false, labels: ["gpu"] };
    const [line] = attemptLines(attempt({ task: "T1.1", machine: "local" }), facts, look(80));
    expect(line).toContain("claude  1m05s");
  });
});
