import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { HAS_TERMINAL } from "../cli/terminal.ts";
import { sampleOf } from "../sample.ts";

/** What the last picture says, whatever took how long; and the keys that the ones before it name. */
function toldBy(svg: string): { readonly end: string[]; readonly keys: string | undefined } {
  const pictures = svg.split("<g ").slice(1);
  const textsOf = (picture = "") =>
    [...picture.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = ""]) => text.replaceAll(/\d+/g, "0"));
  return {
    end: textsOf(pictures.at(-1)),
    keys: pictures.flatMap(textsOf).find(text => text.includes("Ctrl+C")),
  };
}

describe.skipIf(!HAS_TERMINAL)("the moving picture of a run", { timeout: 120_000 }, () => {
  it.each(
    sampleOf(
      [
        ["en", "docs/images/run.svg"],
        ["ko", "docs/images/run.ko.svg"],
      ],
      1,
    ),
  )("[VD1] shows in %s what a run shows now", (locale, file) => {
    const kept = readFileSync(file, "utf8");
    const made = execFileSync(process.execPath, ["--no-warnings", "tools/recording.mjs", "--print", locale], {
      encoding: "utf8",
      maxBuffer: 10_000_000,
    });
    const now = toldBy(made);
    expect(now.end.length).toBeGreaterThan(3);
    expect(now.keys).toContain("Ctrl+C");
    expect(toldBy(kept), "npm run recording makes it again").toEqual(now);
    expect(kept).not.toContain("/tmp/");
  });

  it("[VD1] stands in the README of its language", () => {
    expect(readFileSync("README.md", "utf8")).toContain("(docs/images/run.svg)");
    expect(readFileSync("README.ko.md", "utf8")).toContain("(docs/images/run.ko.svg)");
  });
});
