import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findCommand, findProgram, folderProblem } from "../../src/adapters/process/index.ts";
import { spawnFailure, stdioFailure } from "../../src/adapters/process/spawn-failure.ts";

let root = "";
function place(path: string, mode = 0o755): string {
  const full = join(root, path);
  mkdirSync(join(full, ".."), { recursive: true });
  writeFileSync(full, "#!/bin/sh\n");
  chmodSync(full, mode);
  return full;
}
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "espalier-find-"));
});
afterAll(() => rmSync(root, { recursive: true }));

describe("finding a program", () => {
  it("takes the first executable file of that name, in the order of PATH", () => {
    place("a/other");
    const second = place("b/tool");
    place("c/tool");
    const path = [join(root, "a"), join(root, "b"), join(root, "c")].join(":");
    expect(findProgram("tool", { path })).toEqual({ ok: true, value: second });
  });

  it("passes over folders and files that cannot be executed, and says so when nothing else is found", () => {
    mkdirSync(join(root, "d/thing"), { recursive: true });
    const plain = place("e/thing", 0o644);
    const path = [join(root, "d"), join(root, "e")].join(":");
    const message = expect.stringMatching(/thing not found: searched .*\/d, .*\/e; .*\/d\/thing is a folder/);
    expect(findProgram("thing", { path })).toMatchObject({
      ok: false,
      failure: { kind: "not-found", message },
    });
    const good = place("f/thing");
    expect(findProgram("thing", { path: `${path}:${join(root, "f")}` })).toEqual({ ok: true, value: good });
    expect(findProgram(plain, {})).toMatchObject({
      failure: { message: `program ${plain} is not executable by this user` },
    });
  });

  it("searches neither relative folders nor node_modules/.bin", () => {
    place("g/node_modules/.bin/tool2");
    place("g/node_modules/.bin/deep/tool2");
    const real = place("h/tool2");
    const bin = join(root, "g/node_modules/.bin");
    const path = ["", ".", "relative", bin, `${bin}/`, join(bin, "deep"), join(root, "h")].join(":");
    expect(findProgram("tool2", { path, cwd: root })).toEqual({ ok: true, value: real });
    const message = "program tool2 not found: PATH names no folder to search";
    expect(findProgram("tool2", { path: `:.:${bin}` })).toMatchObject({ failure: { message } });
  });

  it("[AC16] takes an interpreter for nothing without the file that it is to run", () => {
    const node = place("j/node");
    const script = place("j/agent.mjs", 0o644);
    const options = { path: join(root, "j"), cwd: root, folder: root };
    const found = { ok: true, value: node };
    for (const words of [
      ["node", script],
      ["node", "j/agent.mjs", "--flag"],
      ["node", "-e", "x.js"],
      ["node"],
      ["node", "agent"],
      [node, "./j/agent.mjs"],
    ])
      expect(findCommand(words, options)).toEqual(found);
    const other = place("j/tool4");
    expect(findCommand(["tool4", "none.mjs"], options)).toEqual({ ok: true, value: other });
    const message = `${node} is there, and ${join(root, "none.mjs")} that it is to run does not exist`;
    expect(findCommand(["node", "none.mjs"], options)).toMatchObject({
      failure: { kind: "not-found", message },
    });
    expect(findCommand(["node", join(root, "none.mjs")], { path: join(root, "j") }).ok).toBe(false);
    // It runs in a folder of its own, whatever stands where the program was looked for.
    expect(findCommand(["node", "j/agent.mjs"], { ...options, folder: join(root, "a") }).ok).toBe(false);
    expect(findCommand(["node", "agent.mjs"], { ...options, folder: join(root, "j") }).ok).toBe(true);
    const unknown = { ...options, folder: undefined };
    expect(findCommand(["node", "none.mjs"], unknown)).toEqual(found);
    expect(findCommand(["node", join(root, "none.mjs")], unknown).ok).toBe(false);
    expect(findCommand(["nothing", "none.mjs"], options)).toMatchObject({
      failure: { message: expect.stringContaining("program nothing not found") },
    });
  });

  it("[AC16] a file that an interpreter finds elsewhere, or completes the name of, is there", () => {
    const folders = [join(root, "l"), join(root, "m")];
    const options = { path: folders.join(":"), cwd: root, folder: root };
    for (const name of ["bash", "sh", "zsh", "node"]) place(`l/${name}`);
    place("m/agent.sh");
    place("m/main.v2.js");
    expect(findCommand(["bash", "agent.sh"], options).ok).toBe(true);
    expect(findCommand(["sh", "agent.sh"], options).ok).toBe(true);
    expect(findCommand(["zsh", "agent.sh"], options).ok).toBe(false);
    expect(findCommand(["bash", "./agent.sh"], options).ok).toBe(false);
    expect(findCommand(["bash", "none.sh"], options).ok).toBe(false);
    expect(findCommand(["node", "./m/main.v2"], options).ok).toBe(true);
  });

  it("[AC16] a file whose name cannot be one is not there", () => {
    const node = place("n/node");
    symlinkSync("round.mjs", join(root, "n/round.mjs"));
    const options = { path: join(root, "n"), cwd: root, folder: root };
    for (const [script, code] of [
      ["n/round.mjs", "ELOOP"],
      [`${"a".repeat(300)}.mjs`, "ENAMETOOLONG"],
      ["a\0b.mjs", "ERR_INVALID_ARG_VALUE"],
    ] as const)
      expect(findCommand(["node", script], options)).toMatchObject({
        failure: {
          kind: "not-found",
          message: `${node} is there, and ${join(root, script)} that it is to run cannot be used (${code})`,
        },
      });
  });

  it("takes a name with a slash as it is", () => {
    const file = place("i/tool3");
    expect(findProgram(file, { path: "" })).toEqual({ ok: true, value: file });
    expect(findProgram("./i/tool3", { cwd: root })).toEqual({ ok: true, value: file });
    expect(findProgram("i/../i/tool3", { cwd: root })).toEqual({ ok: true, value: file });
    expect(findProgram("./i/tool3", {})).toMatchObject({ failure: { kind: "not-found", retryable: false } });
    expect(findProgram(join(root, "i/none"), {})).toMatchObject({
      failure: { message: expect.stringContaining("does not exist") },
    });
    expect(findProgram(join(file, "below"), {})).toMatchObject({ ok: false });
  });

  it("follows links, not in circles", () => {
    const target = place("j/real");
    symlinkSync(target, join(root, "j/link"));
    symlinkSync(join(root, "j/loop"), join(root, "j/loop"));
    expect(findProgram("link", { path: join(root, "j") })).toEqual({ ok: true, value: join(root, "j/link") });
    expect(findProgram("loop", { path: join(root, "j") })).toMatchObject({
      failure: { message: expect.stringContaining("ELOOP") },
    });
  });

  it("survives odd names and looks in the usual places without a PATH", () => {
    for (const name of ["", ".", "..", "a\0b", "x".repeat(5_000)]) {
      expect(findProgram(name, { path: root })).toMatchObject({ ok: false, failure: { kind: "not-found" } });
    }
    expect(findProgram("sh", {})).toMatchObject({ ok: true });
  });
});

