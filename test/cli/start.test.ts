import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { changed, type Io } from "../../src/cli/io.ts";
import { runCommandLine } from "../../src/cli/main.ts";

const DIST = new URL("../../dist/", import.meta.url);

/** What a file of the bundle loads by its own imports, itself included. */
function loadedWith(file: string): string[] {
  const found = new Set([file]);
  for (const one of found) {
    const code = readFileSync(new URL(one, DIST), "utf8");
    for (const [, path = ""] of code.matchAll(/\bfrom\s*"(\.[^"]+)"|\bimport\s*"(\.[^"]+)"/g))
      if (path !== "") found.add(new URL(path, `file:///${one}`).pathname.slice(1));
  }
  return [...found];
}

describe("start", () => {
  const maps = JSON.parse(readFileSync(new URL("maps.json", DIST), "utf8")) as Record<
    string,
    { readonly sources: readonly string[] }
  >;
  /** The sources that are loaded with a file of the bundle. */
  const sourcesWith = (file: string) => loadedWith(file).flatMap(one => maps[one]?.sources ?? []);

  it("CL12 loads no reader of task files before the command is known", () => {
    const sources = sourcesWith("cli/main.js");
    expect(sources.some(source => source.endsWith("src/cli/program.ts"))).toBe(true);
    expect(sources.filter(source => /src\/(?:plan\/markdown|run|engine)\//.test(source))).toEqual([]);
  });

  it("[CL15] shows a run without loading what asks git", () => {
    const [file] = Object.keys(maps).filter(one =>
      maps[one]?.sources.some(source => source.endsWith("src/cli/commands/status.ts")),
    );
    const sources = sourcesWith(file ?? "");
    expect(sources.some(source => source.endsWith("src/cli/views/status-view.ts"))).toBe(true);
    expect(sources.filter(source => source.includes("src/adapters/vcs/"))).toEqual([]);
  });

  it.each(["warden", "caller", "tool-hook"])(
    "[CL14] %s, which a run starts beside itself, is one file and loads no other",
    name => {
      expect(loadedWith(`process/${name}.js`)).toEqual([`process/${name}.js`]);
    },
  );

  it("CL12 answers --version, and the help of a command, without opening standard input", async () => {
    const told: string[] = [];
    const stream = { write: (text: string) => told.push(text) > 0, on: () => stream };
    const io = {
      cwd: ".",
      env: {},
      stdout: stream,
      stderr: stream,
      get stdin(): never {
        throw new Error("standard input was opened");
      },
    } as unknown as Io;
    for (const asked of [["--version"], ["-V"]])
      expect(await runCommandLine(io, ["node", "espalier", ...asked])).toBe(0);
    expect(told.join("")).toMatch(/^(\d+\.\d+\.\d+\n)\1$/);
    expect(await runCommandLine(io, ["node", "espalier", "status", "--help"])).toBe(0);
    expect(changed(io, { cwd: "elsewhere" }).cwd).toBe("elsewhere");
  });
});
