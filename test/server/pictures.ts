// Takes the pictures of docs/dashboard.md anew: `npm run pictures`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { loadPages } from "../../src/server/pages.ts";
import { goTo, openBrowser } from "./browser.ts";
import { chatter } from "./chatter.ts";
import { openOrchard, orchardAgo } from "./orchard.ts";

const FOLDER = join(import.meta.dirname, "../../docs/images");

interface Picture {
  readonly name: string;
  readonly hash: string;
  readonly theme?: "dark";
  readonly phone?: true;
  readonly height?: number;
  readonly prepare?: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  { name: "overview", hash: "#/overview" },
  { name: "graph", hash: "#/graph", height: 540 },
  { name: "task", hash: "#/graph?task=T2.3", theme: "dark" },
  {
    name: "receipt",
    hash: "#/graph?task=T2.1",
    prepare: async page => {
      await page.locator(".receipt summary").click();
      await page.locator(".receipt").scrollIntoViewIfNeeded();
    },
  },
  { name: "context", hash: "#/context" },
  { name: "budget", hash: "#/budget", theme: "dark" },
  {
    name: "timeline",
    hash: "#/timeline",
    prepare: page => page.locator(".moment input").fill(String(orchardAgo(26))),
  },
  { name: "phone", hash: "#/overview", phone: true },
];

mkdirSync(FOLDER, { recursive: true });
const stage = await openOrchard({ serve: { pages: loadPages() } });
const browser = await openBrowser();
for (const { name, hash, theme, phone, height, prepare } of PICTURES) {
  const context = await browser.newContext({
    viewport: phone === true ? { width: 390, height: 760 } : { width: 1280, height: height ?? 720 },
    colorScheme: theme ?? "light",
    locale: "en-US",
  });
  const page = await context.newPage();
  await page.goto(stage.page.link);
  await page.waitForSelector(".numbers");
  chatter(stage);
  await goTo(page, hash);
  await page.waitForTimeout(600);
  await prepare?.(page);
  await page.waitForTimeout(500);
  // The fonts of the package have no Hangul.
  await page.evaluate('document.querySelector(".settings [lang]").style.visibility = "hidden"');
  await page.screenshot({ path: join(FOLDER, `dashboard-${name}.png`) });
  await context.close();
}
await browser.close();
await stage[Symbol.asyncDispose]();
