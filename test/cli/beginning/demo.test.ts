import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calledAs } from "../../../src/cli/called-as.ts";
import { PROGRAM } from "../../../src/host/package.ts";
import { shellWord } from "../../../src/text/index.ts";
import { type Lab, openLab } from "../lab.ts";

/** A folder of programs that stand in for agents which are installed. */
function agentsAt(lab: Lab, ...names: readonly string[]): string {
  const bin = join(lab.home, "bin");
  mkdirSync(bin, { recursive: true });
  for (const name of names) {
    lab.write(`../home/bin/${name}`, '#!/bin/sh\necho "9.9.9"\n');
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

/** The demo in a temp folder of its own, with these programs besides those of the system. */
async function demoIn(lab: Lab, bin: string, ...args: readonly string[]) {
  const temp = join(lab.home, "temp");
  mkdirSync(temp, { recursive: true });
  const env = { PATH: `${bin}:/usr/bin:/bin`, TMPDIR: temp };
  const { code, stdout, stderr } = await lab.cli(["demo", ...args], { env });
  const [, folder = ""] = /^ {2}(\S+)$/m.exec(stdout) ?? [];
  return { code, stdout, stderr, folder, temp: realpathSync(temp) };
}

describe.concurrent("espalier demo", () => {
  /** One for all that look at it: without an agent, in a project of somebody's. */
  let lab: Lab;
  let demo: Awaited<ReturnType<typeof demoIn>>;
  beforeAll(async () => {
    lab = openLab({ "TASKS.md": "# mine\n" });
    demo = await demoIn(lab, agentsAt(lab));
  });
  afterAll(() => lab[Symbol.asyncDispose]());

  it("[CL2] does seven tasks in a folder of its own, asks nothing and leaves the project alone", () => {
    const { code, stdout, stderr, folder, temp } = demo;
    expect([code, stderr]).toEqual([0, ""]);
    expect(folder.startsWith(`${temp}/espalier-demo-`)).toBe(true);
    expect(stdout).toContain("✓ 7 done");
    // Nothing of it went to a model.
    expect(stdout).not.toContain("tokens");
    expect(readFileSync(join(folder, "TASKS.md"), "utf8").match(/### \[x\]/g)).toHaveLength(7);
    expect(readFileSync(join(folder, "site/index.html"), "utf8")).toContain("Reading list");
    expect(lab.read("TASKS.md")).toBe("# mine\n");
  });

  it("[CL3] ends with commands that work as they stand", async () => {
    const { stdout, folder } = demo;
    // No PATH leads to this program.
    expect(stdout).toContain(
      `\n  npm install -g ${shellWord(join(PROGRAM, "../.."))}   # puts espalier on your path`,
    );
    const receipt = `cd ${folder} && ${shellWord(PROGRAM)} context receipt T2.1`;
    expect(stdout).toContain(`  what T2.1 read      ${receipt}\n`);
    const read = await lab.cli(["context", "receipt", "T2.1"], { cwd: relative(lab.root, folder) });
    expect([read.code, read.stdout]).toEqual([0, expect.stringContaining("ctx-page")]);
  });

  it("[CL3] calls the program by its name where PATH leads to this very one", () => {
    const folder = mkdtempSync(join(tmpdir(), "espalier-called-"));
    try {
      const other = { name: shellWord(PROGRAM), install: expect.stringContaining("npm install -g ") };
      expect(calledAs(folder)).toEqual(other);
      symlinkSync("/bin/sh", join(folder, "espalier"));
      expect(calledAs(folder)).toEqual(other);
      rmSync(join(folder, "espalier"));
      symlinkSync(PROGRAM, join(folder, "espalier"));
      expect(calledAs(folder)).toEqual({ name: "espalier", install: undefined });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("[CL4] says how people get an agent, or which are here", async () => {
    expect(demo.stdout).toContain("none is here yet");
    expect(demo.stdout).toContain("npm install -g @openai/codex");
    await using other = openLab();
    const some = await demoIn(other, agentsAt(other, "codex", "gemini"));
    expect(some.stdout).toContain("can work on tasks: codex, gemini\n");
    expect(some.stdout).not.toContain("@openai");
  });

  it("[CL5] speaks Korean throughout", async () => {
    await using lab = openLab();
    const { code, stdout } = await demoIn(lab, agentsAt(lab), "--locale", "ko");
    expect(code).toBe(0);
    const foreign = /https?:|file:|npm install|cd your|^\[|^ {2}\/|^ {2}T0\.1|^로그/;
    const lines = stdout.split("\n").filter(line => /[a-z]{3}/.test(line) && !foreign.test(line));
    expect(lines.filter(line => !/[가-힣]/.test(line))).toEqual([]);
    expect(stdout).toContain("✓ 읽을거리");
  });
});

describe("espalier without a command", () => {
  it.each([
    ["en", "New here?\n  espalier demo "],
    ["ko", "처음이신가요?\n  espalier demo "],
  ])("[CL1] ends with where to begin (%s)", async (locale, text) => {
    await using lab = openLab();
    const bare = await lab.ask("--locale", locale);
    expect([bare.code, bare.stdout, bare.stderr]).toEqual([2, "", expect.stringContaining(text)]);
    const help = await lab.ask("--help", "--locale", locale);
    expect([help.code, help.stdout, help.stderr]).toEqual([0, expect.stringContaining(text), ""]);
    expect((await lab.ask("run", "--help", "--locale", locale)).stdout).not.toContain(text);
  });
});
