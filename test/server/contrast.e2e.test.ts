import { describe, expect, it } from "vitest";
import { loadPages } from "../../src/server/pages.ts";
import { WHOLE } from "../sample.ts";
import { goTo, HAS_BROWSER, openAt, openBrowser } from "./browser.ts";
import { chatter } from "./chatter.ts";
import { measure } from "./contrast.ts";
import { farMachines } from "./known-machine.ts";
import { openOrchard } from "./orchard.ts";

const VIEWS: readonly string[] = [
  "#/overview",
  "#/graph",
  "#/graph?task=T2.3",
  "#/context",
  "#/budget",
  "#/timeline",
  "#/review",
];

describe.runIf(HAS_BROWSER)("contrast as it is drawn", { timeout: 120_000 }, () => {
  it("[W88] every text of every view reaches WCAG AA, light and dark, and on a phone", async () => {
    await using stage = await openOrchard({ machines: farMachines, serve: { pages: loadPages() } });
    const browser = await openBrowser();
    // Each day light at a desk and dark on a phone; whole, both on both.
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({
        colorScheme,
        viewport: { width: 1280, height: 720 },
        locale: "en-US",
      });
      await openAt(page, stage.page.link, "#/graph");
      await page.waitForSelector(".card");
      chatter(stage);
      for (const view of WHOLE || colorScheme === "light" ? VIEWS : []) {
        await goTo(page, view);
        await expect.poll(async () => (await measure(page)).texts).toBeGreaterThan(24);
        expect((await measure(page)).poor, `${colorScheme} ${view}`).toEqual([]);
      }
      await page.setViewportSize({ width: 390, height: 760 });
      const wide = "document.documentElement.scrollWidth - innerWidth";
      for (const view of WHOLE || colorScheme === "dark" ? VIEWS : []) {
        await goTo(page, view);
        expect((await measure(page)).poor, `${colorScheme} ${view}, phone`).toEqual([]);
        expect(await page.evaluate(wide), `${view} is no wider than a phone`).toBeLessThanOrEqual(0);
      }
      await page.context().close();
    }
    await browser.close();
  });
});
