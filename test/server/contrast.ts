import type { Page } from "playwright-core";
import { settled } from "./browser.ts";

/** Every text the page shows whose contrast to what lies behind it is less than WCAG AA asks for; disabled controls apart. */
const POOR = `(() => {
  const parse = text => {
    const numbers = text.match(/[\\d.e-]+/g).map(Number);
    const [r, g, b, a = 1] = text.startsWith("color(") ? [...numbers.slice(0, 3).map(n => n * 255), ...numbers.slice(3)] : numbers;
    return [r, g, b, a];
  };
  const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3])).concat(1);
  const ground = element => {
    const layers = [];
    for (let at = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (Number(style.opacity) < 1) layers.faded = Math.min(layers.faded ?? 1, Number(style.opacity));
      const color = parse(style.backgroundColor);
      if (color[3] > 0) layers.push(color);
      if (color[3] === 1) break;
    }
    return { color: layers.reduceRight((under, top) => over(top, under), parse(getComputedStyle(document.body).backgroundColor)), faded: layers.faded ?? 1 };
  };
  const light = color => {
    const [r, g, b] = color.map(v => v / 255).map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const poor = [];
  let texts = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    if (node.data.trim() === "" || box.width === 0 || style.visibility === "hidden" || element.closest(":disabled, option")) continue;
    texts++;
    const { color: paper, faded } = ground(element);
    const ink = parse(style.color);
    const seen = over([ink[0], ink[1], ink[2], ink[3] * faded], paper);
    const [a, b] = [light(seen), light(paper)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) poor.push(node.data.trim().slice(0, 30) + " <" + element.className + "> " + ratio.toFixed(2));
  }
  return { texts, poor: [...new Set(poor)] };
})()`;

/** How many texts the page shows, and which of them are too faint. */
export async function measure(page: Page): Promise<{ texts: number; poor: string[] }> {
  await settled(page);
  return (await page.evaluate(POOR)) as { texts: number; poor: string[] };
}
