import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPages } from "../../src/server/pages.ts";
import { sampleOf } from "../sample.ts";
import { HAS_BROWSER, openAt, openBrowser, settled } from "./browser.ts";
import { attempt, BEGAN, openStage, row, type Stage } from "./stage.ts";

const LONG =
  "Say in a very long title what the payment provider has to do in each of the countries that we sell to";

/** Elements that match and reach beyond the view, or cover each other on a line. */
const CROWDED = `(selector => {
  const boxes = [...document.querySelectorAll(selector)].map(one => one.getBoundingClientRect());
  const edge = document.querySelector(".view").getBoundingClientRect().right;
  return boxes.filter(({ right, width }) => width > 0 && right > edge + 1).length +
    boxes.filter((one, at) => at > 0 && one.top < boxes[at - 1].bottom && one.left < boxes[at - 1].right - 2).length;
})`;

describe.runIf(HAS_BROWSER)("where there is little room, in real Chromium", { timeout: 120_000 }, () => {
  let browser: Browser;
  let stage: Stage;
  beforeAll(async () => {
    const tasks = `# Shop\n## Phase 1: Pay\n### [ ] T1.1: ${LONG}\n### [ ] T1.2: Short\n`.replaceAll(
      "\\\n",
      "\n",
    );
    [browser, stage] = await Promise.all([
      openBrowser(),
      openStage({
        tasks,
        rows: () => [
          row("T1.1", { status: "failed", attempts: 1, retries: 1 }),
          row("T1.2", { status: "in_progress", attempts: 1 }),
        ],
        attempts: [
          attempt("T1.1", 1, {
            outcome: "failed",
            machine: "local",
            feedback: "FAIL:T1.1#k7f2:the key is refused (401)\nTry again.",
          }),
          attempt("T1.2", 1, { endedAt: 0, outcome: "running" }),
        ],
        run: { startedAt: BEGAN, updatedAt: BEGAN + 65_000, state: "interrupted" },
        live: false,
        serve: { pages: loadPages() },
      }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
  });

  const open = async (hash: string, width: number): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, locale: "en-US" });
    await openAt(page, stage.page.link, hash);
    return page;
  };
  const crowded = (page: Page, selector: string) => page.evaluate(`${CROWDED}(${JSON.stringify(selector)})`);

  it.each(sampleOf([390, 768, 1280], 0, 2))("[W146] ids stay whole at %i", async width => {
    const page = await open("#/review", width);
    await page.locator(".review-tasks .id").first().waitFor();
    const heights = await page.evaluate(
      `[...document.querySelectorAll(".review-tasks .id")].map(one => one.getBoundingClientRect().height)`,
    );
    expect(new Set(heights as number[]).size).toBe(1);
    await page.context().close();
  });

  it.each(sampleOf([768, 1280], 0))(
    "[W146] what filters and switches stays in reach beside a task, at %i",
    async width => {
      const page = await open("#/graph?task=T1.1", width);
      await page.locator(".panel .close").waitFor();
      await settled(page);
      expect(await crowded(page, ".switch button")).toBe(0);
      await page.locator(".switch button").nth(1).click();
      await page.locator(".list .row a").first().waitFor();
      expect(await crowded(page, ".list .row em")).toBe(0);
      await page.context().close();
    },
  );

  it.each(
    sampleOf(
      [
        ["#/timeline", 390],
        ["#/timeline", 768],
        ["#/timeline?task=T1.2", 768],
      ] as const,
      0,
      2,
    ),
  )("[W146] times of the axis keep apart: %s at %i", async (hash, width) => {
    const page = await open(hash, width);
    await page.locator(".axis time").first().waitFor();
    await settled(page);
    expect(await crowded(page, ".axis time")).toBe(0);
    // This machine has no name but that.
    expect(await page.locator(".gantt").textContent()).not.toContain("local");
    await page.context().close();
  });

  it("[W19] what the next attempt is told is shown without its signal, but with the reason", async () => {
    const page = await open("#/graph?task=T1.1", 1280);
    const told = page.locator(".panel pre", { hasText: "the key is refused (401)" });
    await told.waitFor();
    expect(await told.textContent()).toBe("the key is refused (401)\nTry again.");
    await page.context().close();
  });
});
