import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Lab, openLab } from "../cli/lab.ts";
import { itWhole } from "../sample.ts";
import { goTo, HAS_BROWSER, openAt, openBrowser } from "./browser.ts";
import { linkOf } from "./link.ts";

const QUICKSTART = join(import.meta.dirname, "../../examples/quickstart");

function startOver(lab: Lab): void {
  cpSync(QUICKSTART, lab.root, { recursive: true });
}

const open = (page: Page, id: string) => goTo(page, `#/graph?task=${id}`);
const pill = (page: Page) => page.locator(".standing .pill").first();

describe.runIf(HAS_BROWSER)("a real run in real Chromium", { timeout: 120_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("[W70] the quickstart: the page shows what runs, why something failed, and a person steers it", async () => {
    await using lab = openLab();
    startOver(lab);
    const run = lab.start(["run", "--yes", "--dashboard"]);
    const link = await linkOf(run);
    const page = await browser.newPage({ locale: "en-US" });
    const problems: string[] = [];
    page.on("pageerror", error => problems.push(error.message));
    page.on("console", message => message.type() === "error" && problems.push(message.text()));
    await openAt(page, link, "#/graph");
    // The token is taken out of the address at once, and reload works without it.
    await page.waitForSelector(".card");
    expect(page.url()).not.toContain("token");
    await page.reload();
    await page.waitForSelector(".card.is-completed");
    const tasks = lab.read("TASKS.md").split("\n### [").length - 1;
    expect(await page.locator(".card").count()).toBe(tasks);
    await expect.poll(() => pill(page).textContent(), { timeout: 30_000 }).toBe("completed");

    await open(page, "T1.3");
    await page.waitForSelector('.panel[data-task="T1.3"] .attempt');
    const panel = page.locator(".panel");
    expect(await panel.locator(".attempt").count()).toBe(2);
    expect(await panel.locator(".attempt").nth(1).textContent()).toContain("neighbour did not answer");
    expect(await panel.locator(".attempt").nth(0).textContent()).toContain("grep -q winter work/season.txt");
    await panel.getByRole("button", { name: "Show output" }).first().click();
    await page.waitForSelector(".attempt pre");

    // A person acts: it goes through the run as an event with who and when.
    await page.getByLabel("Note").fill("once more");
    await panel.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => panel.locator(".attempt").count()).toBe(3);
    await expect.poll(() => pill(page).textContent()).toBe("completed");
    await goTo(page, "#/timeline");
    const entry = page.locator(".events li", { hasText: "Retry: once more" });
    await entry.waitFor();
    expect(await entry.textContent()).toMatch(/by dashboard \(/);

    // Stop ends the process: the run itself was done.
    await page.getByRole("button", { name: "Stop" }).click();
    await page.locator("dialog").getByRole("button", { name: "Stop", exact: true }).click();
    expect((await run.ended).code).toBe(0);
    await page.waitForSelector(".notice");
    expect(problems.filter(text => !text.includes("ERR_"))).toEqual([]);
    await page.context().close();
  });

  it("[W72] by keyboard alone: search, open a card, decide, close", async () => {
    await using lab = openLab();
    startOver(lab);
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const board = lab.start(["dashboard"]);
    const page = await browser.newPage({ locale: "en-US" });
    await openAt(page, await linkOf(board), "#/graph");
    await page.waitForSelector(".card");
    await page.keyboard.press("/");
    await page.keyboard.type("neighbour");
    await page.waitForSelector(".card.is-dim");
    await page.locator('.react-flow__node[data-id="T1.3"]').focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector('.panel[data-task="T1.3"]');
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H2");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".panel", { state: "detached" });
    await page.getByRole("button", { name: "한국어" }).press("Enter");
    await page.getByText("그래프").first().waitFor();
    board.signal("SIGTERM");
    await board.ended;
    await page.context().close();
  });

  itWhole(
    "[W71] the page outlives orchestrators: killed, decided about, started again from the page, held and let go",
    async () => {
      await using lab = openLab({
        "TASKS.md": [
          "# Long",
          "## Phase 1: Wait",
          "### [ ] T1.1: Wait for a file",
          "- run: while [ ! -e go ]; do sleep 0.05; echo waiting; done",
          "- verify: test -e go",
          "### [ ] T1.2: Afterwards",
          "- depends_on: [T1.1]",
          "- run: true",
          "- verify: true",
          "",
        ].join("\n"),
      });
      const board = lab.start(["dashboard"]);
      const link = await linkOf(board);
      const page = await browser.newPage({ locale: "en-US" });
      await openAt(page, link, "#/graph");
      await page.getByText("No run yet").waitFor();
      // [W102] It says how to get one, and is called as its folder.
      for (const command of ["espalier init", "espalier plan", "espalier run"])
        await page.getByText(command, { exact: true }).waitFor();
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("project");

      const first = lab.start(["run", "--yes"]);
      await page.waitForSelector(".card.is-in_progress");
      await open(page, "T1.1");
      await page.getByText("waiting").first().waitFor();
      expect(await page.getByRole("button", { name: "Pause" }).isEnabled()).toBe(true);
      // What is said to an agent that does not hear it comes back with why, and stays to be said otherwise.
      await page.getByLabel("Say something to its agent").fill("hurry");
      await page.getByRole("button", { name: "Tell" }).click();
      await page.getByText("shell hears nothing while it works").waitFor();
      expect(await page.getByLabel("Say something to its agent").inputValue()).toBe("hurry");

      first.signal("SIGKILL");
      await page.getByText("not running").waitFor();
      expect(await pill(page).textContent()).toBe("interrupted");
      await open(page, "T1.2");
      await page.getByRole("button", { name: "Pause" }).click();
      await page.waitForSelector(".card.is-paused");
      await page.getByText("T1.2 is paused").waitFor();
      await page.getByRole("button", { name: "Resume", exact: true }).click();
      await expect.poll(() => page.locator(".card.is-paused").count()).toBe(0);

      await page.getByRole("button", { name: "Resume the run" }).click();
      await page.waitForSelector(".card.is-in_progress");
      await page.getByRole("button", { name: "Hold" }).click();
      await page.getByRole("button", { name: "Go on" }).waitFor();
      lab.write("go", "");
      await page.waitForSelector(".card.is-completed");
      await page.waitForSelector(".card.is-ready");
      await page.getByRole("button", { name: "Go on" }).click();
      await expect.poll(() => page.locator(".card.is-completed").count()).toBe(2);
      await expect.poll(() => pill(page).textContent()).toBe("completed");

      board.signal("SIGINT");
      expect((await board.ended).code).toBe(0);
      await page.getByText("connection lost").waitFor();
      await page.context().close();
    },
  );
});
