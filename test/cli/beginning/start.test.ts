import { spawnSync } from "node:child_process";
import {
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { changed, type Io } from "../../../src/cli/io.ts";
import { runCommandLine } from "../../../src/cli/main.ts";
import { VERSION } from "../../../src/host/package.ts";
import { openLab } from "../lab.ts";

const PROGRAM = fileURLToPath(new URL("../../../bin/espalier.js", import.meta.url));
const DIST = new URL("../../../dist/", import.meta.url);

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

  it("[CL52] keeps compiled code by version, and removes that of another one which was not added to for a month", async () => {
    await using lab = openLab({});
    const cache = join(lab.home, "compiled");
    const all = join(cache, "espalier");
    const victim = join(lab.home, "victim");
    const month = new Date(Date.now() - 31 * 86_400_000);
    for (const name of ["0.0.1", "v24.0.0-x64-0", "0.0.2", "notes"]) {
      mkdirSync(join(all, name), { recursive: true });
      writeFileSync(join(all, name, "file"), "");
      if (name !== "0.0.2")
        for (const path of [join(all, name, "file"), join(all, name)]) utimesSync(path, month, month);
    }
    // Node keeps what it compiled in a folder of its own, below that of the version.
    mkdirSync(join(all, "0.0.4", "v24.0.0-x64-0"), { recursive: true });
    utimesSync(join(all, "0.0.4"), month, month);
    mkdirSync(victim);
    writeFileSync(join(victim, "file"), "");
    symlinkSync(victim, join(all, "0.0.3"));
    lutimesSync(join(all, "0.0.3"), month, month);
    const env = { PATH: process.env["PATH"], HOME: lab.home, XDG_CACHE_HOME: cache };
    const begin = () => spawnSync(process.execPath, [PROGRAM, "--version"], { env, encoding: "utf8" });
    expect(begin()).toMatchObject({ status: 0, stdout: `${VERSION}\n` });
    expect(readdirSync(all).toSorted()).toEqual(["0.0.2", "0.0.4", VERSION, "notes"].toSorted());
    expect(readdirSync(victim)).toEqual(["file"]);
    expect(readdirSync(join(all, VERSION))).toEqual([expect.stringMatching(/^v\d/)]);
    // Only the first start of a version looks for others.
    mkdirSync(join(all, "0.0.1"));
    utimesSync(join(all, "0.0.1"), month, month);
    begin();
    expect(readdirSync(all)).toContain("0.0.1");
  });

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
