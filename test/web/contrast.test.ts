import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const CSS = readFileSync(new URL("../../web/src/style/base.css", import.meta.url), "utf8");

/** The colours of the page by name, for light and dark. */
const COLORS = new Map(
  [...CSS.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name, light, dark]) => [name!, [light!, dark!] as const],
  ),
);

type Rgb = readonly [number, number, number];

function rgb(hex: string): Rgb {
  return [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
}

/** A colour laid over another. */
function mix(over: Rgb, under: Rgb, share: number): Rgb {
  return over.map((value, at) => value * share + under[at]! * (1 - share)) as unknown as Rgb;
}

/** Relative luminance as WCAG defines it. */
function luminance(color: Rgb): number {
  const [r, g, b] = color.map(value => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

const TEXTS = [...COLORS.keys()].filter(
  name => name === "text" || name === "quiet" || name === "accent" || name.startsWith("c-"),
);
const GROUNDS = ["bg", "surface", "sunken", "raised"];

describe("contrast", () => {
  it("[W88] finds the colours", () => {
    expect(TEXTS.length).toBeGreaterThanOrEqual(13);
    for (const name of GROUNDS) expect(COLORS.has(name)).toBe(true);
  });

  it.each(["light", "dark"] as const)("[W88] text reaches 4.5 : 1 on every ground (%s)", theme => {
    const at = theme === "light" ? 0 : 1;
    const poor: string[] = [];
    for (const text of TEXTS)
      for (const ground of GROUNDS) {
        const [ink, paper] = [rgb(COLORS.get(text)![at]), rgb(COLORS.get(ground)![at])];
        // Pills and cards are tinted with their own colour; changed lines with theirs.
        for (const share of [0, 0.09]) {
          const ratio = contrast(ink, mix(ink, paper, share));
          if (ratio < 4.5) poor.push(`${text} on ${ground} (${share}): ${ratio.toFixed(2)}`);
        }
      }
    expect(poor).toEqual([]);
  });

  it.each(["light", "dark"] as const)("[W88] buttons and changed lines too (%s)", theme => {
    const at = theme === "light" ? 0 : 1;
    const color = (name: string) => rgb(COLORS.get(name)![at]);
    expect(contrast(color("accent-ink"), color("accent"))).toBeGreaterThanOrEqual(4.5);
    for (const [tint, share] of [
      ["c-failed", 0.13],
      ["c-completed", 0.15],
    ] as const)
      expect(contrast(color("text"), mix(color(tint), color("surface"), share))).toBeGreaterThanOrEqual(4.5);
  });
});
