import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { processIo } from "../../../src/cli/io.ts";
import { buildProgram } from "../../../src/cli/program.ts";
import { inSources } from "../../../src/cli/source-stack.ts";

const BUILT = new URL("../../../dist/", import.meta.url);
const BUNDLED = fileURLToPath(BUILT);

describe("the command line", () => {
  const names = (called?: string) =>
    buildProgram(processIo(), () => {}, called).commands.map(one => one.name());

  it("describes a command that is called as it does among all, and few others", () => {
    const all = names();
    expect(all.length).toBeGreaterThan(20);
    for (const called of all) {
      expect(names(called)).toContain(called);
      expect(names(called).length).toBeLessThan(8);
    }
    for (const called of [undefined, "--help", "help", "stauts", ""]) expect(names(called)).toEqual(all);
  });

  it("[CL94] has every command of a group that its messages, its pages and its documentation name", () => {
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    const groups = new Map(
      buildProgram(processIo(), () => {})
        .commands.filter(({ commands }) => commands.length > 0)
        .map(one => [one.name(), new Set([...one.commands.map(part => part.name()), "help"])]),
    );
    expect([...groups.keys()]).toContain("budget");
    const files = globSync(
      ["src/**/*.ts", "web/src/**/*.{ts,tsx}", "docs/**/*.md", "README*.md", "SECURITY.md"],
      { cwd: root },
    );
    const unknown = files.flatMap(file =>
      [...readFileSync(join(root, file), "utf8").matchAll(/espalier ([a-z]+) ([a-z][a-z-]*)/g)].flatMap(
        ([said, group = "", part = ""]) =>
          groups.get(group)?.has(part) === false ? [`${file}: ${said}`] : [],
      ),
    );
    expect(unknown).toEqual([]);
  });
});

describe("a stack trace", () => {
  it("tells places in the sources for those in the bundle, and leaves others as they are", () => {
    const sought = "BUG: this should not have happened";
    const file = globSync(["cli/*.js", "shared/*.js"], { cwd: BUNDLED })
      .map(name => join(BUNDLED, name))
      .find(path => readFileSync(path, "utf8").includes(sought));
    const lines = readFileSync(file ?? "", "utf8").split("\n");
    const line = lines.findIndex(one => one.includes(sought));
    const column = lines[line]?.indexOf(sought) ?? 0;
    const place = `${pathToFileURL(file ?? "").href}:${line + 1}:${column + 1}`;
    const stack = `Error: x\n    at report (${place})\n    at node:internal/x:1:2\n    at file:///nowhere/a.js:1:2`;
    const told = inSources(stack, BUILT);
    const source = readFileSync(new URL("../../../src/cli/main.ts", import.meta.url), "utf8");
    const at = source.split("\n").findIndex(one => one.includes(sought)) + 1;
    expect(told).toContain(`at report (src/cli/main.ts:${at}:`);
    expect(told).toContain("\n    at node:internal/x:1:2\n    at file:///nowhere/a.js:1:2");
  });
});
