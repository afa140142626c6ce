import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPages } from "../../src/server/pages.ts";
import type { Running } from "../cli/lab.ts";
import { openRepositoryLab, tasksFile } from "../cli/repository/lab.ts";
import { sampleOf } from "../sample.ts";
import { goTo, HAS_BROWSER, openAt, openBrowser, settled } from "./browser.ts";
import { openOrchard } from "./orchard.ts";
import { openStage, row } from "./stage.ts";

/** T1.2 needs to be told what separates columns, T1.3 and T1.4 need the key of a service. */
const AGENT = `prompt=$(cat)
task="\${ESPALIER_SIGNAL_ID%%#*}"
case "$task$prompt" in
  T1.1*) echo hello > hello.txt ;;
  T1.2*"by commas"*) echo 'split(",")' > orders.txt ;;
  T1.2*) echo "nobody said what separates columns"; echo "FAIL:$ESPALIER_SIGNAL_ID:which separator"; exit 0 ;;
  *) test -f "$KEY" || { echo "FAIL:$ESPALIER_SIGNAL_ID:the service refuses our key"; exit 0; }
     echo done > "$task.txt" ;;
esac
echo "DONE:$ESPALIER_SIGNAL_ID"
`;

/** Milliseconds a test waits for what agents do: only to say what did not come. */
const PATIENCE = 100_000;
const PHONE = { width: 390, height: 844 };

async function linkOf({ child }: Running): Promise<string> {
  return new Promise(resolve => {
    for (const input of [child.stdout, child.stderr])
      createInterface({ input: input! }).on("line", line => {
        const link = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/.exec(line)?.[0];
        if (link !== undefined) resolve(link);
      });
  });
}

const needs = (page: Page) => page.locator(".needs");
const need = (page: Page, text: string) => needs(page).locator("li", { hasText: text });
const button = (name: string) => ["button", { name }] as const;

