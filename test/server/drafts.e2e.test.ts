import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPages } from "../../src/server/pages.ts";
import { MOST_TEXT } from "../../src/server/shapes/limits.ts";
import { itWhole } from "../sample.ts";
import { goTo, HAS_BROWSER, openAt, openBrowser } from "./browser.ts";
import { openOrchard } from "./orchard.ts";
import type { Stage } from "./stage.ts";

describe.runIf(HAS_BROWSER)("what is written and not sent, in real Chromium", { timeout: 120_000 }, () => {
  let browser: Browser;
  let stage: Stage;
  beforeAll(async () => {
    [browser, stage] = await Promise.all([openBrowser(), openOrchard({ serve: { pages: loadPages() } })]);
  });
  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
  });

  const open = async (hash: string, locale = "en-US"): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale });
    await openAt(page, stage.page.link, hash);
    return page;
  };
  const kept = (page: Page): Promise<unknown> =>
    page.evaluate(`Object.keys(sessionStorage).filter(name => name.startsWith("espalier-draft")).length`);

  itWhole(
    "[W142] words to an agent and a note come back, each to its task, and go when they are sent",
    async () => {
      const page = await open("#/graph?task=T2.1");
      const words = page.getByRole("textbox", { name: "Say something" });
      const note = page.getByRole("textbox", { name: "Note" });
      await words.fill("Use the new endpoint.");
      await note.fill("It takes too long.");
      await goTo(page, "#/graph?task=T2.2");
      await page.locator("[data-task='T2.2']").waitFor();
      expect([await words.inputValue(), await note.inputValue()]).toEqual(["", ""]);
      await goTo(page, "#/graph?task=T2.1");
      await page.locator("[data-task='T2.1']").waitFor();
      await page.reload();
      await page.locator("[data-task='T2.1']").waitFor();
      expect([await words.inputValue(), await note.inputValue()]).toEqual([
        "Use the new endpoint.",
        "It takes too long.",
      ]);
      await expect.poll(() => page.getByText("Your draft: it is not sent yet.").count()).toBe(2);
      await page.locator(".tell").getByRole("button").click();
      await expect.poll(() => words.inputValue()).toBe("");
      expect(stage.asked.at(-1)).toMatchObject({
        method: "tell",
        task: "T2.1",
        text: "Use the new endpoint.",
      });
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await expect.poll(() => note.inputValue()).toBe("");
      expect(stage.asked.at(-1)).toMatchObject({ method: "act", note: "It takes too long." });
      expect(await page.getByText("Your draft").count()).toBe(0);
      expect(await kept(page)).toBe(0);
      await page.reload();
      await page.locator("[data-task='T2.1']").waitFor();
      expect([await words.inputValue(), await note.inputValue()]).toEqual(["", ""]);
      await page.context().close();
    },
  );

  it("[W142] a document that is edited and one that is begun come back after a reload, with a word for it", async () => {
    const page = await open("#/context?item=API", "ko-KR");
    await page.getByRole("button", { name: "편집", exact: true }).click();
    const text = page.getByRole("textbox", { name: "API 본문" });
    const before = await text.inputValue();
    // What is only opened is no draft.
    expect(await kept(page)).toBe(0);
    await text.fill(`${before}- Mine.\n`);
    await page.getByRole("button", { name: "새 문서" }).click();
    await page.getByRole("textbox", { name: "이름" }).fill("NOTES");
    await page.reload();
    await expect.poll(() => text.inputValue()).toBe(`${before}- Mine.\n`);
    expect(await page.getByRole("textbox", { name: "이름" }).inputValue()).toBe("NOTES");
    expect(await page.getByText("이전에 쓰던 초안입니다. 아직 게시되지 않았습니다.").count()).toBe(2);
    await goTo(page, "#/context?item=GC");
    await text.waitFor({ state: "detached" });
    expect(await page.locator(".labels li", { hasText: "API" }).getByText("초안").count()).toBe(1);
    await goTo(page, "#/context?item=API");
    await page.locator(".document-view").getByRole("button", { name: "취소" }).click();
    await page.getByRole("button", { name: "취소" }).click();
    expect(await kept(page)).toBe(0);
    await page.context().close();
  });

  it("[W144] a text that is too long is told with its length and the most, before it is sent", async () => {
    const page = await open("#/context?item=API");
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const text = page.getByRole("textbox", { name: "Text of API" });
    const publish = page.getByRole("button", { name: "Publish" });
    await text.fill("x".repeat(MOST_TEXT + 1));
    await page.getByText("1,048,577 characters, at most 1,048,576").waitFor();
    expect(await publish.isDisabled()).toBe(true);
    await text.fill("x");
    await expect.poll(() => publish.isDisabled()).toBe(false);
    await page.context().close();
  });
});
