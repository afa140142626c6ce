import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../src/plan/index.ts";
import { loadPages } from "../../src/server/pages.ts";
import { visible } from "../../src/text/index.ts";
import { agentSaid } from "../reasons.ts";
import { WHOLE } from "../sample.ts";
import { goTo, HAS_BROWSER, openAt, openBrowser } from "./browser.ts";
import { PAYLOADS } from "./payloads.ts";
import { attempt, openStage, planOf, row, type Stage } from "./stage.ts";

/** Twelve fields of a task and its run that come from files and agents; every payload stands in each of them. */
function hostilePlan(): Plan {
  const plan = planOf("# A\n## Phase 1: B\n### [ ] T1.1: C\n");
  const [task] = plan.tasks;
  return {
    ...plan,
    project: PAYLOADS[0]!,
    phases: [{ phase: 1, title: PAYLOADS[1]! }],
    tasks: PAYLOADS.map((payload, at) => ({
      ...task!,
      id: at % 2 === 0 ? `T${at}` : `${at} ${payload}`,
      title: payload,
      specialist: payload,
      files: [payload],
      verify: payload,
      text: payload,
    })),
  };
}

async function openHostile(): Promise<Stage> {
  const plan = hostilePlan();
  const stage = await openStage({
    tasks: "# A\n## Phase 1: B\n### [ ] T1.1: C\n",
    plan,
    rows: () =>
      plan.tasks.map((task, at) =>
        row(task.id, { status: "failed", attempts: 1, reason: agentSaid(PAYLOADS[at]!) }),
      ),
    attempts: plan.tasks.map((task, at) => {
      const evil = PAYLOADS[at]!;
      const all = {
        agent: evil,
        reason: agentSaid(evil),
        evidence: evil,
        finalMessage: `f ${evil}`,
        feedback: `g ${evil}`,
      };
      return attempt(task.id, 1, { outcome: "failed", branch: evil, commit: evil, folder: evil, ...all });
    }),
    serve: { pages: loadPages() },
  });
  for (const [at, task] of plan.tasks.entries())
    stage.happen({
      type: "person",
      action: PAYLOADS[at]!,
      task: task.id,
      note: PAYLOADS[at]!,
      by: PAYLOADS[at]!,
    });
  const texts = PAYLOADS.map(text => ({ hash: createHash("sha256").update(text).digest("hex"), text }));
  stage.commit({
    context: {
      texts,
      labels: [{ label: "GC", serial: 1 }],
      versions: texts.map(({ hash, text }, at) => ({
        label: "GC",
        number: at + 1,
        hash,
        bytes: text.length,
        at: 1,
        by: text,
      })),
      nodes: [{ id: "root", status: "active", createdAt: 1, by: PAYLOADS[2]! }],
      documents: PAYLOADS.map((path, position) => ({
        node: "root",
        label: "GC",
        place: "own",
        position,
        source: JSON.stringify({ kind: path, path }),
        withdrawn: false,
      })),
    },
  });
  return stage;
}

/** Whatever tells that a payload did anything. */
function watch(page: Page, origin: string): string[] {
  const alarms: string[] = [];
  page.on("dialog", dialog => {
    alarms.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", request => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) alarms.push(`request ${url}`);
  });
  page.on("console", message => {
    if (message.type() === "error") alarms.push(`console ${message.text()}`);
  });
  page.on("pageerror", error => alarms.push(`error ${error.message}`));
  page.on("popup", () => alarms.push("popup"));
  return alarms;
}

describe.runIf(HAS_BROWSER)("hostile text in real Chromium", { timeout: 120_000 }, () => {
  it("[W60] 50 payloads in 12 fields and more: no script runs, nothing leaves, all is shown as text", async () => {
    expect(PAYLOADS).toHaveLength(50);
    await using stage = await openHostile();
    const browser = await openBrowser();
    try {
      const page = await browser.newPage({ locale: "en-US" });
      const alarms = watch(page, stage.page.origin);
      await openAt(page, stage.page.link, "#/graph");
      await page.waitForSelector(".card");
      // The list and the graph hold all of them; each day one in three is opened.
      for (const [at, task] of stage.plan.tasks.entries()) {
        if (!WHOLE && at % 3 !== 0) continue;
        await goTo(page, `#/graph?${new URLSearchParams({ task: task.id }).toString()}`);
        await page.waitForSelector(`.panel[data-task=${JSON.stringify(visible(task.id, 120))}] .attempt`);
        // The words of a payload stand on the page as they are written.
        const words = /[a-z(]{6,}/i.exec(PAYLOADS[at]!)?.[0] ?? "";
        expect(await page.locator(".panel").textContent()).toContain(words);
      }
      for (const view of ["overview", "timeline", "context", "budget"]) {
        await goTo(page, `#/${view}`);
        await page.waitForSelector(".page");
      }
      await goTo(page, "#/context");
      for (const version of [3, 20, 49]) {
        await page.selectOption(".choices select >> nth=0", String(version));
        await page.waitForSelector(".comparison, .document");
      }
      stage.say({ type: "attempt-line", task: "T0", attempt: 1, text: PAYLOADS[0]! });
      for (const view of ["List", "Graph"]) {
        await goTo(page, "#/graph");
        await page.getByRole("button", { name: view, exact: true }).click();
      }
      expect(await page.evaluate("globalThis.xss")).toBeUndefined();
      expect(alarms).toEqual([]);
      expect(page.url().startsWith(`${stage.page.origin}/`)).toBe(true);
      expect(stage.asked).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
