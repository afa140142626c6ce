import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ok } from "../../src/ports/index.ts";
import { loadPages } from "../../src/server/pages.ts";
import { itWhole } from "../sample.ts";
import { goTo, HAS_BROWSER, openAt, openBrowser } from "./browser.ts";
import { chatter } from "./chatter.ts";
import { knownMachine } from "./known-machine.ts";
import { openOrchard } from "./orchard.ts";
import { attempt, openStage, row, type Stage } from "./stage.ts";

describe.runIf(HAS_BROWSER)("the first screen in real Chromium", { timeout: 120_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let stage: Stage;
  beforeAll(async () => {
    [browser, stage] = await Promise.all([openBrowser(), openOrchard({ serve: { pages: loadPages() } })]);
  });
  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
  });

  it("[W94] says what needs me, what runs, how far, how long, what it took, where the work is; and acts at once", async () => {
    const page = await browser.newPage({ locale: "en-US", viewport: { width: 1280, height: 720 } });
    chatter(stage);
    await page.goto(stage.page.link);
    const section = (name: string) => page.locator("section", { has: page.getByRole("heading", { name }) });
    const needs = section("Needs you");
    // The phase that waits is known once the branches are read.
    await needs.locator("li").nth(1).waitFor();
    expect(await needs.locator("li").count()).toBe(2);
    expect(await needs.textContent()).toContain("A phase is done and waits to be merged.");
    expect(await needs.textContent()).toContain("T2.3 Frost warnings");
    expect(await needs.textContent()).toContain("the weather service refuses our key (401)");
    expect(await needs.textContent()).toContain("3 tasks wait behind it");
    const running = section("Running now");
    // What was said before the page was opened is there, too.
    await running.getByText("12 tests passed, 1 skipped").waitFor();
    expect(await running.locator("li").nth(1).textContent()).toContain("gemini · Attempt 2");
    const numbers = await page.locator(".numbers").textContent();
    for (const told of [
      "5 of 14 done",
      "3 proven",
      "1 unverified",
      "1 stale",
      "≈",
      "by 5 completed tasks",
      "$1.18",
      "12 attempts",
    ])
      expect(numbers).toContain(told);
    const work = section("Phases and their work");
    await work.getByText("espalier phase merge 1").waitFor();
    expect(await work.textContent()).toContain("done, not merged phase/1-orchard-planner");
    expect(await section("Ended lately").locator("li").count()).toBe(6);

    await needs.getByRole("button", { name: "Resume" }).click();
    await needs.getByText("done", { exact: true }).waitFor();
    expect(stage.asked.at(-1)).toMatchObject({ method: "act", action: "resume", task: "T2.3" });
    await page.context().close();
  });

  itWhole("[W95] each count leads to its tasks, from the header and from the first screen", async () => {
    const page = await browser.newPage({ locale: "en-US", viewport: { width: 1280, height: 720 } });
    await page.goto(stage.page.link);
    await page.locator(".numbers").getByRole("link", { name: "1 stale" }).click();
    await page.getByRole("button", { name: "stale 1", pressed: true }).waitFor();
    await page.getByRole("button", { name: "List" }).click();
    await page.waitForSelector(".row a");
    expect(await page.locator(".row .id").allTextContents()).toEqual(["T1.1"]);
    await page.locator(".standing").getByRole("link", { name: "unverified" }).click();
    await expect.poll(() => page.locator(".row .id").allTextContents()).toEqual(["T1.4"]);
    await page.getByRole("button", { name: "unverified 1" }).click();
    await expect.poll(() => page.locator(".row .id").count()).toBeGreaterThan(14);
    await page.context().close();
  });

  itWhole("[W156] shows who works for the hub of the run, and hears of one that falls silent", async () => {
    let silent = 400;
    const offers = { gpu: { offers: 2, taken: 1 } };
    await using far = await openStage({
      tasks: "# Shop\n## Phase 1: Build\n### [ ] T1.1: Walls\n",
      rows: () => [row("T1.1", { status: "in_progress", attempts: 1 })],
      attempts: [attempt("T1.1", 1, { machine: "build-1", endedAt: 0, outcome: "running" })],
      live: true,
      machines: async () => {
        const machines = [
          knownMachine("build-1", { holds: ["o1"], resources: offers, silent }),
          knownMachine("build-2"),
        ];
        return ok({ hub: "https://hub.example", machines, waiting: 1 });
      },
      serve: { pages: loadPages() },
    });
    const page = await browser.newPage({ locale: "en-US" });
    await openAt(page, far.page.link, "#/overview");
    const machines = page.locator(".machines");
    await machines.locator("li").nth(1).waitFor();
    expect(await machines.locator("li").first().textContent()).toBe("build-1there1 of 2 at workgpu 1/2T1.1");
    expect(await machines.textContent()).toContain("1 order waits for a machine");
    await machines.getByRole("link", { name: "T1.1" }).click();
    await page.waitForSelector(".panel");
    silent = 20_000;
    await machines.getByText("silent for 20s").waitFor({ timeout: 20_000 });
    await page.context().close();
    // One that is worked on here shows none.
    expect(await (await stage.get("/api/machines")).json()).toEqual({ machines: [], waiting: 0 });
  });

  it("[W147] who has decided by keyboard stays among what needs them, and hears what each act is about", async () => {
    await using two = await openStage({
      tasks: "# Shop\n## Phase 1: Build\n### [ ] T1.1: Walls\n### [ ] T1.2: Roof\n",
      rows: () => ["T1.1", "T1.2"].map(id => row(id, { status: "failed", attempts: 1, retries: 1 })),
      serve: { pages: loadPages() },
    });
    const page = await browser.newPage({ locale: "en-US" });
    await openAt(page, two.page.link, "#/overview");
    const retry = page.locator(".needs").getByRole("button", { name: "Retry", exact: true });
    await expect.poll(() => retry.count()).toBe(2);
    const about = await retry.first().getAttribute("aria-describedby");
    expect(await page.locator(`[id="${about}"]`).textContent()).toBe("T1.1 Walls");
    await retry.first().press("Enter");
    await expect.poll(() => two.asked.length).toBe(1);
    two.commit({ tasks: [row("T1.1", { status: "ready", attempts: 1 })] });
    await expect.poll(() => retry.count()).toBe(1);
    const focused = `document.activeElement.closest(".needs") !== null`;
    await expect.poll(() => page.evaluate(focused)).toBe(true);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("T1.2 Roof");
    // So it is in a task's own panel.
    await goTo(page, "#/overview?task=T1.2");
    const panel = page.locator(".panel .decide");
    await panel.getByRole("button", { name: "Retry" }).press("Enter");
    await expect.poll(() => two.asked.length).toBe(2);
    two.commit({ tasks: [row("T1.2", { status: "in_progress", attempts: 2 })] });
    two.happen({ type: "dispatched", tasks: ["T1.2"], retry: true });
    await panel.getByRole("button", { name: "Retry" }).waitFor({ state: "detached" });
    const stays = `document.activeElement.closest(".panel .decide") !== null`;
    await expect.poll(() => page.evaluate(stays)).toBe(true);
    await page.context().close();
  });

  it("[W148] a button keeps the focus while its request is under way, says that it waits, and does nothing", async () => {
    const page = await browser.newPage({ locale: "en-US" });
    const held: (() => Promise<void>)[] = [];
    await page.route("**/api/act", route => {
      held.push(() => route.continue());
    });
    await openAt(page, stage.page.link, "#/overview?task=T2.1");
    const focused = (): Promise<unknown> =>
      page.evaluate(
        `(({ textContent, ariaDisabled }) => [textContent, ariaDisabled])(document.activeElement)`,
      );
    const before = stage.asked.length;
    /** One answer, to all that was sent. */
    const answered = async (times: number) => {
      await expect.poll(() => held.length).toBe(times);
      await held.at(-1)?.();
      await expect.poll(() => stage.asked.length).toBe(before + times);
    };

    const tell = page.locator(".tell").getByRole("button");
    await page.locator(".tell").getByRole("textbox").fill("Look at the roof first.");
    await tell.press("Enter");
    await expect.poll(focused).toEqual(["Tell", "true"]);
    await page.locator(".panel").getByText("Sending…").waitFor();
    await page.keyboard.press("Enter");
    await answered(1);
    await expect.poll(() => page.locator(".tell").getByRole("textbox").inputValue()).toBe("");
    expect(await focused()).toEqual(["Tell", "true"]);

    const stop = page.locator(".control").getByRole("button", { name: "Stop", exact: true });
    await stop.press("Enter");
    await page.locator("dialog").getByRole("button", { name: "Cancel" }).press("Enter");
    await expect.poll(focused).toEqual(["Stop", "false"]);
    await stop.press("Enter");
    await page.locator("dialog").getByRole("button").first().press("Enter");
    await expect.poll(focused).toEqual(["Stop", "true"]);
    await page.keyboard.press("Enter");
    expect(await page.locator("dialog").count()).toBe(0);
    await answered(2);
    await expect.poll(focused).toEqual(["Stop", "false"]);
    expect(stage.asked.at(-1)).toMatchObject({ method: "stop" });
    await page.context().close();
  });

  it("[W137] words in the header's links and buttons are on one line in Korean", async () => {
    for (const width of [1280, 1024, 768, 390]) {
      const page = await browser.newPage({ locale: "ko-KR", viewport: { width, height: 720 } });
      await openAt(page, stage.page.link, "#/context");
      await page.getByRole("button", { name: "중단" }).waitFor();
      const lines: unknown = await page.evaluate(`
        [...document.querySelectorAll(".top nav a, .top .control button")].map(one => {
          const range = document.createRange();
          range.selectNodeContents(one);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        })`);
      expect(lines, `${width}`).toEqual(Array.from({ length: 8 }, () => 1));
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      await page.context().close();
    }
  });

  it("[W140] in Korean an update's form has a word, and lines break between words", async () => {
    const page = await browser.newPage({ locale: "ko-KR", viewport: { width: 390, height: 844 } });
    await openAt(page, stage.page.link, "#/context");
    const cells = page.locator(".holders small");
    await cells.first().waitFor();
    const told = await cells.allTextContents();
    expect(told).toContainEqual(expect.stringMatching(/^v3 델타, \d/));
    expect(told).toContainEqual(expect.stringMatching(/^v3 전체, \d/));
    const style = "getComputedStyle(document.querySelector('.holders small'))";
    expect(await page.evaluate(`${style}.wordBreak`)).toBe("keep-all");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await page.context().close();
  });

  itWhole("[W96] on a phone what waits and what runs is on the first screen of the list", async () => {
    const page = await browser.newPage({ locale: "ko-KR", viewport: { width: 390, height: 844 } });
    await openAt(page, stage.page.link, "#/graph");
    await page.waitForSelector(".row a");
    const first = page.locator(".row a");
    expect(await first.nth(0).locator(".id").textContent()).toBe("T2.3");
    for (const at of [0, 1, 2]) {
      const box = await first.nth(at).boundingBox();
      expect(box!.y + box!.height).toBeLessThan(844);
    }
    expect(await first.nth(1).locator(".id").textContent()).toBe("T2.1");
    await goTo(page, "#/overview");
    const button = page.locator(".needs button").first();
    await button.waitFor();
    const box = await button.boundingBox();
    expect(box!.y + box!.height).toBeLessThan(844);
    await page.context().close();
  });

  it("[W281] nothing of the header lies on another, nor is a word of the name broken, at any width and in any state", async () => {
    await using long = await openStage({
      tasks: "# 과수원 The customer portal rewrite 시스템\n## Phase 1: Build\n### [ ] T1.1: Walls\n",
      run: { state: "interrupted" },
      live: false,
      serve: { pages: loadPages() },
    });
    for (const [locale, width] of [
      ["en-US", 1366],
      ["en-US", 1280],
      ["en-US", 1024],
      ["ko-KR", 1024],
      ["en-US", 900],
    ] as const) {
      const page = await browser.newPage({ locale, viewport: { width, height: 720 } });
      await page.goto(long.page.link);
      await page.locator(".control button").waitFor();
      const boxes = await Promise.all(
        [".top h1", ".pills", ".progress", ".top nav", ".control", ".settings"].map(one =>
          page.locator(one).boundingBox(),
        ),
      );
      const overlap = boxes.flatMap((one, at) =>
        boxes
          .slice(at + 1)
          .filter(
            other =>
              one!.x + one!.width > other!.x &&
              other!.x + other!.width > one!.x &&
              one!.y + one!.height > other!.y &&
              other!.y + other!.height > one!.y,
          ),
      );
      expect({ locale, width, overlap }).toEqual({ locale, width, overlap: [] });
      expect((await page.locator(".top h1").boundingBox())!.width).toBeGreaterThanOrEqual(150);
      await page.context().close();
    }
    const magnified = await browser.newPage({ locale: "en-US", viewport: { width: 320, height: 256 } });
    await magnified.goto(long.page.link);
    await magnified.locator(".control button").waitFor();
    expect(await magnified.evaluate("document.documentElement.scrollWidth")).toBe(320);
    expect((await magnified.locator("main").boundingBox())!.height).toBeGreaterThan(200);
    await magnified.context().close();
  });
});