describe("what a failed start means", () => {
  const error = (code: string): Error => Object.assign(new Error(`spawn ${code}`), { code });

  it.each(["EAGAIN", "EMFILE", "ENFILE", "ENOMEM", "ENOSPC"])("%s passes: try again", code => {
    const expected = { kind: "spawn", retryable: true, message: expect.stringContaining(code) };
    expect(spawnFailure(error(code), "/bin/x", "/")).toMatchObject(expected);
    expect(stdioFailure(error(code))).toMatchObject(expected);
  });

  it.each(["EACCES", "ENOEXEC", "ENOTDIR", "EPERM", "ELOOP", "ENOENT"])(
    "%s lies in the program: do not",
    code => {
      const failure = spawnFailure(error(code), "/bin/x", "/");
      expect(failure).toMatchObject({ kind: "not-found", retryable: false });
      expect(failure.message).toContain("/bin/x");
      expect(failure.message).toContain(code);
    },
  );

  it("a missing folder is told apart from a missing program, which the system does not", () => {
    const failure = spawnFailure(error("ENOENT"), "/bin/sh", join(root, "gone"));
    expect(failure).toMatchObject({
      kind: "spawn",
      message: `the folder to work in does not exist: ${join(root, "gone")}`,
    });
  });

  it("anything else is a failure that trying again does not help", () => {
    for (const odd of [error("E2BIG"), error("EWHAT"), new Error("plain")]) {
      expect(spawnFailure(odd, "/bin/x", "/")).toMatchObject({ kind: "spawn", retryable: false });
    }
    expect(stdioFailure(error("EROFS"))).toMatchObject({ kind: "spawn", retryable: false });
  });

  it("a folder is a folder", () => {
    expect(folderProblem(root)).toBeUndefined();
    const file = place("k/file");
    expect(folderProblem(file)?.message).toBe(`the folder to work in is not a folder: ${file}`);
    expect(folderProblem("a\0b")?.kind).toBe("spawn");
  });
});
