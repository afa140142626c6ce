import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPages } from "../../src/server/pages.ts";
import { itWhole, sampleOf, WHOLE } from "../sample.ts";
import { violations } from "./axe.ts";
import { goTo, HAS_BROWSER, openBrowser, settled } from "./browser.ts";
import { chatter } from "./chatter.ts";
import { farMachines } from "./known-machine.ts";
import { openOrchard } from "./orchard.ts";
import { openStage, type Stage } from "./stage.ts";

/** Every view, and what can be opened in it. */
const VIEWS: readonly (readonly [hash: string, prepare?: (page: Page) => Promise<void>])[] = [
  ["#/overview"],
  ["#/graph"],
  ["#/graph?task=T2.3"],
  [
    "#/graph?task=T2.1",
    async page => {
      await page.locator(".receipt summary").click();
      await page.waitForSelector(".tail");
    },
  ],
  ["#/graph?item=stale,unverified", page => page.locator(".switch button").nth(1).click()],
  ["#/context"],
  [
    "#/context?item=API",
    async page => {
      await page.locator(".document-view .editor button").click();
      await page.locator(".labels + .decide button").click();
      await expect.poll(() => page.locator(".editor textarea").count()).toBe(2);
    },
  ],
  ["#/budget"],
  ["#/timeline", page => page.locator(".delta").last().click()],
  [
    "#/timeline",
    async page => {
      await page.locator(".history select").first().selectOption("machine");
      await page.locator(".moment input").focus();
      await page.keyboard.press("Home");
      await page.locator(".log-search input").fill("weather");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".log-search mark");
    },
  ],
  ["#/timeline?task=T1.2"],
  ["#/review"],
  ["#/review?item=phase/1"],
];

type Size = readonly [width: number, height: number];
type Combination = readonly [locale: "en" | "ko", theme: "light" | "dark", size: Size];
const DESK: Size = [1280, 720];
const PHONE: Size = [390, 844];
const ALL: readonly Combination[] = (["en", "ko"] as const).flatMap(locale =>
  (["light", "dark"] as const).flatMap(theme =>
    [DESK, PHONE].map((size): Combination => [locale, theme, size]),
  ),
);
/** Each language, theme and size once; whole, all eight are taken, among them Korean at a desk, where filters take two rows. */
const SAMPLE = ALL.filter(([locale, theme, size]) =>
  locale === "en" ? theme === "light" && size === DESK : theme === "dark" && size === PHONE,
);

describe.runIf(HAS_BROWSER)("the page for everybody, in real Chromium", { timeout: 240_000 }, () => {
  let browser: Browser;
  let stage: Stage;
  beforeAll(async () => {
    [browser, stage] = await Promise.all([
      openBrowser(),
      openOrchard({ machines: farMachines, serve: { pages: loadPages() } }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
  });

  async function open(of: Stage, [locale, colorScheme, [width, height]]: Combination): Promise<Page> {
    const page = await browser.newPage({ colorScheme, viewport: { width, height }, locale: "en-US" });
    await page.addInitScript(`localStorage.setItem("espalier-locale", "${locale}")`);
    await page.goto(of.page.link);
    await page.waitForFunction("location.hash === '#/'");
    await page.waitForSelector("main");
    return page;
  }

  it.each(WHOLE ? ALL : SAMPLE)(
    "[W100] no view of a run in the middle of its work breaks a rule of WCAG AA: %s, %s, %j",
    async (...combination) => {
      const page = await open(stage, combination);
      await page.waitForSelector(".numbers");
      chatter(stage);
      // Each day each view in one of the combinations.
      const turn = SAMPLE.findIndex(([locale]) => locale === combination[0]);
      for (const [hash, prepare] of VIEWS.filter((_, at) => WHOLE || at % SAMPLE.length === turn)) {
        await goTo(page, hash);
        if (hash.includes("task=")) await page.waitForSelector(".panel");
        await settled(page);
        await prepare?.(page);
        expect([hash, ...(await violations(page))]).toEqual([hash]);
      }
      await page.keyboard.press("?");
      await page.waitForSelector("dialog[open]");
      expect(await violations(page)).toEqual([]);
      await page.context().close();
    },
  );

  itWhole(
    "[W100] nor does one that goes on for long, whose short attempts are no wider than a hair",
    async () => {
      const page = await browser.newPage({
        viewport: { width: PHONE[0], height: PHONE[1] },
        locale: "en-US",
      });
      await page.clock.install({ time: Date.now() + 20 * 3_600_000 });
      await page.goto(stage.page.link);
      await page.waitForSelector("main");
      await goTo(page, "#/timeline");
      await page.locator(".history select").first().selectOption("machine");
      await page.clock.runFor(2000);
      const bars = (kind: string) => page.locator(`.rows ${kind}.span`);
      await expect.poll(() => bars("i").count()).toBeGreaterThan(3);
      expect(await violations(page)).toEqual([]);
      // What leads nowhere is told still.
      const told = await page.locator(".rows").ariaSnapshot();
      expect(told).toContain("T0.1, Attempt 1: done");
      await page.context().close();
    },
  );

  itWhole(
    "[W100] nor does one that has no run, nothing shared and nothing spent, no key, or a question",
    async () => {
      await using empty = await openStage({ tasks: "", empty: true, serve: { pages: loadPages() } });
      const none = await open(empty, SAMPLE[0]!);
      await none.getByText("No run yet").waitFor();
      expect(await violations(none)).toEqual([]);
      await none.evaluate("sessionStorage.clear()");
      await none.reload();
      await none.getByText("This tab has no key").waitFor();
      expect(await violations(none)).toEqual([]);
      await none.context().close();

      await using fresh = await openStage({
        tasks: "# Fresh\n## Phase 1\n### [ ] T1.1: Begin\n",
        serve: { pages: loadPages() },
      });
      fresh.setLink({
        asked: [{ id: 1, task: "T1.1", attempt: 1, kind: "edit", title: "a.ts", type: "asked" }],
      });
      const page = await open(fresh, SAMPLE[1]!);
      await page.waitForSelector(".numbers");
      const shown = VIEWS.filter(([at]) => !at.includes("T2"));
      for (const [hash] of sampleOf(shown, 0, 1, 2, 5, 6, 9)) {
        await goTo(page, hash);
        await settled(page);
        expect([hash, ...(await violations(page))]).toEqual([hash]);
      }
      await page.context().close();
    },
  );

  it("[W100] a violation is found", async () => {
    const page = await open(stage, SAMPLE[0]!);
    await page.waitForSelector(".numbers");
    await page.evaluate(`for (const name of ["aria-label", "title"])
      document.querySelector(".settings button:nth-child(2)").removeAttribute(name);
      document.querySelector(".settings button:nth-child(2)").replaceChildren();
      document.querySelector(".numbers dt").style.color = "#bbb"`);
    const found = (await violations(page)).map(one => one.split(":")[0]);
    expect(found).toEqual(expect.arrayContaining(["button-name", "color-contrast"]));
    await page.context().close();
  });
});
