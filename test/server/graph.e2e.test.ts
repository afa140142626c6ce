import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPages } from "../../src/server/pages.ts";
import { itWhole } from "../sample.ts";
import { goTo, HAS_BROWSER, openAt, openBrowser } from "./browser.ts";
import { openStage, row } from "./stage.ts";

/** Twelve phases of forty tasks: more than are drawn open at once. */
function longPlan(): string {
  const lines = ["# Long"];
  for (let phase = 1; phase <= 12; phase++) {
    lines.push(`## Phase ${phase}: Part ${phase}`);
    for (let at = 1; at <= 40; at++) {
      lines.push(`### [ ] T${phase}.${at}: Step ${at} of part ${phase}`);
      if (at > 1) lines.push(`- depends_on: [T${phase}.${at - 1}]`);
      else if (phase > 1) lines.push(`- depends_on: [T${phase - 1}.40]`);
    }
  }
  return lines.join("\n");
}

/** Where a view has come to rest after it moved. */
async function atRest(view: Locator): Promise<string | null> {
  let last: string | null = null;
  await expect
    .poll(
      async () => {
        const before = last;
        last = await view.getAttribute("style");
        return last === before;
      },
      { interval: 150 },
    )
    .toBe(true);
  return last;
}

describe.runIf(HAS_BROWSER)("a long plan in real Chromium", { timeout: 120_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  itWhole(
    "[W90] what is searched is found in folded phases, and opened, fitted and folded again by keyboard",
    async () => {
      await using stage = await openStage({ tasks: longPlan(), serve: { pages: loadPages() } });
      const page = await browser.newPage({ locale: "en-US", viewport: { width: 1280, height: 720 } });
      await openAt(page, stage.page.link, "#/graph");
      await page.waitForSelector(".lane.is-folded");
      expect(await page.locator(".card").count()).toBe(0);
      // Every phase can be seen at once, and read.
      expect(await page.locator(".lane").count()).toBe(12);
      expect((await page.locator(".lane").first().boundingBox())?.width).toBeGreaterThan(120);

      await page.keyboard.press("/");
      await page.keyboard.type("T9.7");
      await page.waitForSelector(".lane.is-dim");
      const telling = page.locator(".lane.is-folded:not(.is-dim)");
      expect(await telling.count()).toBe(1);
      expect(await telling.locator("li").first().textContent()).toContain("T9.7");
      await page.keyboard.press("Enter");
      await page.waitForSelector('.panel[data-task="T9.7"]');
      await page.locator('.react-flow__node[data-id="T9.7"]').waitFor();
      // A person's own view is left alone while the run goes on.
      const view = page.locator(".react-flow__viewport");
      const still = await atRest(view);
      stage.commit({ tasks: [row("T9.7", { status: "in_progress", attempts: 1 })] });
      await page.waitForSelector(".card.is-in_progress");
      expect(await view.getAttribute("style")).toBe(still);

      await page.keyboard.press("Escape");
      await page.locator(".card").first().waitFor({ state: "detached" });
      const whole = await atRest(view);
      await page.getByRole("button", { name: "Zoom in" }).click();
      await expect.poll(() => view.getAttribute("style")).not.toBe(whole);
      await page.keyboard.press("f");
      await expect.poll(() => view.getAttribute("style")).toBe(whole);
      await page.context().close();
    },
  );

  it("[W90] a link to a task of a folded phase shows it where it stands", async () => {
    await using stage = await openStage({ tasks: longPlan(), serve: { pages: loadPages() } });
    const page = await browser.newPage({ locale: "en-US" });
    await openAt(page, stage.page.link, "#/graph");
    await page.waitForSelector(".lane");
    await goTo(page, "#/graph?task=T3.2");
    await page.reload();
    const card = page.locator('.react-flow__node[data-id="T3.2"] .card.is-open');
    await card.waitFor();
    expect(await card.textContent()).toContain("Step 2 of part 3");
    await page.context().close();
  });
});
