import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { readSource } from "../house/read-source.ts";
import { blocksOf, readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/architecture.md");

/** The rooms as the test of the walls has them, top to bottom. */
function wallsOf(source: string): string[] {
  const list = /const ROOMS = \[([^\]]+)\]/.exec(source)?.[1] ?? "";
  return Array.from(list.matchAll(/"([a-z]+)"/g), ([, room = ""]) => room);
}

/** The part of a page below a heading, up to the next of its level or above. */
function below(text: string, heading: string): string {
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const from = text.indexOf(`\n${heading}\n`);
  if (from < 0) throw new Error(`no heading ${heading}`);
  const rest = text.slice(from + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${level}} `, "m"));
  return end < 0 ? rest : rest.slice(0, end);
}

interface Stop {
  readonly file: string;
  readonly name: string;
}

/** The walks of a page: the files and functions of their numbered lines. */
function walksOf(text: string): Stop[][] {
  const part = below(text, "## Walks");
  const walks = part.split(/^### /m).slice(1);
  return walks.map(walk =>
    Array.from(walk.matchAll(/^\d+\. `([^`]+)` `([^`]+)`: \S/gm), ([, file = "", name = ""]) => ({
      file,
      name,
    })),
  );
}

/** Whether a file defines a function, a class, a constant or a method of that name. */
function defines(source: string, name: string): boolean {
  const escaped = name.replace(/[#$]/g, "\\$&");
  const declared = new RegExp(`^\\s*(?:export )?(?:async )?(?:function|class|const) ${escaped}\\b`, "m");
  const method = new RegExp(`^\\s+(?:async )?${escaped}(?:<[^>]*>)?\\([^;]*?\\)?[^;]*\\{$`, "m");
  const arrow = new RegExp(`^\\s+${escaped}: .*=>`, "m");
  return arrow.test(source) || (!name.startsWith("#") && declared.test(source)) || method.test(source);
}

function missing({ file, name }: Stop): boolean {
  return !existsSync(file) || !defines(readFileSync(file, "utf8"), name);
}

describe("docs/architecture.md", () => {
  const rows = tableOf(page, "room", "for", "imports").map(([room = "", what = "", imports = ""]) => ({
    room: spansOf(room)[0] ?? "",
    what,
    imports: spansOf(imports),
  }));

  it("has the rooms of the walls, in their order, each with what it is for", () => {
    const walls = wallsOf(readFileSync("test/house/walls.test.ts", "utf8"));
    expect(walls.length).toBeGreaterThan(15);
    expect(rows.map(({ room }) => room)).toEqual(walls);
    expect(rows.filter(({ what }) => what.length < 20)).toEqual([]);
    expect(wallsOf('const ROOMS = [\n  "ports",\n  "text",\n];')).toEqual(["ports", "text"]);
  });

  it("tells what each room imports, as it does", () => {
    const found = new Map(rows.map(({ room }) => [room, new Set<string>()]));
    for (const { path, room, imports } of globSync("src/**/*.{ts,tsx}").map(readSource)) {
      for (const { from } of imports) {
        const target = from.startsWith(".") ? relative("src", join(dirname(path), from)).split("/")[0] : room;
        if (target !== undefined && target !== room) found.get(room)?.add(target);
      }
    }
    const order = rows.map(({ room }) => room);
    const real = order.map(room => [room, order.filter(other => found.get(room)?.has(other) === true)]);
    expect(rows.map(({ room, imports }) => [room, imports])).toEqual(real);
  });

  it("draws every room once", () => {
    const drawing = blocksOf(page)[0]?.text ?? "";
    const drawn = rows
      .filter(({ room }) => new RegExp(`\\b${room}\\b`).test(drawing))
      .map(({ room }) => room);
    expect(drawn).toEqual(rows.map(({ room }) => room).filter(room => room !== "testing"));
  });

  it("walks through files and functions that are there", () => {
    const walks = walksOf(page);
    expect(walks.map(walk => walk.length)).toEqual([22, 22, 18, 13, 14]);
    expect(walks.flat().filter(missing)).toEqual([]);
  });

  it("would notice a file or a function that is gone", () => {
    const lie = page
      .replace("`src/run/step.ts` `step`", "`src/run/step.ts` `stepped`")
      .replace("`src/sync/step.ts`", "`src/sync/gone.ts`")
      .replace("`#publish`", "`#published`");
    expect(
      walksOf(lie)
        .flat()
        .filter(missing)
        .map(({ name }) => name),
    ).toEqual(["stepped", "#published", "leadStep"]);
    expect(defines("const used = step(run);", "step")).toBe(false);
    expect(defines("  commit(change: Change): void {", "commit")).toBe(true);
    expect(defines("  this.commit(change);", "commit")).toBe(false);
  });

  it("names words of the code that are there", () => {
    const source = globSync("src/**/*.ts")
      .map(path => readFileSync(path, "utf8"))
      .join("\n");
    const names = tableOf(page, "word", "meaning").flatMap(([, meaning = ""]) =>
      spansOf(meaning).filter(span => /^[A-Z][A-Za-z]+$|^[A-Z]+$/.test(span) && span !== "GC"),
    );
    expect(names.length).toBeGreaterThan(15);
    const isThere = (name: string) => new RegExp(`\\b(?:interface|type|class|const) ${name}\\b`).test(source);
    expect(names.filter(name => !isThere(name))).toEqual([]);
  });
});

describe("CONTRIBUTING.md", () => {
  const text = readPage("CONTRIBUTING.md");
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

  /** Names of scripts that a text's commands run, and that the package has not. */
  function unknown(words: string): string[] {
    const named = Array.from(
      words.matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g),
      ([, ran, own]) => ran ?? own,
    );
    return named.filter((name): name is string => name !== undefined && !Object.hasOwn(scripts, name));
  }

  it("names commands that the package has, and paths that are there", () => {
    const commands = tableOf(text, "command", "what").map(([command = ""]) => spansOf(command)[0] ?? "");
    expect(commands.length).toBeGreaterThan(10);
    expect(unknown(text)).toEqual([]);
    expect(unknown("`npm run nothing`, `npm test`, `npm run bench:none`")).toEqual(["nothing", "bench:none"]);
    const paths = commands.flatMap(command => /vitest run (\S+)/.exec(command)?.[1] ?? []);
    expect(paths.length).toBeGreaterThan(1);
    expect(paths.filter(path => !existsSync(path))).toEqual([]);
  });

  it("refers, as the architecture does, to nothing outside of the repository", () => {
    const outside = /https?:|\.\.\/\.\.|\s\/(?:home|root|tmp|work)\b/;
    expect([page, text].filter(one => outside.test(one))).toEqual([]);
  });
});
