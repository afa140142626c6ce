import { describe, expect, it } from "vitest";
import { defaultConfig, readConfig } from "../../src/config/index.ts";
import { gitSchema, phaseSchema } from "../../src/config/repository.ts";
import { because } from "../../src/ports/index.ts";
import { ENGLISH, noticeText } from "../../src/text/index.ts";
import { agentSaid } from "../reasons.ts";
import { blocksOf, readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/worktrees.md");

describe("docs/worktrees.md", () => {
  it("shows configuration that is valid", () => {
    const examples = blocksOf(page).filter(({ lang }) => lang === "yaml");
    expect(examples).toHaveLength(4);
    for (const { text } of examples) expect(readConfig(text)).toMatchObject({ ok: true });
  });

  it("names every policy of merging, and the default", () => {
    const rows = tableOf(page, "`phase.merge`", "").map(([name]) => name ?? "");
    const values = Object.values(phaseSchema().shape.merge.unwrap().enum);
    expect(new Set(rows.map(row => spansOf(row)[0]))).toEqual(new Set(values));
    expect(rows.find(row => row.includes("default"))).toContain(defaultConfig().phase.merge);
  });

  it("names branches and folders as they are", () => {
    const { branch, folder } = gitSchema().parse({});
    const table = page.replaceAll("{N}", "{phase}");
    expect(table).toContain(`\`${branch}\``);
    expect(table).toContain(`\`${folder}\``);
  });

  it("quotes log lines as they are written", () => {
    const conflict = {
      type: "conflict",
      task: "T1.2",
      files: ["shared.txt"],
      others: ["T1.1"],
      reason: agentSaid(""),
    } as const;
    expect(page).toContain(ENGLISH.logLine(conflict));
    const lock = { path: "package-lock.json", command: "npm install --package-lock-only --ignore-scripts" };
    const anew = { code: "GENERATED", message: because("generated-anew", lock), task: "T1.2" } as const;
    expect(page).toContain(ENGLISH.logLine({ type: "warning", ...anew }));
    const left = {
      type: "phase-left",
      phase: "1",
      branch: "phase/1-parts",
      how: "espalier phase merge 1",
    } as const;
    expect(page).toContain(ENGLISH.logLine(left));
    const reason = "GIT_CONFIG_CHANGED: core.fsmonitor";
    expect(page).toContain(
      ENGLISH.logLine({ type: "paused", task: "T1.1", reason: agentSaid(reason), by: "agent" }),
    );
  });
});

describe("docs/running.md", () => {
  it("quotes a notice as it is written", () => {
    const notice = {
      kind: "paused",
      task: "T1.3",
      reason: because("check-failed", { name: "verify", exit: 1, said: "2 tests failed" }),
      command: "espalier task resume T1.3",
    } as const;
    const message = { project: "my-app", notices: [notice], more: 0 };
    expect(readPage("docs/running.md")).toContain(noticeText(message, "en"));
  });
});
