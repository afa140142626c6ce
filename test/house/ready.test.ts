import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ready = fileURLToPath(new URL("../../tools/ready.mjs", import.meta.url));

/** What `ready.mjs` has npm do in a checkout whose packages are a folder of its own, or a link to those of another one. */
function calls(packages: "folder" | "link"): string[] {
  const folder = mkdtempSync(join(tmpdir(), "espalier-ready-"));
  try {
    const at = (...parts: string[]) => join(folder, ...parts);
    for (const name of ["bin", "other", "here", "here/tools", "here/src", "here/web/src", "here/web/public"])
      mkdirSync(at(...name.split("/")), { recursive: true });
    copyFileSync(ready, at("here", "tools", "ready.mjs"));
    writeFileSync(at("here", "package-lock.json"), "{}");
    if (packages === "link") symlinkSync(at("other"), at("here", "node_modules"));
    else mkdirSync(at("here", "node_modules"));
    writeFileSync(at("bin", "npm"), `#!/bin/sh\necho "$1" >> '${at("calls")}'\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${at("bin")}:${process.env["PATH"]}` };
    const { status } = spawnSync(process.execPath, [at("here", "tools", "ready.mjs")], { env });
    expect(status).toBe(0);
    return readFileSync(at("calls"), "utf8").trim().split("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it("installs nothing through a link: npm ci would empty the folder of another checkout", () => {
  expect(calls("folder")).toEqual(["ci", "run"]);
  expect(calls("link")).toEqual(["run"]);
});
