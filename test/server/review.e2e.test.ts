import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPages } from "../../src/server/pages.ts";
import { itWhole } from "../sample.ts";
import { goTo, HAS_BROWSER, openBrowser } from "./browser.ts";
import { measure } from "./contrast.ts";
import { attempt, openStage, row, type Stage } from "./stage.ts";

const TASKS = `# 정원
## Phase 1: 뼈대
### [ ] T1.1: A small change
Done when it says hello.
- verify: \`npm test\`
### [ ] T1.2: A large one
`;
const FILES = 2000;
const LINES = 10_000;

/** A stage in a repository in which both tasks have landed. */
async function openGarden(): Promise<Stage> {
  const stage = await openStage({
    tasks: TASKS,
    serve: { pages: loadPages() },
    rows: plan =>
      plan.tasks.map(({ id }) => row(id, { status: "completed", verified: id === "T1.1", attempts: 1 })),
  });
  const write = (path: string, text: string) => writeFileSync(join(stage.root, path), text);
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@localhost", ...args], {
      cwd: stage.root,
      encoding: "utf8",
    }).trim();
  const record = (message: string) => {
    git("add", "-A", "--", ".", ":!.espalier");
    git("commit", "-qm", message);
    return git("rev-parse", "HEAD");
  };
  git("init", "-q", "-b", "main");
  write("a.txt", "hello\nworld\n");
  record("before");
  write("a.txt", "hello\n세계\n<img src=x onerror=alert(1)>\n");
  const small = record("T1.1");
  mkdirSync(join(stage.root, "many"));
  for (let at = 0; at < FILES; at++) write(`many/f${at}.txt`, `file ${at}\n`);
  write("long.txt", Array.from({ length: LINES }, (_, at) => `line ${at + 1}\n`).join(""));
  const large = record("T1.2");
  stage.commit({
    attempts: [
      attempt("T1.1", 1, {
        commit: small,
        evidence: "$ npm test\nexit 0\nreview by claude (round 1): approved",
      }),
      attempt("T1.2", 1, { commit: large }),
    ],
  });
  return stage;
}

async function openReview(browser: Browser, stage: Stage, item: string, size = { width: 1280, height: 720 }) {
  const page = await browser.newPage({ locale: "en-US", viewport: size });
  const problems: string[] = [];
  page.on("pageerror", error => problems.push(error.message));
  page.on("console", message => message.type() === "error" && problems.push(message.text()));
  await page.goto(stage.page.link);
  await page.waitForSelector("header.top");
  await goTo(page, `#/review?item=${item}`);
  return { page, problems };
}

const count = (page: Page, selector: string) => page.locator(selector).count();

describe.runIf(HAS_BROWSER)("the review in real Chromium", { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  itWhole(
    "[W92] a task's work beside what proves it, in both layouts and languages, without one faint text",
    async () => {
      await using stage = await openGarden();
      const { page, problems } = await openReview(browser, stage, "task/T1.1");
      await page.waitForSelector(".is-split tr");
      const cells = (selector: string) => page.locator(selector).allTextContents();
      expect(await cells(".diff td.removed")).toEqual(["−world"]);
      expect(await cells(".diff td.added")).toEqual(["+세계", "+<img src=x onerror=alert(1)>"]);
      expect(await count(page, ".diff img")).toBe(0);
      const beside = (await page.locator(".beside").textContent()) ?? "";
      for (const told of ["npm test", "exit 0", "approved", "Done when it says hello."])
        expect(beside).toContain(told);
      await page.getByRole("button", { name: "One column" }).click();
      await page.waitForSelector(".is-unified tr");
      expect(await cells(".diff tr")).toEqual([
        "11 hello",
        "2−world",
        "2+세계",
        "3+<img src=x onerror=alert(1)>",
      ]);
      for (const theme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: theme });
        expect({ theme, poor: (await measure(page)).poor }).toEqual({ theme, poor: [] });
      }
      await page.getByRole("button", { name: "한국어" }).click();
      await page.getByRole("button", { name: "나란히" }).waitFor();
      expect(await page.locator(".beside").textContent()).toContain("증명하는 것");
      await page.setViewportSize({ width: 390, height: 844 });
      await page.waitForSelector(".is-unified tr");
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      expect((await measure(page)).poor).toEqual([]);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it("[W91] 10,000 lines and 2,000 files: only what is seen is drawn, and every file is reached", async () => {
    await using stage = await openGarden();
    const { page, problems } = await openReview(browser, stage, "phase/1");
    await page.waitForSelector(".file-head");
    expect(await page.locator(".diff > header").textContent()).toContain("2,002 files");
    // The long file is folded until somebody wants it.
    await page.getByRole("button", { name: "Show: long.txt" }).click();
    await page.locator(".diff td", { hasText: "line 1" }).first().waitFor();
    // [W92] Nothing stands beside a file that is new, though versions stand side by side here.
    expect(await page.getByRole("button", { name: "Side by side", pressed: true }).count()).toBe(1);
    expect(await count(page, ".diff table:has(td.added).is-split")).toBe(1);
    expect(await count(page, ".diff td.none")).toBeLessThan(2);
    const most = async () => {
      expect(await count(page, ".diff tr")).toBeLessThan(400);
      expect(await count(page, "*")).toBeLessThan(4000);
    };
    await most();
    await page.getByLabel("Filter files").fill("f1999");
    await page.getByRole("button", { name: "many/f1999.txt" }).click();
    const line = page.locator(".diff td", { hasText: "file 1999" });
    await line.waitFor();
    await expect.poll(() => line.isVisible()).toBe(true);
    await most();
    // The last of the long lines stands before the file behind it.
    await page.getByLabel("Filter files").fill("many/f0.txt");
    await page.getByRole("button", { name: "many/f0.txt" }).click();
    await page.locator(".diff td", { hasText: `line ${LINES}` }).waitFor({ state: "attached" });
    await most();
    expect(problems).toEqual([]);
    await page.close();
  });

  itWhole("[W91] the review is a part of its own, loaded when it is first opened", async () => {
    await using stage = await openGarden();
    const page = await browser.newPage({ locale: "en-US" });
    const asked: string[] = [];
    page.on("request", request => asked.push(new URL(request.url()).pathname));
    await page.goto(stage.page.link);
    await page.waitForSelector(".numbers");
    expect(asked.filter(path => path.includes("review"))).toEqual([]);
    await page.locator("header.top").getByRole("link", { name: "Review" }).click();
    await page.waitForSelector(".review-choice a");
    expect(asked.filter(path => /review-view-.*\.js$/.test(path))).toHaveLength(1);
    await page.getByRole("link", { name: "T1.1" }).click();
    await page.waitForSelector(".diff td.added");
    await page.close();
  });
});