describe.runIf(HAS_BROWSER)("deciding in real Chromium", { timeout: 300_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("[W149] three waiting tasks are decided from a phone, its phase reviewed and merged from a laptop", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml":
        "agent: command\ncommand: sh agent.sh\nsameError: 1\nbackoff: { first: 0s }\nphase: { merge: never }\nenv: [KEY]\n",
      "agent.sh": AGENT,
      "TASKS.md": tasksFile({
        "1: Shop": {
          "T1.1": ["Write the greeting."],
          "T1.2": ["Read the orders."],
          "T1.3": ["Ask the service."],
          "T1.4": ["Ask the service."],
        },
      }),
    });
    const run = lab.start(["run", "--yes", "--dashboard"], { env: { KEY: lab.beside("key") } });
    const link = await linkOf(run);
    const phone = await browser.newPage({ locale: "en-US", viewport: PHONE, hasTouch: true });
    phone.setDefaultTimeout(PATIENCE);
    await phone.goto(link);
    await needs(phone)
      .getByRole(...button("Resume all 3"))
      .waitFor();

    const orders = need(phone, "T1.2");
    await orders.getByRole(...button("Answer…")).tap();
    await orders.getByText("nobody said what separates columns").waitFor();
    await orders.getByLabel("Note").fill("by commas");
    expect(await phone.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
    await orders.getByRole(...button("Send back")).tap();
    await orders.waitFor({ state: "detached" });

    writeFileSync(lab.beside("key"), "");
    await needs(phone)
      .getByRole(...button("Resume all 2"))
      .tap();
    await needs(phone).getByText("A phase is done and waits to be merged.").waitFor();
    expect(lab.git("show", "phase/1-shop:orders.txt")).toBe('split(",")');
    await phone.context().close();

    const laptop = await browser.newPage({ locale: "en-US", viewport: { width: 1280, height: 720 } });
    laptop.setDefaultTimeout(PATIENCE);
    await laptop.goto(link);
    await needs(laptop).getByRole("link", { name: "Review phase 1" }).click();
    await laptop.locator(".diff td.added", { hasText: 'split(",")' }).waitFor();
    const beside = laptop.locator(".beside");
    await beside.locator("summary", { hasText: "T1.2" }).click();
    await beside
      .getByText("sent back by")
      .or(beside.getByText("What it was given to read"))
      .first()
      .waitFor();
    await goTo(laptop, "#/overview");
    await needs(laptop)
      .getByRole(...button("Merge all that is done"))
      .click();
    await needs(laptop).getByText("phase 1: merged into main").waitFor();
    await needs(laptop).getByText("Nothing needs you.").waitFor();
    expect(lab.read("orders.txt")).toBe('split(",")\n');
    run.signal("SIGINT");
    await run.ended;
    await laptop.context().close();
  });

  it("[W150] what is decided for several at once: each is asked for, and a refusal is told", async () => {
    await using stage = await openStage({
      tasks: "# Shop\n## Phase 1: Build\n### [ ] T1.1: Walls\n### [ ] T1.2: Roof\n### [ ] T1.3: Door\n",
      rows: () => ["T1.1", "T1.2", "T1.3"].map(id => row(id, { status: "paused", attempts: 1, retries: 1 })),
      serve: { pages: loadPages() },
    });
    const asks = (id: number, title: string) => ({
      type: "asked" as const,
      id,
      task: `T1.${id}`,
      attempt: 1,
      kind: "execute",
      title,
    });
    stage.setLink({ asked: [asks(1, "npm test"), asks(2, "npm test"), asks(3, "rm -r .")] });
    const page = await browser.newPage({ locale: "en-US" });
    await openAt(page, stage.page.link, "#/overview");
    await page.getByRole(...button("Allow all 2")).click();
    await expect.poll(() => stage.asked.map(({ method }) => method)).toEqual(["permit", "permit"]);
    await needs(page).getByText("done for all 2").waitFor();
    expect(stage.asked).toMatchObject([
      { id: 1, allowed: true },
      { id: 2, allowed: true },
    ]);
    stage.reply = { ok: false, message: "T1.1 is running" };
    await page.getByRole(...button("Resume all 3")).click();
    await needs(page).locator(".together .bad").getByText("T1.1 is running").waitFor();
    expect(stage.asked.slice(2).map(asked => ("task" in asked ? asked.task : ""))).toEqual([
      "T1.1",
      "T1.2",
      "T1.3",
    ]);
    await page.context().close();
  });

  it("[W280] what was refused because somebody else was first stays to be read when what it was about is gone", async () => {
    await using stage = await openStage({
      tasks: "# Shop\n## Phase 1: Build\n### [ ] T1.1: Walls\n### [ ] T1.2: Roof\n",
      rows: () => ["T1.1", "T1.2"].map(id => row(id, { status: "paused", attempts: 1, retries: 1 })),
      serve: { pages: loadPages() },
    });
    const page = await browser.newPage({ locale: "en-US" });
    await openAt(page, stage.page.link, "#/overview");
    let answer = () => {};
    const held = new Promise<void>(resolve => {
      answer = resolve;
    });
    await page.route("**/api/act", async route => {
      await held;
      await route.continue();
    });
    stage.reply = { ok: false, message: "T1.1 is being worked on" };
    await need(page, "T1.1")
      .getByRole(...button("Answer…"))
      .click();
    await need(page, "T1.1").getByLabel("Note").fill("by commas");
    await need(page, "T1.1")
      .getByRole(...button("Send back"))
      .click();
    stage.commit({ tasks: [row("T1.1", { status: "in_progress", attempts: 2, retries: 1 })] });
    await need(page, "T1.1").waitFor({ state: "detached" });
    answer();
    await needs(page).getByText("T1.1 is being worked on").waitFor();

    stage.reply = { ok: false, message: "T1.2 is completed, not paused" };
    await need(page, "T1.2")
      .getByRole(...button("Resume"))
      .click();
    await need(page, "T1.2").getByText("T1.2 is completed, not paused").waitFor();
    expect(await needs(page).getByText("T1.1 is being worked on").count()).toBe(0);
    stage.commit({ tasks: [row("T1.2", { status: "completed", attempts: 1 })] });
    await need(page, "T1.2").waitFor({ state: "detached" });
    await needs(page).getByText("T1.2 is completed, not paused").waitFor();

    stage.reply = { ok: false, message: "nobody waits for this answer any more" };
    const question = {
      type: "asked" as const,
      id: 1,
      task: "T1.1",
      attempt: 2,
      kind: "execute",
      title: "ls",
    };
    stage.setLink({ asked: [question] });
    await goTo(page, "#/graph");
    await page
      .locator(".asks")
      .getByRole(...button("Allow"))
      .click();
    stage.setLink({ asked: [] });
    await page.locator(".asks button").first().waitFor({ state: "detached" });
    await page.locator(".asks").getByText("nobody waits for this answer any more").waitFor();
    await page.context().close();
  });

  it("[W152] what a task's buttons do is written where a finger reaches it", async () => {
    await using stage = await openStage({
      tasks: "# Shop\n## Phase 1: Build\n### [ ] T1.1: Walls\n",
      rows: () => [row("T1.1", { status: "paused", attempts: 1, retries: 1 })],
      serve: { pages: loadPages() },
    });
    const page = await browser.newPage({ locale: "en-US", viewport: PHONE, hasTouch: true });
    await openAt(page, stage.page.link, "#/overview?task=T1.1");
    const decide = page.locator(".panel .decide");
    await decide.getByText("What these do").tap();
    await decide.getByText("go on without it; what depends on it counts it as done").waitFor();
    const named = await decide.locator("dt").allTextContents();
    expect(named).toEqual(await decide.locator(".buttons button").allTextContents());
    await page.context().close();
  });

  it("[W151] a link that shows offers nothing that acts, in any view, and no field to write in", async () => {
    await using stage = await openOrchard({ serve: { pages: loadPages() } });
    const desk = await browser.newPage({ locale: "en-US", viewport: { width: 1280, height: 720 } });
    await desk.goto(stage.page.link);
    await desk.getByRole(...button("Devices")).click();
    await desk.getByRole(...button("Link that only shows")).click();
    const link = await desk.locator("output.link").textContent();
    const viewer = await browser.newPage({ locale: "en-US", viewport: { width: 1280, height: 720 } });
    const posted: string[] = [];
    let pressed = 0;
    viewer.on("request", request => {
      if (request.method() !== "GET") posted.push(new URL(request.url()).pathname);
    });
    await viewer.goto(link!);
    await viewer.getByText("only shows").waitFor();
    const places = ["overview", "graph", "review", "context", "budget", "timeline"].map(view => `#/${view}`);
    const all = [...places, "#/graph?task=T2.3", "#/graph?task=T2.1", "#/review?item=phase/1"];
    for (const place of sampleOf(all, 0, 3, 5, 6, 8)) {
      await goTo(viewer, place);
      await settled(viewer);
      const offered = await viewer.locator(":is([data-act], textarea, .decide *, .tell *):visible").count();
      expect({ place, offered }).toEqual({ place, offered: 0 });
      const buttons = viewer.locator("main button:visible");
      for (let at = 0; at < (await buttons.count()); at++) {
        const one = await buttons
          .nth(at)
          .elementHandle({ timeout: 2000 })
          .catch(() => null);
        // What was pressed before may have taken it away.
        if ((await one?.isVisible()) !== true || (await one?.isEnabled()) !== true) continue;
        await one?.click();
        pressed++;
        await settled(viewer);
      }
    }
    expect(posted).toEqual([]);
    expect(pressed).toBeGreaterThan(20);
    await Promise.all([desk.context().close(), viewer.context().close()]);
  });
});
