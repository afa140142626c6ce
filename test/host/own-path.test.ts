import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { withOwnProgram } from "../../src/host/own-path.ts";
import { PROGRAM, PROGRAM_FOLDER, VERSION } from "../../src/host/package.ts";
import { scratchFolder } from "../scratch.ts";

describe("the environment of a run", () => {
  it("[HO89] leads to this very program, by whatever name it was started", () => {
    const folder = scratchFolder("espalier-path-");
    expect(withOwnProgram({ PATH: folder, HOME: "/h" })).toEqual({
      PATH: `${PROGRAM_FOLDER}${delimiter}${folder}`,
      HOME: "/h",
    });
    expect(withOwnProgram({})).toEqual({ PATH: PROGRAM_FOLDER });
    // Another version would not know what this one says.
    const other = join(folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, "espalier"), "#!/bin/sh\n", { mode: 0o755 });
    expect(withOwnProgram({ PATH: other })["PATH"]).toBe(`${PROGRAM_FOLDER}${delimiter}${other}`);
    symlinkSync(PROGRAM, join(folder, "espalier"));
    expect(withOwnProgram({ PATH: folder })).toEqual({ PATH: folder });
    const own = withOwnProgram({ PATH: other });
    expect(withOwnProgram(own)).toEqual(own);
  });

  it("[HO89] has it by its name there", () => {
    const env = withOwnProgram({ PATH: process.env["PATH"] ?? "" });
    const name = "espalier";
    expect(execFileSync(name, ["--version"], { env, encoding: "utf8" })).toContain(VERSION);
  });
});
