import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { circles } from "./circles.ts";
import { readSource } from "./read-source.ts";

/** The rooms of the house, top to bottom: each may import only from those above it. */
const ROOMS = [
  "ports",
  "text",
  "markdown",
  "tokens",
  "delta",
  "summary",
  "checkpoint",
  "sync",
  "tree",
  "budget",
  "plan",
  "assembly",
  "run",
  "config",
  "fleet",
  "context",
  "engine",
  "adapters",
  "host",
  "testing",
  "hub",
  "worker",
  "server",
  "mcp",
  "cli",
];
const PURE = new Set(ROOMS.slice(0, ROOMS.indexOf("engine")));
/** Node's modules that compute and touch nothing. */
const HARMLESS = new Set(["node:crypto"]);

function roomOf(path: string, from: string): string | undefined {
  if (!from.startsWith(".")) return undefined;
  return relative("src", join(dirname(path), from)).split("/")[0];
}

const sources = globSync("src/**/*.{ts,tsx}").sort().map(readSource);

describe("the walls of the house", () => {
  it("finds the sources", () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.some(source => source.imports.length > 0)).toBe(true);
  });

  it("knows every room", () => {
    const unknown = sources.filter(source => !ROOMS.includes(source.room)).map(source => source.path);
    expect(unknown).toEqual([]);
  });

  it("loads no tables of languages before they are needed", () => {
    const early = sources.flatMap(({ path }) =>
      readFileSync(path, "utf8")
        .split("\n")
        .flatMap(line => (/^\S.*new Intl\./.test(line) ? [`${path}: ${line}`] : [])),
    );
    expect(early).toEqual([]);
  });

  it("lets a room import only rooms above it", () => {
    const wrong = sources.flatMap(source =>
      source.imports.flatMap(({ from }) => {
        const target = roomOf(source.path, from);
        if (target === undefined || target === source.room) return [];
        return ROOMS.indexOf(target) < ROOMS.indexOf(source.room) ? [] : [`${source.path} imports ${from}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it("keeps core rooms free of files, processes, clocks, randomness and console", () => {
    const wrong = sources
      .filter(source => PURE.has(source.room))
      .flatMap(source => [
        ...source.touches.map(name => `${source.path} touches ${name}`),
        ...source.imports
          .filter(({ from }) => from.startsWith("node:") && !HARMLESS.has(from))
          .map(({ from }) => `${source.path} imports ${from}`),
        ...source.imports
          .filter(({ from, names }) => from === "node:crypto" && names.some(name => name !== "createHash"))
          .map(({ names }) => `${source.path} takes ${names.join(", ")} from node:crypto`),
      ]);
    expect(wrong).toEqual([]);
  });

  it("prints nowhere but in the faces", () => {
    const wrong = sources.filter(source => source.room !== "cli" && source.touches.includes("console"));
    expect(wrong.map(source => source.path)).toEqual([]);
  });

  it("has no file beyond 400 lines and no star exports", () => {
    const long = sources.filter(source => readFileSync(source.path, "utf8").split("\n").length > 401);
    expect(long.map(source => source.path)).toEqual([]);
    expect(sources.flatMap(source => source.touches.filter(name => name.startsWith("export *")))).toEqual([]);
  });

  it("has no files that import each other in a circle, not even for types", () => {
    const graph = new Map(
      sources.map(({ path, imports }) => [
        path,
        imports.filter(({ from }) => from.startsWith(".")).map(({ from }) => join(dirname(path), from)),
      ]),
    );
    expect(circles(graph)).toEqual([]);
  });

  it.each(["src/adapters/vcs/git", "src/cli/views"])(
    "lets folders of %s lead to each other one way",
    within => {
      const folders = new Map<string, string[]>();
      for (const { path, imports } of sources.filter(source => source.path.startsWith(`${within}/`))) {
        const folder = dirname(path);
        const led = imports
          .filter(({ from }) => from.startsWith("."))
          .map(({ from }) => dirname(join(folder, from)))
          .filter(other => other !== folder && `${other}/`.startsWith(`${within}/`));
        folders.set(folder, [...(folders.get(folder) ?? []), ...led]);
      }
      expect(folders.size).toBeGreaterThan(3);
      expect(circles(folders)).toEqual([]);
    },
  );

  it("finds a circle where there is one", () => {
    const graph = Object.entries({ a: ["b"], b: ["c", "d"], c: ["a"], d: ["e"], e: [] });
    expect(circles(new Map(graph))).toEqual([["a", "b", "c"]]);
  });

  it("catches what it is there to catch", () => {
    const found = readSource("test/house/offender.fixture");
    expect(found.touches).toEqual(
      expect.arrayContaining(["Date.now", "Math.random", "new Date()", "process", "console", "setTimeout"]),
    );
    expect(found.imports.map(({ from }) => from)).toEqual(["node:fs", "../cli/main.ts"]);
  });
});
