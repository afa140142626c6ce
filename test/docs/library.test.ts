import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { blocksOf, readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/library.md");
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, string> };
const blocks = blocksOf(page);
const examples = blocks.flatMap(({ lang, text }, at) => {
  const output = blocks[at + 1];
  return lang === "ts" ? [{ text, output: output?.lang === "text" ? output.text : "" }] : [];
});
/** The host stands twice: by its name, and as the package itself. */
const HOST = ["espalier", "espalier/host"];
const ROOMS = [
  "plan",
  "run",
  "text",
  "markdown",
  "tokens",
  "delta",
  "summary",
  "checkpoint",
  "sync",
  "tree",
  "budget",
  "assembly",
  "ports",
  "testing",
];
/** Exports that are no code. */
const DATA = ["espalier.schema.json", "output.schema.json"];

/** The example with its imports leading to the sources, so that no build is needed. */
function onSources(text: string): string {
  return ROOMS.reduce(
    (code, room) =>
      code.replaceAll(
        `"espalier/${room}"`,
        JSON.stringify(fileURLToPath(new URL(`../../src/${room}/index.ts`, import.meta.url))),
      ),
    text,
  );
}

describe("docs/library.md", () => {
  it("lists exactly the subpaths the package exports", () => {
    const listed = tableOf(page, "subpath", "folder").map(([path]) => spansOf(path ?? "")[0]);
    const exported = Object.keys(manifest.exports)
      .filter(path => path !== "./package.json")
      .map(path => (path === "." ? "espalier" : `espalier/${path.slice(2)}`));
    expect(listed).toEqual(exported);
    expect(exported).toEqual([...HOST, ...[...ROOMS, ...DATA].map(name => `espalier/${name}`)]);
  });

  it("says of no part that it is pure which loads what touches processes, sockets or databases", () => {
    const rows = tableOf(page, "subpath", "folder").filter(([, , , pure]) => pure === "yes");
    const files = rows.map(
      ([path]) => `./dist/${(spansOf(path ?? "")[0] ?? "").slice("espalier/".length)}/index.js`,
    );
    const script = `const had = new Set(process.moduleLoadList);
for (const file of ${JSON.stringify(files)}) await import(new URL(file, "file://" + process.cwd() + "/"));
console.log(process.moduleLoadList.filter(name => !had.has(name)).join());`;
    const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    expect([status, files.length]).toEqual([0, 13]);
    expect(stdout).not.toMatch(/NativeModule (?:child_process|net|sqlite|http)\b/);
  });

  it("shows the example of a run as it stands in its file", () => {
    const shown = blocks.find(({ lang }) => lang === "typescript")?.text;
    expect(shown).toBe(readPage("examples/embedding/run.ts"));
  });

  it("has an output for every example", () => {
    expect(examples.length).toBeGreaterThanOrEqual(5);
    for (const { output } of examples) expect(output).not.toBe("");
  });

  it.each(examples)("prints what it says: example %#", ({ text, output }) => {
    const folder = mkdtempSync(join(tmpdir(), "espalier-docs-"));
    try {
      const file = join(folder, "example.mts");
      writeFileSync(file, onSources(text));
      const env = { PATH: process.env["PATH"], NO_COLOR: "1" };
      const { stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", file], {
        encoding: "utf8",
        env,
      });
      expect(stderr).toBe("");
      expect(stdout).toBe(output);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("names only exports that exist", async () => {
    const rooms: Record<string, object> = {
      plan: await import("../../src/plan/index.ts"),
      run: await import("../../src/run/index.ts"),
      delta: await import("../../src/delta/index.ts"),
    };
    const [plan, run, delta] = [
      page.slice(page.indexOf("## Plan"), page.indexOf("## Run")),
      page.slice(page.indexOf("## Run"), page.indexOf("## Delta")),
      page.slice(page.indexOf("## Delta"), page.indexOf("## Ports")),
    ];
    for (const [room, part] of [
      ["plan", plan],
      ["run", run],
      ["delta", delta],
    ] as const) {
      const names = tableOf(part, "also there", "for").flatMap(([cell]) => spansOf(cell ?? ""));
      expect(names.length).toBeGreaterThan(3);
      for (const name of names) expect(Object.keys(rooms[room] ?? {})).toContain(name.replace(/\(.*/, ""));
    }
  });
});
