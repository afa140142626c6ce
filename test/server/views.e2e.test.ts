import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPages } from "../../src/server/pages.ts";
import { agentSaid } from "../reasons.ts";
import { itWhole } from "../sample.ts";
import { goTo, HAS_BROWSER, openBrowser } from "./browser.ts";
import { openOrchard, orchardAgo } from "./orchard.ts";
import { attempt, BEGAN, openStage, row, type Stage } from "./stage.ts";

describe.runIf(HAS_BROWSER)("the views in real Chromium", { timeout: 120_000 }, () => {
  let browser: Browser;
  let stage: Stage;
  beforeAll(async () => {
    [browser, stage] = await Promise.all([openBrowser(), openOrchard({ serve: { pages: loadPages() } })]);
  });
  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
  });

  async function open(of: Stage, locale = "en", width = 1280): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 800 }, locale: "en-US" });
    await page.addInitScript(`localStorage.setItem("espalier-locale", "${locale}")`);
    await page.goto(of.page.link);
    await page.waitForSelector(".numbers");
    return page;
  }
  const viewOf = (page: Page) => page.evaluate("location.hash");

  it("[W101] `?` tells what keys do, digits go to views, and single keys can be turned off", async () => {
    const page = await open(stage);
    await page.keyboard.press("3");
    await expect.poll(() => viewOf(page)).toBe("#/review");
    await page.keyboard.press("2");
    await page.waitForSelector(".card");
    await page.keyboard.press("/");
    await page.keyboard.type("?5");
    expect(await page.locator(".tools input").inputValue()).toBe("?5");
    await page.locator(".tools input").blur();
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard" });
    await help.getByText("search, wherever there is something to search").waitFor();
    await help.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "detached" });
    await page.keyboard.press("4");
    await page.keyboard.press("?");
    expect(await viewOf(page)).toBe("#/graph");
    expect(await help.count()).toBe(0);
    await page.getByRole("button", { name: "Keyboard" }).click();
    await help.waitFor();
    await page.context().close();
  });

  it("[W102] empty views say what will stand there and how to get it, in both languages", async () => {
    await using fresh = await openStage({
      tasks: "# Fresh\n## Phase 1\n### [ ] T1.1: Begin\n",
      serve: { pages: loadPages() },
    });
    for (const [locale, context, budget] of [
      ["en", "Nothing is shared yet", "Nothing has been spent yet"],
      ["ko", "아직 공유된 문서가 없습니다", "아직 사용량이 없습니다"],
    ] as const) {
      const page = await open(fresh, locale);
      await goTo(page, "#/context");
      const lesson = page.locator(".teach");
      await lesson.filter({ hasText: context }).waitFor();
      expect(await lesson.textContent()).toContain("espalier context publish GC docs/plan.md");
      await goTo(page, "#/budget");
      await lesson.filter({ hasText: budget }).waitFor();
      expect(await lesson.textContent()).toContain("espalier run");
      await page.context().close();
    }
  });

  it("[W103] a tab without a key and one whose key is too old say what to do", async () => {
    const page = await open(stage);
    const notice = page.getByRole("alert");
    await page.evaluate("sessionStorage.clear()");
    await page.reload();
    await notice.waitFor();
    expect(await notice.textContent()).toContain("espalier dashboard prints a new one at any time");
    await page.evaluate(`location.hash = "#token=${"x".repeat(43)}"`);
    await notice.getByText("the dashboard was started anew").waitFor();
    await page.evaluate(`location.hash = ${JSON.stringify(new URL(stage.page.link).hash)}`);
    await page.waitForSelector(".numbers");
    // The run is shown before its stream is heard.
    await expect.poll(() => notice.count()).toBe(0);
    await page.context().close();
  });

  it("[W104] what begins to wait is announced; language, title and focus follow", async () => {
    const page = await open(stage, "ko");
    expect(await page.evaluate("document.documentElement.lang")).toBe("ko");
    expect(await page.title()).toBe("개요 · Orchard planner");
    await goTo(page, "#/budget");
    stage.happen({ type: "paused", task: "T2.6", reason: agentSaid("which map?"), by: "rule" });
    await page
      .locator('p[role="status"]', { hasText: "T2.6: 일시 중지: which map?" })
      .waitFor({ state: "attached" });
    expect(await page.title()).toBe("예산 · Orchard planner");
    await goTo(page, "#/overview");
    await page.locator(".running a").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".panel h2");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".panel", { state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.closest('.running') !== null")).toBe(true);
    await page.reload();
    await page.waitForSelector(".numbers");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.className")).toBe("skip");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("MAIN");
    await page.context().close();
  });

  itWhole("[W106] a task that is its own role is named once as the next", async () => {
    await using plain = await openStage({
      tasks: "# Plain\n## Phase 1\n### [ ] T1.1: Begin\n### [ ] T1.2: Go on\n- depends_on: [T1.1]\n",
      rows: () => [
        row("T1.1", { status: "completed", attempts: 1, verified: true }),
        row("T1.2", { status: "ready" }),
      ],
      attempts: [attempt("T1.1", 1, { finalMessage: "done", usage: { inputTokens: 900, outputTokens: 90 } })],
      serve: { pages: loadPages() },
    });
    const page = await open(plain);
    await goTo(page, "#/budget");
    const next = page.locator(".fact", { hasText: "Next" }).locator("small").last();
    await next.waitFor();
    expect(await next.textContent()).toBe("T1.2 · light VS");
    await page.context().close();
  });

  it("[W260] what a role has put out is a share of the window, as in the terminal", async () => {
    await using plain = await openStage({
      tasks: "# Plain\n## Phase 1\n### [ ] T1.1: Begin\n### [ ] T1.2: Go on\n- depends_on: [T1.1]\n",
      rows: () => [
        row("T1.1", { status: "completed", attempts: 1, verified: true }),
        row("T1.2", { status: "ready" }),
      ],
      attempts: [attempt("T1.1", 1, { finalMessage: "word ".repeat(15_000) })],
      serve: { pages: loadPages() },
    });
    const page = await open(plain);
    await goTo(page, "#/budget");
    const role = page.locator(".spenders").first().locator("small").first();
    await role.waitFor();
    expect(await role.textContent()).toBe(await page.locator(".gauge b").textContent());
    await page.context().close();
  });

  it("[W19] what an agent said last and what it wrote is shown without its signals", async () => {
    const page = await open(stage);
    await goTo(page, "#/graph?task=T2.3");
    await page.getByText("I could not reach the forecast service.").first().waitFor();
    expect(await page.textContent(".panel")).not.toContain("FAIL:T2.3");
    await page.context().close();
  });

  itWhole(
    "[W107] attempts are bars in rows of tasks, agents or machines; each says what it was and leads to its task",
    async () => {
      const page = await open(stage);
      await goTo(page, "#/timeline");
      const row = page.locator(".gantt li", { hasText: "T1.2" });
      await row.waitFor();
      expect(await row.locator(".span").count()).toBe(2);
      expect(await row.locator(".gap").count()).toBe(1);
      expect(await row.getByRole("link").textContent()).toMatch(
        /Attempt 1: not proved, [\d:]+, 7m 00s, codex, lab-2; T1\.2, Attempt 2: done, [\d:]+, 7m 00s, codex/,
      );
      await page.getByLabel("Rows").selectOption("machine");
      const names = page.locator(".gantt .name");
      await expect.poll(() => names.allTextContents()).toEqual(["lab-2", "this machine", "this machine"]);
      await page.locator(".gantt a.span", { hasText: "T1.4" }).press("Enter");
      await page.waitForSelector('.panel[data-task="T1.4"]');
      await page.context().close();
    },
  );

  itWhole(
    "[W108] the moment shows the run as it was: how far, who was at work, what had happened; and now again",
    async () => {
      const page = await open(stage);
      await goTo(page, "#/timeline");
      const moment = page.getByRole("slider", { name: "Moment" });
      await moment.waitFor();
      await moment.fill(String(Math.round(orchardAgo(26) / 1000) * 1000));
      const past = page.locator(".past");
      await past.getByText("4 proven").waitFor();
      expect(await past.textContent()).toContain("5 of 14 done4 proven1 unverified2 running7 pending");
      expect(await past.getByRole("link").allTextContents()).toEqual(["T2.3 claude", "T2.2 gemini"]);
      expect(await moment.getAttribute("aria-valuetext")).toContain("5 of 14 done");
      expect(await page.locator(".events li").first().textContent()).toContain("Dispatched: T2.2, T2.3");
      await page.getByRole("button", { name: "Now", exact: true }).click();
      await past.getByText("1 paused").waitFor();
      await moment.focus();
      await page.keyboard.press("Home");
      await past.getByText("13 pending").waitFor();
      await page.context().close();
    },
  );

  itWhole("[W110] events are narrowed down by kind and by words", async () => {
    const page = await open(stage);
    await goTo(page, "#/timeline");
    const told = page.locator(".events li p");
    await told.first().waitFor();
    await page.getByLabel("Show").selectOption("people");
    await expect
      .poll(() => told.allTextContents())
      .toContain("Retry: the map server was down by dashboard (ann)");
    await page.getByLabel("Show").selectOption("all");
    await page.getByLabel("Filter by task or word").fill("T1.4");
    await expect.poll(() => told.allTextContents()).toEqual(["Done, unverified ", "Dispatched: T1.3, T1.4 "]);
    await page.getByLabel("Filter by task or word").fill("zebra");
    await page.getByText("Nothing like that has happened.").waitFor();
    await page.context().close();
  });

  it("[W154] the timeline of a run that was cut off ends where it told something last, and nobody is at work", async () => {
    await using cut = await openStage({
      tasks: "# Cut\n## Phase 1\n### [ ] T1.1: Begin\n### [ ] T1.2: Go on\n",
      attempts: [attempt("T1.1", 1), attempt("T1.2", 1, { endedAt: 0, outcome: "running" })],
      live: false,
      serve: { pages: loadPages() },
    });
    cut.happened(
      [BEGAN, { type: "run-started", project: "Cut", tasks: 2, resumed: false }],
      [BEGAN + 120_000, { type: "attempt-started", task: "T1.2", attempt: 1, agent: "shell" }],
    );
    const page = await open(cut);
    await goTo(page, "#/timeline");
    await page.locator(".past").getByText("nobody").waitFor();
    const [done, all] = await Promise.all(
      [".span.is-done", ".track"].map(one => page.locator(`.gantt ${one}`).first().boundingBox()),
    );
    expect(done!.width / all!.width).toBeCloseTo(0.5, 1);
    await page.context().close();
  });

  it("[W110] older events are drawn when they are asked for, however many there are, and to the first", async () => {
    await using long = await openStage({
      tasks: "# Long\n## Phase 1\n### [ ] T1.1: Begin\n",
      serve: { pages: loadPages() },
    });
    const warning = {
      type: "warning" as const,
      code: "NOT_ASKED",
      message: agentSaid("edits without asking"),
    };
    long.happen(
      { type: "dispatched", tasks: ["T1.1"], retry: false },
      ...Array.from({ length: 1150 }, () => warning),
    );
    const page = await open(long);
    await goTo(page, "#/timeline");
    const drawn = page.locator(".events ol > li");
    const more = page.getByRole("button", { name: "Older ones" });
    for (const count of [400, 800, 1151]) {
      await expect.poll(() => drawn.count()).toBe(count);
      if (count < 1151) await more.click();
    }
    expect(await drawn.last().textContent()).toContain("Dispatched: T1.1");
    await more.waitFor({ state: "detached" });
    await page.context().close();
  });

  itWhole("[W109] words are found in what any attempt put out", async () => {
    const page = await open(stage);
    await goTo(page, "#/timeline");
    await page.getByLabel("words in the output of any attempt").fill("WEATHER service");
    await page.keyboard.press("Enter");
    await page.getByText("found in 3 attempts · 12 attempts looked through, newest first").waitFor();
    expect(await page.locator(".log-search mark").allTextContents()).toEqual([
      "Weather service",
      "weather service",
      "weather service",
    ]);
    await page.context().close();
  });

  it("[W111] the state is asked for while the page is fetched, and whatever the page needs is fetched at once", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
    const asked: string[] = [];
    page.on("request", request => asked.push(new URL(request.url()).pathname));
    let letGo = () => {};
    const held = new Promise<void>(resolve => {
      letGo = resolve;
    });
    await page.route("**/assets/page-*.js", async route => {
      await held;
      await route.continue();
    });
    await page.goto(stage.page.link, { waitUntil: "commit" });
    await expect.poll(() => asked).toContain("/api/run");
    const before = asked.filter(path => path.endsWith(".js"));
    letGo();
    await page.waitForSelector(".numbers");
    expect(asked.filter(path => path.endsWith(".js"))).toEqual(before);
    await page.context().close();
  });

  itWhole(
    "[W42] a branch that is gone is not named, neither by an attempt nor by what happened",
    async () => {
      const page = await open(stage);
      stage.happen(
        { type: "phase-left", phase: "0", branch: "phase/0-gone", how: "git merge phase/0-gone" },
        { type: "phase-left", phase: "1", branch: "phase/1-orchard-planner", how: "git merge it" },
      );
      await goTo(page, "#/timeline?task=T1.1");
      await page.locator(".panel").getByText("phase/1-orchard-planner").waitFor();
      await page.getByText("Phase 0 was left on a branch of its own, which is gone by now").waitFor();
      await page.getByText("Phase 1 is left on phase/1-orchard-planner: git merge it").waitFor();
      expect(await page.textContent("main")).not.toContain("phase/0-gone");
      await page.context().close();
    },
  );
});
