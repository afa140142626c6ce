import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readKeys } from "../../src/cli/views/live/watch-keys.ts";
import { openLab } from "../cli/lab.ts";
import { spansOf, tableOf } from "./page.ts";

const DOCS = join(import.meta.dirname, "../../docs");
const TEXT = readFileSync(join(DOCS, "dashboard.md"), "utf8");

describe("docs/dashboard.md", () => {
  it("names flags that are there", async () => {
    await using lab = openLab();
    const dashboard = (await lab.ask("dashboard", "--help")).stdout;
    const run = (await lab.ask("run", "--help")).stdout;
    const flags = [...TEXT.matchAll(/^\| `(--[a-z]+)/gm)].map(([, flag]) => flag!);
    expect(flags).toEqual(["--port", "--public", "--pair", "--json"]);
    for (const flag of flags) expect(dashboard).toContain(flag);
    expect(run).toContain("--dashboard");
    expect(run).toContain("--port");
  });

  it("has every letter that is a key of watch in its table, and no other", () => {
    const told = tableOf(TEXT.slice(TEXT.indexOf("## In the terminal")), "key").flatMap(([keys = ""]) =>
      spansOf(keys),
    );
    const letters = "abcdefghijklmnopqrstuvwxyz".split("").filter(letter => readKeys(letter).length > 0);
    expect(told.filter(key => /^[a-z]$/.test(key)).sort()).toEqual(letters);
  });

  it("shows pictures that are there and small", () => {
    const pictures = [...TEXT.matchAll(/\]\((images\/[\w.-]+)\)/g)].map(([, path]) => path!);
    const taken = globSync("dashboard-*.png", { cwd: join(DOCS, "images") }).map(name => `images/${name}`);
    expect(pictures.sort()).toEqual(taken.sort());
    for (const path of pictures) {
      expect(existsSync(join(DOCS, path))).toBe(true);
      expect(readFileSync(join(DOCS, path)).length).toBeLessThan(200_000);
    }
  });

  it("says what a port that is taken comes to", async () => {
    await using lab = openLab();
    const first = lab.start(["dashboard", "--json"]);
    const said = new Promise<string>(resolve => {
      first.child.stdout?.once("data", chunk => resolve(String(chunk)));
    });
    const { origin, link } = JSON.parse(await said) as { origin: string; link: string };
    const { port } = new URL(origin);
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    const second = await lab.cli(["dashboard", "--port", port]);
    expect(second.code).toBe(6);
    expect(second.stderr).toContain(`port ${port} is taken`);
    first.signal("SIGTERM");
    expect((await first.ended).code).toBe(0);
  });
});
