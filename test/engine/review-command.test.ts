import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ShellEnd } from "../../src/engine/index.ts";
import { because } from "../../src/ports/index.ts";
import { sampleOf } from "../sample.ts";
import { openBench, SHELL_OK } from "./bench.ts";
import { eventsOf, isLanded, openCourt, rowOf, TASK, warningsOf } from "./court.ts";

describe("a command that reviews", () => {
  /** The check passes; the review ends like this. */
  async function reviewedBy(end: Partial<ShellEnd>, options: Parameters<typeof openCourt>[0] = {}) {
    const heard: { input: string | undefined; env: Readonly<Record<string, string>> }[] = [];
    const site = await openCourt({
      ...options,
      review: { agent: undefined, command: "./judge.sh", rounds: 0, ...options.review },
      shell: async ({ command, input, env }) => {
        if (command === "check") return SHELL_OK;
        heard.push({ input, env });
        return { ...SHELL_OK, ...end };
      },
    });
    const ending = site.bench.start();
    await site.work("hello\n");
    return { site, ending, heard };
  }

  it("[E100] is given the diff, and approves with 0", async () => {
    const { site, ending, heard } = await reviewedBy({});
    using _ = site;
    expect(await ending).toMatchObject({ outcome: "completed" });
    const [call] = heard;
    expect(call?.input).toContain("-one\n+hello\n");
    const { ESPALIER_BASE: base = "", ESPALIER_TREE: tree = "" } = call?.env ?? {};
    expect(site.lab.git("diff", "--stat", base, tree)).toContain("a.txt");
    expect(call?.env).toMatchObject({ ESPALIER_TASK: "T1.1", ESPALIER_TITLE: "Say hello" });
    expect(eventsOf(site, "reviewed")).toMatchObject([{ by: "review.command", verdict: "approved" }]);
  });

  it("[E102] has findings with 1, and they are what it printed", async () => {
    const { site, ending } = await reviewedBy(
      { exitCode: 1, tail: "\u001b[31mno Korean\u001b[0m\n" },
      { policy: { maxAttempts: 1 } },
    );
    using _ = site;
    expect(await ending).toMatchObject({ outcome: "failed" });
    expect(rowOf(site)).toMatchObject({ feedback: "no Korean", reason: { code: "review-findings" } });
  });

  it("[E104] says nothing with another code", async () => {
    const { site, ending } = await reviewedBy({ exitCode: 2, tail: "usage" });
    using _ = site;
    expect(await ending).toMatchObject({ outcome: "completed" });
    expect(warningsOf(site)).toEqual(["UNREVIEWED"]);
  });

  it.each(
    sampleOf<[string, Partial<ShellEnd>, string]>(
      [
        [
          "that nobody approved",
          { exitCode: undefined, refused: because("proof-unapproved", {}) },
          "proof-unapproved",
        ],
        ["that cannot run here", { exitCode: 127, tail: "judge: not found" }, "check-cannot-run"],
        [
          "whose script nobody committed",
          { exitCode: 127, tail: "./judge.sh: not found" },
          "check-cannot-run",
        ],
        ["whose script may not be run", { exitCode: 126, tail: "permission denied" }, "check-cannot-run"],
      ],
      0,
      2,
    ),
  )("[E104] waits for a person: %s", async (_, how, code) => {
    const { site, ending } = await reviewedBy(how);
    using __ = site;
    expect(await ending).toMatchObject({ outcome: "waiting" });
    expect(site.bench.run.byId.get("T1.1")).toMatchObject({ status: "paused", reason: { code } });
    expect(isLanded(site)).toBe(false);
  });

  it.each(
    sampleOf(
      [
        ["./judge.sh", "judge.sh", true],
        ["sh judge.sh --strict", "judge.sh", true],
        ["node tools/judge/main.js", "tools/judge/main.js", true],
        ["git show $ESPALIER_BASE:judge.sh | sh", "judge.sh", false],
        ["npm run judge", "judge/main.js", false],
      ],
      0,
      2,
      3,
    ),
  )("[E109] that its work changes waits for a person: %s, %s: %s", async (command, path, isHeld) => {
    let asked = 0;
    using site = await openCourt({
      review: { agent: undefined, command },
      shell: async ({ name }) => {
        if (name === "review.command") asked++;
        return SHELL_OK;
      },
    });
    const end = site.bench.start();
    const worker = await site.bench.puppets.next();
    mkdirSync(dirname(join(worker.request.cwd, path)), { recursive: true });
    writeFileSync(join(worker.request.cwd, path), "exit 0\n");
    site.done(worker);
    expect(await end).toMatchObject({ outcome: isHeld ? "waiting" : "completed" });
    expect(asked).toBe(isHeld ? 0 : 1);
    if (!isHeld) return;
    expect(site.bench.run.byId.get("T1.1")?.reason).toMatchObject({
      code: "reviewer-edited",
      args: { paths: { names: [path] } },
    });
    expect(isLanded(site)).toBe(false);
  });

  it("[E104] is not asked where no change shows", async () => {
    const engine = { review: { agent: "puppet", rounds: 2, required: false } };
    using bench = openBench({ tasks: TASK, engine });
    const end = bench.start();
    const part = await bench.puppets.next();
    part.say(`DONE:${part.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(warningsOf({ bench })).toEqual(["UNREVIEWED"]);
    expect(bench.puppets.turns).toBe(1);
  });
});
