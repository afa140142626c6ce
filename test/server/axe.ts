/** What axe-core, with the rules of WCAG 2.2 AA and its own best practice, finds wrong with a page as it stands. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { settled } from "./browser.ts";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const OPTIONS: RunOptions = {
  resultTypes: ["violations"],
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};

/** Each violation with the elements that are to blame. Waits until nothing loads or fades. */
export async function violations(page: Page): Promise<string[]> {
  await settled(page);
  // Anew each time, so that nothing of the page before is remembered.
  await page.evaluate(SOURCE);
  const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(OPTIONS)})`)) as AxeResults;
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
