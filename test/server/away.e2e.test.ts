import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPages } from "../../src/server/pages.ts";
import { HAS_BROWSER, openBrowser } from "./browser.ts";
import { openOrchard } from "./orchard.ts";
import type { Stage } from "./stage.ts";

describe.runIf(HAS_BROWSER)("away from the desk, in real Chromium", { timeout: 120_000 }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let stage: Stage;
  beforeAll(async () => {
    [browser, stage] = await Promise.all([openBrowser(), openOrchard({ serve: { pages: loadPages() } })]);
  });
  afterAll(async () => {
    await browser.close();
    await stage[Symbol.asyncDispose]();
  });

  it("[W127] a Korean phone is spoken to in Korean before it is let in, by the server too, and nothing of its header lies on another", async () => {
    const context = await browser.newContext({ locale: "ko-KR", viewport: { width: 390, height: 844 } });
    const phone = await context.newPage();
    await phone.goto(stage.page.origin);
    await phone.getByLabel("코드", { exact: true }).fill("WRONG-CODE");
    await phone.getByRole("button", { name: "접속" }).click();
    await phone.getByText("코드가 틀렸거나").waitFor();
    await phone.getByLabel("코드", { exact: true }).fill(stage.page.openCode().code);
    await phone.getByRole("button", { name: "접속" }).click();
    await phone.getByRole("button", { name: "로그아웃" }).waitFor();
    expect(await phone.evaluate("document.documentElement.lang")).toBe("ko");
    stage.setLink({ live: false });
    await phone.locator(".control button").first().waitFor();
    for (const locale of ["ko", "en"]) {
      await expect.poll(() => phone.evaluate("document.documentElement.lang")).toBe(locale);
      const [progress, control] = await Promise.all(
        [".standing .progress small", ".control"].map(one => phone.locator(one).boundingBox()),
      );
      const isApart =
        progress!.x + progress!.width <= control!.x || progress!.y + progress!.height <= control!.y;
      expect(isApart).toBe(true);
      await phone
        .getByRole("button", { name: "English" })
        .or(phone.getByRole("button", { name: "한국어" }))
        .click();
    }
    stage.setLink({ live: true });
    await context.close();
  });

  it("[W220] the name of the project keeps its room on a phone, whatever stands beside it", async () => {
    const { page } = stage;
    for (const [locale, code, enter] of [
      ["en-US", "Code", "Let me in"],
      ["ko-KR", "코드", "접속"],
    ] as const) {
      const context = await browser.newContext({ locale, viewport: { width: 390, height: 844 } });
      const phone = await context.newPage();
      await phone.goto(page.origin);
      await phone.getByLabel(code, { exact: true }).fill(page.openCode().code);
      await phone.getByRole("button", { name: enter }).click();
      await phone.locator(".line.is-live").waitFor();
      const headers = { authorization: `Bearer ${page.token}`, "content-type": "application/json" };
      const grants = await (await fetch(`${page.origin}/api/access`, { headers })).json();
      for (const { id } of (grants as { readonly grants: readonly { readonly id: string }[] }).grants) {
        const body = JSON.stringify({ kind: "revoke", id });
        await fetch(`${page.origin}/api/access`, { method: "POST", headers, body });
      }
      await phone.locator(".line.is-denied").waitFor();
      const name = phone.locator(".top h1");
      await phone.evaluate(`document.querySelector(".top h1").textContent = "The orchard of the north"`);
      expect((await name.boundingBox())!.width).toBeGreaterThanOrEqual(120);
      await context.close();
    }
  });

  it("[W160] whose access ended is told so by what they were let in by", async () => {
    const { page } = stage;
    const headers = { authorization: `Bearer ${page.token}`, "content-type": "application/json" };
    const ask = async (body?: object) => {
      const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(`${page.origin}/api/access`, { ...init, headers });
      return (await answer.json()) as {
        readonly link: string;
        readonly grants: readonly { readonly id: string }[];
      };
    };
    const opened = async (link: string, name: string) => {
      const one = await (await browser.newContext({ locale: "en-US" })).newPage();
      await one.goto(link);
      if (link === page.origin) {
        await one.getByLabel("Code", { exact: true }).fill(page.openCode().code);
        await one.getByRole("button", { name }).click();
      }
      await one.locator(".needs li").first().waitFor();
      return one;
    };
    const viewer = await opened((await ask({ kind: "share", name: "team" })).link, "");
    const phone = await opened(page.origin, "Let me in");
    for (const { id } of (await ask()).grants) await ask({ kind: "revoke", id });
    await viewer.getByRole("alert").getByText("Ask whoever shared it for a new one.").waitFor();
    await phone.getByRole("alert").getByText("Enter a new code.").waitFor();
    await viewer.reload();
    await viewer.getByRole("alert").getByText("This link no longer shows the run").waitFor();
    // The answer is there before the page is drawn: what it says is the same line of the connection, for another reason.
    await viewer.evaluate("requestAnimationFrame = draw => setTimeout(() => draw(performance.now()), 1500)");
    await viewer.evaluate(`location.hash = "#token=${"x".repeat(43)}"`);
    await viewer.getByRole("alert").getByText("The key of this tab is no longer valid").waitFor();
    expect((await ask()).grants).toEqual([]);
    await Promise.all([viewer.context().close(), phone.context().close()]);
  });

  it("[W126] a phone is let in by a code, decides, and logs out; a link that it is sent shows and offers nothing", async () => {
    const desk = await browser.newPage({ locale: "en-US", viewport: { width: 1280, height: 720 } });
    await desk.goto(stage.page.link);
    await desk.getByRole("button", { name: "Devices" }).click();
    await desk.getByRole("button", { name: "Code for a device" }).click();
    const code = await desk.locator("output.code").textContent();

    const context = await browser.newContext({ locale: "en-US", viewport: { width: 390, height: 844 } });
    const phone = await context.newPage();
    await phone.goto(stage.page.origin);
    await phone.getByLabel("Code", { exact: true }).fill("WRONG-CODE");
    await phone.getByRole("button", { name: "Let me in" }).click();
    await phone.getByText("this code is wrong, used or too old").waitFor();
    await phone.getByLabel("Code", { exact: true }).fill(code!.toLowerCase());
    await phone.getByRole("button", { name: "Let me in" }).click();
    await phone.locator(".needs button").first().waitFor();
    expect(await phone.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await phone.locator(".needs").getByRole("button", { name: "Resume" }).click();
    await phone.locator(".needs").getByText("done", { exact: true }).waitFor();
    expect(stage.asked.at(-1)).toMatchObject({
      method: "act",
      task: "T2.3",
      by: expect.stringContaining("ann"),
    });
    // Reloaded, it is still let in; the address holds nothing of it.
    await phone.reload();
    await phone.locator(".needs button").first().waitFor();
    expect(phone.url()).not.toMatch(/token|view=/);
    await phone.getByRole("button", { name: "Log out" }).click();
    await phone.getByLabel("Code", { exact: true }).waitFor();

    await desk.getByRole("button", { name: "Link that only shows" }).click();
    const link = await desk.locator("output.link").textContent();
    const other = await browser.newContext({ locale: "en-US", viewport: { width: 390, height: 844 } });
    const viewer = await other.newPage();
    await viewer.goto(link!);
    await viewer.getByText("only shows").waitFor();
    await viewer.locator(".needs li").first().waitFor();
    expect(await viewer.locator(".needs button:visible, .control:visible").count()).toBe(0);
    const before = stage.asked.length;
    const status = await viewer.evaluate(
      "fetch('/api/act', { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer ' + sessionStorage.getItem('espalier-token') }, body: JSON.stringify({ kind: 'stop', how: 'hard' }) }).then(answer => answer.status)",
    );
    expect([status, stage.asked.length]).toEqual([403, before]);
    await desk.getByRole("button", { name: /^Revoke Link/ }).click();
    await viewer.getByLabel("Code", { exact: true }).waitFor();
    await Promise.all([desk.context().close(), context.close(), other.close()]);
  });
});
