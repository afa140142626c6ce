// The dashboard's page against its limits: first paint of a run of 1,000 tasks, how fast a change is seen, a flood of
// events, and what the page weighs. Usage: npm run bench:dashboard [tasks]
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { loadPages, PAGE_FOLDER } from "../src/server/pages.ts";
import { openBrowser } from "../test/server/browser.ts";
import { openStage, row, type Stage } from "../test/server/stage.ts";

const TASKS = Number(process.argv[2] ?? 1000);
const ROUNDS = 7;
const CHANGES = 30;

/** A plan of ten phases whose tasks wait for two of the phase before each. */
function taskFile(count: number): string {
  const size = Math.ceil(count / 10);
  const lines = ["# Thousand"];
  for (let at = 0; at < count; at++) {
    const phase = Math.floor(at / size);
    if (at % size === 0) lines.push(`\n## Phase ${phase}: Part ${phase}`);
    const needs =
      phase === 0
        ? []
        : [at - size, at - size + (at % size === 0 ? 1 : -1)].map(
            n => `T${Math.floor(n / size)}.${n % size}`,
          );
    lines.push(`\n### [ ] T${phase}.${at % size}: Step ${at} of a long way`);
    if (needs.length > 0) lines.push(`- depends_on: [${needs.join(", ")}]`);
  }
  return lines.join("\n");
}

function median(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(0);
  return `${at(0.5)} ms (worst ${sorted.at(-1)!.toFixed(0)})`;
}

/** What all scripts weigh, and those that the first screen asks for. */
function weigh(asked: ReadonlySet<string>): { js: number; first: number } {
  const files = readdirSync(join(PAGE_FOLDER, "assets")).filter(name => name.endsWith(".js"));
  const sizes = files.map(
    name => [name, gzipSync(readFileSync(join(PAGE_FOLDER, "assets", name))).length] as const,
  );
  return {
    js: sizes.reduce((sum, [, size]) => sum + size, 0),
    first: sizes.filter(([name]) => asked.has(name)).reduce((sum, [, size]) => sum + size, 0),
  };
}

/** Has the page note by its own clock when the first screen with its numbers was drawn: on a busy machine a driver learns it later. */
const NOTING = `new MutationObserver((_, observer) => {
  if (document.querySelector(".numbers") === null) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { globalThis.drawnAt = performance.now(); }));
}).observe(document, { childList: true, subtree: true })`;

/** From the server's answer to the first screen with its numbers. */
async function firstPaint(page: Page, link: string): Promise<number> {
  await page.goto("about:blank");
  await page.goto(link, { waitUntil: "commit" });
  await page.waitForSelector(".numbers");
  const noted = `(async () => {
    while (globalThis.drawnAt === undefined) await new Promise(requestAnimationFrame);
    return drawnAt - performance.getEntriesByType("navigation")[0].responseStart;
  })()`;
  return (await page.evaluate(noted)) as number;
}

/** From the commit of a state to its mark on the screen. */
async function changeSeen(page: Page, stage: Stage, id: string, done: boolean): Promise<number> {
  const state = done ? "completed" : "in_progress";
  const selector = `.row.is-${state} a[href*="${id}&"], .row.is-${state} a[href$="${id}"]`;
  const seen = page.waitForSelector(selector, { state: "attached" });
  const began = performance.now();
  stage.commit({ tasks: [row(id, { status: state, attempts: 1, verified: true })] });
  await seen;
  return performance.now() - began;
}

/** 1,000 events a second for five seconds: how long the page's thread was ever busy at a stretch. */
async function flood(page: Page, stage: Stage): Promise<{ sent: number; busiest: number }> {
  await page.evaluate(
    "globalThis.busiest = 0; let last = performance.now(); (function tick() { const now = performance.now(); busiest = Math.max(busiest, now - last); last = now; setTimeout(tick, 10) })()",
  );
  let sent = 0;
  const until = performance.now() + 5000;
  while (performance.now() < until) {
    for (let at = 0; at < 20; at++, sent++)
      stage.say({
        type: "attempt-line",
        task: "T0.1",
        attempt: 1,
        text: `line ${sent} of a very talkative agent`,
      });
    if (sent % 100 === 0) stage.happen({ type: "unblocked", task: "T0.2" });
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return { sent, busiest: (await page.evaluate("busiest")) as number };
}

await using stage = await openStage({
  tasks: taskFile(TASKS),
  rows: plan =>
    plan.tasks.map((task, at) =>
      row(task.id, at < TASKS / 2 ? { status: "completed", attempts: 1, verified: true } : {}),
    ),
  serve: { pages: loadPages() },
});
const browser = await openBrowser();
const page = await browser.newPage({ locale: "en-US", viewport: { width: 1280, height: 720 } });
await page.addInitScript(NOTING);
const asked = new Set<string>();
page.on("request", request => asked.add(new URL(request.url()).pathname.replace("/assets/", "")));
await firstPaint(page, stage.page.link);
const { js, first } = weigh(asked);
const paints: number[] = [];
for (let round = 0; round < ROUNDS; round++) paints.push(await firstPaint(page, stage.page.link));
await page.evaluate("location.hash = '#/graph'");
await page.getByRole("button", { name: "List" }).click();
await page.waitForSelector(".row");
await changeSeen(page, stage, `T9.${CHANGES}`, true);
const changes: number[] = [];
for (let at = 0; at < CHANGES; at++) changes.push(await changeSeen(page, stage, `T9.${at}`, at % 2 === 0));
await page.evaluate("location.hash = '#/graph?task=T0.1'");
stage.commit({ tasks: [row("T0.1", { status: "in_progress", attempts: 1 })] });
await page.waitForSelector(".tail");
const { sent, busiest } = await flood(page, stage);
const rows: readonly (readonly [string, string, string])[] = [
  ["first paint", median(paints), TASKS > 1000 ? "≤ 1000 ms" : "≤ 300 ms"],
  ["change seen", median(changes), "≤ 100 ms"],
  [`${(sent / 5).toFixed(0)} events/s, longest stall`, `${busiest.toFixed(0)} ms`, "the page stays usable"],
  ["JavaScript, gzip", `${(js / 1024).toFixed(0)} KiB (${(first / 1024).toFixed(0)} at first)`, "≤ 230 KiB"],
];
process.stdout.write(
  `${TASKS} tasks in ten phases, ${ROUNDS} loads, ${CHANGES} changes, Chromium ${browser.version()}\n`,
);
for (const [what, found, limit] of rows)
  process.stdout.write(`${what.padEnd(34)} ${found.padEnd(26)} ${limit}\n`);
await browser.close();
