import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { acquireLock } from "../../src/adapters/lock/index.ts";
import { COMPILED, scratchFolder } from "../scratch.ts";
import { must } from "../vcs/lab.ts";

const PROGRAM = fileURLToPath(new URL("./coordinator.ts", import.meta.url));

/** What the program says, with its exit code first. */
async function said(lang: string, ...args: readonly string[]): Promise<string> {
  const cwd = scratchFolder("espalier-folder-");
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: {
      PATH: process.env["PATH"],
      HOME: cwd,
      LANG: lang,
      NODE_COMPILE_CACHE: COMPILED,
      ESPALIER_HUB_TOKEN: "esp_x",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", part => (text += `${part}`));
  const [code] = await once(child, "close");
  return `${code}\n${text}`;
}

describe("the folder of a hub or a worker", { timeout: 120_000 }, () => {
  it("[HB27] is served by one hub", async () => {
    const folder = join(scratchFolder("espalier-hub-"), "state");
    mkdirSync(folder);
    const lock = must(acquireLock(folder));
    const told = await said("C.UTF-8", "hub", "start", "--state", folder, "--listen", "127.0.0.1:0");
    expect(told).toContain(`6\nHUB_RUNS: a hub serves ${folder} already (process ${process.pid})`);
    expect(told).toContain("--state PATH");
    lock.release();
  });

  it.each([
    ["C.UTF-8", "cannot be made: ENOTDIR", "name another folder"],
    ["ko_KR.UTF-8", "(ENOTDIR)", "다른 폴더를 지정하세요"],
  ])("[HB27] is named where it cannot be made: %s", async (lang, why, then) => {
    const file = join(scratchFolder("espalier-file-"), "file");
    writeFileSync(file, "");
    const folder = join(file, "below");
    const tolds = await Promise.all([
      said(lang, "hub", "start", "--state", folder),
      said(lang, "hub", "token", "add", "m1", "--state", folder),
      said(lang, "worker", "start", "--hub", "http://127.0.0.1:1", "--no-jail", "--folder", folder),
    ]);
    for (const told of tolds) {
      expect(told).toMatch(/^6\nFOLDER: /);
      for (const part of [folder, why, then]) expect(told).toContain(part);
    }
  });
});
