import { createInterface } from "node:readline";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Running } from "../cli/lab.ts";
import { openRepositoryLab, type RepositoryLab, tasksFile } from "../cli/repository/lab.ts";
import { itWhole } from "../sample.ts";
import { goTo, HAS_BROWSER, openBrowser, settled } from "./browser.ts";
import { measure } from "./contrast.ts";

const AGENT = `prompt=$(cat)
case "$prompt" in *"| in Korean"*) echo 안녕 > hello.txt ;; *) echo hello > hello.txt ;; esac
echo "DONE:$ESPALIER_SIGNAL_ID"
`;

/** A repository whose phase has ended on its branch: one task is unverified, nobody works on it. */
async function openShop(): Promise<RepositoryLab> {
  const lab = openRepositoryLab({
    "espalier.yaml":
      "agent: command\ncommand: sh agent.sh\nphase: { merge: never }\nbackoff: { first: 0s }\n",
    "agent.sh": AGENT,
    "TASKS.md": tasksFile({ "1: Greet": { "T1.1": ["Say hello."] } }),
  });
  expect((await lab.ask("run", "--yes")).code).toBe(0);
  return lab;
}

async function linkOf({ child }: Running): Promise<string> {
  return new Promise(resolve => {
    for (const input of [child.stdout, child.stderr])
      createInterface({ input: input! }).on("line", line => {
        const link = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/.exec(line)?.[0];
        if (link !== undefined) resolve(link);
      });
  });
}

const beside = (page: Page) => page.locator(".beside");

describe.runIf(HAS_BROWSER)("the review loop in real Chromium", { timeout: 120_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  async function openPage(link: string, size = { width: 1280, height: 720 }): Promise<Page> {
    const page = await browser.newPage({ locale: "en-US", viewport: size });
    await page.goto(link);
    await page.waitForSelector("header.top");
    return page;
  }

  it("[W97] work is sent back with a note, changed, approved and merged, and no process runs but when one is started", async () => {
    await using lab = await openShop();
    const board = lab.start(["dashboard"]);
    const page = await openPage(await linkOf(board));
    await goTo(page, "#/review?item=task/T1.1");
    await page.locator(".diff td.added", { hasText: "hello" }).waitFor();
    const sendBack = page.getByRole("button", { name: "Send back" });
    expect(await sendBack.isDisabled()).toBe(true);
    await page.getByLabel("Note").fill("in Korean");
    await sendBack.click();
    await page.getByText("T1.1 is sent back to its agent with the note").waitFor();
    await page.getByRole("button", { name: "Resume the run" }).click();
    await beside(page).getByText("unverified").first().waitFor();
    await page.getByRole("button", { name: "Read again" }).click();
    await page.locator(".diff td.added", { hasText: "안녕" }).waitFor();
    expect(lab.git("show", "phase/1-greet:hello.txt")).toBe("안녕");
    expect((await lab.ask("task", "show", "T1.1")).stdout).toMatch(/sent back by .+: in Korean/);

    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("T1.1 is approved").waitFor();
    await beside(page).locator(".pill.is-completed").first().waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await beside(page).getByText("APPROVED by").waitFor();
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      expect({ theme, poor: (await measure(page)).poor }).toEqual({ theme, poor: [] });
    }

    board.signal("SIGINT");
    await board.ended;
    await page.context().close();
  });

  it("[W98] a phase is merged from the page; what stands against it is told with the command to type", async () => {
    await using lab = await openShop();
    const board = lab.start(["dashboard"]);
    const page = await openPage(await linkOf(board), { width: 390, height: 844 });
    await goTo(page, "#/review?item=phase/1");
    lab.write("hello.txt", "mine\n");
    const merge = page.getByRole("button", { name: "Merge phase 1" });
    await merge.click();
    const refused = beside(page).locator(".merge .bad");
    await refused.getByText("phase 1 is not merged").waitFor();
    expect(await refused.textContent()).toMatch(/hello\.txt.*espalier phase merge 1/);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    // Git does not always tell where work is, as while somebody works with it.
    const nowhere = { target: "", phases: [], aside: [] };
    await page.route("**/api/branches", route => route.fulfill({ json: nowhere }));
    const asked = page.waitForResponse("**/api/branches");
    await page.getByRole("button", { name: "한국어" }).click();
    await asked;
    await page.unroute("**/api/branches");
    await page.getByRole("button", { name: "English" }).click();
    await settled(page);
    expect(await refused.textContent()).toMatch(/hello\.txt.*espalier phase merge 1/);
    lab.git("clean", "-fdq", "--", "hello.txt");
    const settings = lab.read("espalier.yaml");
    lab.write("espalier.yaml", settings.replace("never }", "never, verify: test -s hello.txt }"));
    const other = lab.start(["dashboard"]);
    const second = await openPage(await linkOf(other));
    await second.getByRole("button", { name: "Merge all that is done" }).click();
    await second
      .getByText(
        "not approved yet: test -s hello.txt; read and approve it in a terminal: espalier phase merge --all",
      )
      .waitFor();
    other.signal("SIGINT");
    await other.ended;
    lab.write("espalier.yaml", settings);
    await merge.click();
    await beside(page).getByText("phase 1: merged into main").waitFor();
    expect(lab.read("hello.txt")).toBe("hello\n");
    await expect.poll(() => merge.count()).toBe(0);
    await page.getByRole("button", { name: "한국어" }).click();
    await beside(page).getByText("main에 병합됨").first().waitFor();
    board.signal("SIGINT");
    await board.ended;
    await page.context().close();
  });

  itWhole("[W98] all that is done is merged on the page of a run that has ended and stays", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": "phase: { merge: never }\nbackoff: { first: 0s }\n",
      "TASKS.md": tasksFile({
        "1: a": { "T1.1": ["run: echo 1 > one.txt"] },
        "2: b": { "T2.1": ["run: cp one.txt two.txt"] },
      }),
    });
    const run = lab.start(["run", "--yes", "--dashboard"]);
    const link = await linkOf(run);
    // A merge is refused while the run goes on, and the first phase waits for one already.
    await run.seen("[ULTRA-THIN] All done");
    const page = await openPage(link);
    await page.getByRole("button", { name: "Merge all that is done" }).click();
    await page.getByText("phase 2: merged into main").waitFor();
    expect(lab.read("two.txt")).toBe("1\n");
    run.signal("SIGINT");
    await run.ended;
    await page.context().close();
  });
});
