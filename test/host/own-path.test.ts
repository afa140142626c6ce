import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_PATH, findProgram } from "../../src/adapters/process/index.ts";
import { withOwnProgram } from "../../src/host/own-path.ts";
import { PROGRAM, PROGRAM_FOLDER, VERSION } from "../../src/host/package.ts";
import { scratchFolder } from "../scratch.ts";
import { must } from "../vcs/lab.ts";

describe("the environment of a run", () => {
  it("[HO89] leads to this very program, by whatever name it was started", () => {
    const folder = scratchFolder("espalier-path-");
    const around = (path: string) => [PROGRAM_FOLDER, path, dirname(process.execPath)].join(delimiter);
    expect(withOwnProgram({ PATH: folder, HOME: "/h" })).toEqual({ PATH: around(folder), HOME: "/h" });
    // Without PATH programs are found where the system keeps them.
    expect(withOwnProgram({})).toEqual({ PATH: around(DEFAULT_PATH) });
    // Another version would not know what this one says.
    const other = join(folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "espalier"), "#!/bin/sh\n", { mode: 0o755 });
    expect(withOwnProgram({ PATH: other })["PATH"]).toBe(around(other));
    symlinkSync(PROGRAM, join(folder, "espalier"));
    expect(withOwnProgram({ PATH: folder })).toEqual({ PATH: folder });
    const own = withOwnProgram({ PATH: other });
    expect(withOwnProgram(own)).toEqual(own);
  });

  it("[HO89] has it by its name there, also where PATH leads to no Node or to an old one", () => {
    const folder = scratchFolder("espalier-path-");
    for (const name of ["sh", "dirname"])
      symlinkSync(must(findProgram(name, { path: process.env["PATH"] })), join(folder, name));
    const name = "espalier";
    const version = (PATH: string) =>
      execFileSync(name, ["--version"], { env: withOwnProgram({ PATH }), encoding: "utf8" });
    expect(version(process.env["PATH"] ?? "")).toContain(VERSION);
    expect(version(folder)).toContain(VERSION);
    writeFileSync(join(folder, "node"), "#!/bin/sh\necho v18\n", { mode: 0o755 });
    expect(version(folder)).toContain(VERSION);
  });
});
