import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Lab, openLab, type Running } from "../cli/lab.ts";
import { itWhole } from "../sample.ts";
import { goTo, HAS_BROWSER, openBrowser, settled } from "./browser.ts";
import { linkOf } from "./link.ts";

const PLAN = "# Plan\n\n## Goal\n\nA list of orders.\n\n## Rules\n\n- Prices are whole cents.\n";

async function textOf(lab: Lab, label: string): Promise<string> {
  const { stdout } = await lab.cli(["context", "show", label, "--json"]);
  return (JSON.parse(stdout) as { text: string }).text;
}

describe.runIf(HAS_BROWSER)("documents that a person writes on the page", { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  async function open(
    lab: Lab,
    args: readonly string[] = ["dashboard"],
    locale = "en-US",
  ): Promise<{ page: Page; served: Running; end: () => Promise<void> }> {
    const served = lab.start(args);
    const link = await linkOf(served);
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale });
    await page.goto(link);
    await page.waitForURL(({ hash }) => hash === "#/");
    await goTo(page, "#/context");
    return {
      page,
      served,
      async end() {
        await page.context().close();
        served.child.kill("SIGTERM");
        await served.ended;
      },
    };
  }
  const text = (page: Page, label: string) => page.getByRole("textbox", { name: `Text of ${label}` });
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

  it("[W129] begins, edits and merges one by the way of `context publish`", async () => {
    await using lab = openLab({ "TASKS.md": "# Orders\n## Phase 1\n### [ ] T1.1: Begin\n" });
    const { page, end } = await open(lab);
    await press(page, "New document");
    await page.getByRole("textbox", { name: "Name, for" }).fill("GC");
    await text(page, "GC").fill(PLAN);
    await press(page, "Publish");
    await page.locator(".document", { hasText: "whole cents" }).waitFor();
    await page.getByText("Published as GC-v1.").waitFor();
    expect(await textOf(lab, "GC")).toBe(PLAN);

    await press(page, "Edit");
    await text(page, "GC").fill(PLAN.replace("whole cents", "whole won"));
    // Whoever looks at another view finds what they wrote.
    await goTo(page, "#/overview");
    await goTo(page, "#/context");
    expect(await text(page, "GC").inputValue()).toContain("whole won");
    lab.write("plan.md", PLAN.replace("A list", "A sorted list"));
    expect((await lab.cli(["context", "publish", "GC", "plan.md", "--base", "1"])).code).toBe(0);
    // [W133] The page hears of it.
    await page.getByText("v2 was published meanwhile").waitFor();
    await press(page, "Publish");
    await page.getByText("Published as GC-v3. It has what others published since GC-v1 as well.").waitFor();
    await page.getByText("Published as GC-v1.").waitFor({ state: "hidden" });
    expect(await textOf(lab, "GC")).toBe(
      PLAN.replace("A list", "A sorted list").replace("whole cents", "whole won"),
    );
    const { stdout } = await lab.cli(["context", "log", "GC"]);
    expect(stdout).toMatch(/v3.*dashboard \(/);
    await end();
  });

  itWhole("[W130] shows both sides where others changed the same section, and loses neither", async () => {
    await using lab = openLab({ "plan.md": PLAN });
    expect((await lab.cli(["context", "publish", "GC", "plan.md"])).code).toBe(0);
    const { page, end } = await open(lab);
    await press(page, "Edit");
    const mine = PLAN.replace("whole cents", "whole won");
    await text(page, "GC").fill(mine);
    const theirs = PLAN.replace("whole cents", "strings");
    lab.write("plan.md", theirs);
    expect((await lab.cli(["context", "publish", "GC", "plan.md", "--base", "1"])).code).toBe(0);
    await press(page, "Publish");
    await page.getByText("Nothing was published: GC-v2 has changed the same sections.").waitFor();
    const sides = page.locator(".sides pre");
    expect(await sides.allTextContents()).toEqual([
      expect.stringContaining("strings"),
      expect.stringContaining("whole won"),
    ]);
    expect(await text(page, "GC").inputValue()).toBe(mine);
    // [W139] Whoever goes on then goes on from the newest.
    const later = theirs.replace("strings", "long strings");
    lab.write("plan.md", later);
    expect((await lab.cli(["context", "publish", "GC", "plan.md", "--base", "2"])).code).toBe(0);
    await press(page, "Go on from GC-v3");
    await expect.poll(() => text(page, "GC").inputValue()).toBe(later);
    expect(await page.locator(".editor details pre").textContent()).toBe(mine);
    // [W143] Publishing that as it stands would drop what was written: it says so, after a reload too.
    await press(page, "Publish");
    await page
      .getByText("Nothing was published: GC-v3 says the same, and nothing of your own text")
      .waitFor();
    expect(await page.locator(".editor details pre").textContent()).toBe(mine);
    await page.reload();
    await expect.poll(() => text(page, "GC").inputValue()).toBe(later);
    expect(await page.locator(".editor details pre").textContent()).toBe(mine);
    await text(page, "GC").fill(later.replace("strings", "strings of whole won"));
    await press(page, "Publish");
    await page.getByText("Published as GC-v4.").waitFor();
    expect(await textOf(lab, "GC")).toContain("strings of whole won");
    await end();
  });

  it("[W143] what was written stays beside every newer version that is gone on from", async () => {
    await using lab = openLab({ "plan.md": PLAN });
    expect((await lab.cli(["context", "publish", "GC", "plan.md"])).code).toBe(0);
    const { page, end } = await open(lab);
    const others = async (price: string, base: string) => {
      lab.write("plan.md", PLAN.replace("whole cents", price));
      expect((await lab.cli(["context", "publish", "GC", "plan.md", "--base", base])).code).toBe(0);
    };
    await press(page, "Edit");
    const mine = PLAN.replace("whole cents", "whole won");
    await text(page, "GC").fill(mine);
    await others("strings", "1");
    await press(page, "Publish");
    await press(page, "Go on from GC-v2");
    await expect.poll(() => text(page, "GC").inputValue()).toContain("strings");
    const kept = page.locator(".editor details pre");
    expect(await kept.allTextContents()).toEqual([mine]);
    // Nothing was written on it: there is nothing more to keep, and nothing less.
    await others("numbers", "2");
    await press(page, "Go on from GC-v3");
    await expect.poll(() => text(page, "GC").inputValue()).toContain("numbers");
    expect(await kept.allTextContents()).toEqual([mine]);
    const second = PLAN.replace("whole cents", "numbers of won");
    await text(page, "GC").fill(second);
    await others("digits", "3");
    await press(page, "Go on from GC-v4");
    await expect.poll(() => text(page, "GC").inputValue()).toContain("digits");
    expect(await kept.allTextContents()).toEqual([second, mine]);
    await end();
  });

  itWhole(
    "[W133] hears on the page of a run what others publish, though no event of the run tells of it",
    async () => {
      await using lab = openLab({
        "plan.md": PLAN,
        "TASKS.md":
          "# Orders\n## Phase 1\n### [ ] T1.1: Wait\n- run: while [ ! -e ../go ]; do sleep 0.05; done\n",
      });
      const { page, end } = await open(lab, ["run", "--yes", "--dashboard"]);
      await page.getByText("No document has been published yet").waitFor();
      expect((await lab.cli(["context", "publish", "GC", "plan.md"])).code).toBe(0);
      await page.locator(".document", { hasText: "whole cents" }).waitFor();
      lab.write("../go", "");
      await end();
    },
  );

  it("[W135] keeps the name of a document that is begun, as it was typed", async () => {
    await using lab = openLab({ "TASKS.md": "# Orders\n## Phase 1\n### [ ] T1.1: Begin\n" });
    const { page, end } = await open(lab);
    await press(page, "New document");
    const name = page.getByRole("textbox", { name: "Name, for" });
    await name.pressSequentially("our plan");
    await text(page, "our plan").fill(PLAN);
    await goTo(page, "#/overview");
    await name.waitFor({ state: "detached" });
    await goTo(page, "#/context");
    await name.waitFor();
    expect(await name.inputValue()).toBe("our plan");
    // No name is made of what was typed: it is refused with what a name has.
    await press(page, "Publish");
    await page.getByText("has 1 to 64 letters").waitFor();
    expect(await text(page, "our plan").inputValue()).toBe(PLAN);
    await end();
  });

  it("[W138] the focus goes to what is opened and comes back to what opened it", async () => {
    await using lab = openLab({ "plan.md": PLAN });
    expect((await lab.cli(["context", "publish", "GC", "plan.md"])).code).toBe(0);
    const { page, end } = await open(lab);
    const focused = (): Promise<unknown> =>
      page.evaluate(`(({ tagName, ariaLabel, textContent }) => tagName + " " + (ariaLabel ?? textContent))(
        document.activeElement)`);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await button("Edit").press("Enter");
    await expect.poll(focused).toBe("TEXTAREA Text of GC");
    await button("Cancel").press("Enter");
    await expect.poll(focused).toBe("BUTTON Edit");
    await button("New document").press("Enter");
    await expect.poll(focused).toContain("INPUT Name");
    await button("Cancel").press("Enter");
    await expect.poll(focused).toBe("BUTTON New document");
    await end();
  });

  it("[W136] leaves the draft and what was read where they stand while the dashboard is away", async () => {
    await using lab = openLab({ "plan.md": PLAN });
    expect((await lab.cli(["context", "publish", "GC", "plan.md"])).code).toBe(0);
    const { page, served, end } = await open(lab, ["dashboard"], "ko-KR");
    await press(page, "편집");
    const field = page.getByRole("textbox", { name: "GC 본문" });
    await field.fill(`${PLAN}- A draft.\n`);
    // What the view shows is asked for again, and nobody answers.
    const unheard = page.waitForEvent("requestfailed", request => request.url().endsWith("/api/context"));
    served.signal("SIGKILL");
    await served.ended;
    await page.getByText("다시 연결을 시도합니다").waitFor();
    await unheard;
    await settled(page);
    expect(await field.inputValue()).toContain("A draft");
    expect(await page.locator(".document").textContent()).toContain("whole cents");
    await goTo(page, "#/overview");
    await field.waitFor({ state: "detached" });
    await goTo(page, "#/context");
    await page.locator(".view").getByText("대시보드가 응답하지 않습니다.").waitFor();
    expect(await page.getByText("Failed to fetch").count()).toBe(0);
    await end();
  });

  it("[W131] offers no field for what it cannot show as it is", async () => {
    await using lab = openLab({ "plan.md": `${PLAN}- A right-to-left mark \u202e stands here.\n` });
    expect((await lab.cli(["context", "publish", "GC", "plan.md"])).code).toBe(0);
    const { page, end } = await open(lab);
    await press(page, "Edit");
    await page.getByText("espalier context publish GC FILE").waitFor();
    expect(await text(page, "GC").count()).toBe(0);

    // Nor is it gone on from: what was written stays, and that is said.
    lab.write("plan.md", PLAN);
    expect((await lab.cli(["context", "publish", "PLAN", "plan.md"])).code).toBe(0);
    await goTo(page, "#/context?item=PLAN");
    await page.getByText("PLAN 1 version").waitFor();
    await press(page, "Edit");
    const mine = PLAN.replace("whole cents", "whole won");
    await text(page, "PLAN").fill(mine);
    lab.write("plan.md", PLAN.replace("whole cents", "whole \u202e cents"));
    expect((await lab.cli(["context", "publish", "PLAN", "plan.md"])).code).toBe(0);
    await press(page, "Publish");
    await press(page, "Go on from PLAN-v2");
    await page.getByText("espalier context publish PLAN FILE").waitFor();
    expect(await text(page, "PLAN").inputValue()).toBe(mine);
    await end();
  });
});
