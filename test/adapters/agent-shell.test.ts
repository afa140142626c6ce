import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createShellAgent } from "../../src/adapters/agent/index.ts";
import { findProgram } from "../../src/adapters/process/index.ts";
import { because } from "../../src/ports/index.ts";
import { agentConformance } from "../../src/testing/agent.ts";
import { agentRequest, oneTurn } from "./agent-fixtures.ts";

const path = process.env["PATH"];
const shell = createShellAgent({ path });

describe("the shell agent keeps the Agent port", () => {
  const cases = agentConformance({
    agent: script => ({ agent: shell, request: { script } }),
    missing: () => {
      const none = createShellAgent({ path: "/nowhere" });
      return { ...none, open: request => none.open({ ...request, script: ":", env: { PATH: "/nowhere" } }) };
    },
    noMessage: "the task's script decides what happens, the message is not used",
  });
  it.for(cases)("$name", async (rule, { skip }) => {
    skip(rule.skip !== undefined, rule.skip);
    await expect(rule.run()).resolves.toBeUndefined();
  });
});

async function run(script: string, env: Record<string, string> = {}) {
  return oneTurn(shell, agentRequest({ script, env: { PATH: path ?? "", ...env } }));
}

describe("the shell agent", () => {
  it("reports by exit code and has a name", () => {
    expect(shell).toMatchObject({ name: "shell", reports: "exit", portVersion: 1 });
  });

  it("finds bash, and says where it looked for a shell when there is none", async () => {
    const probe = await shell.probe();
    expect(probe).toEqual({ found: true, path: expect.stringMatching(/\/bash$/) });
    expect(await createShellAgent({ path: "/nowhere:/else" }).probe()).toEqual({
      found: false,
      problem: expect.stringContaining("searched /nowhere, /else"),
      reason: because("program-not-found", { program: "sh", searched: ["/nowhere", "/else"] }),
    });
  });

  it.each([undefined, "", "  \n\t"])(
    "refuses a task without a script (%j) and says what to do",
    async script => {
      const opened = await shell.open(agentRequest(script === undefined ? {} : { script }));
      expect(opened).toEqual({
        ok: false,
        failure: {
          kind: "unsuitable",
          message: "task T1.3 has no `run:` block; add one or choose an agent with --agent",
          retryable: false,
        },
      });
    },
  );

  it("refuses a script with a NUL byte, which the shell would silently change", async () => {
    const opened = await shell.open(agentRequest({ script: "echo a\0b" }));
    expect(opened).toMatchObject({ ok: false, failure: { kind: "unsuitable", retryable: false } });
  });

  it("stops at the first command that fails", async () => {
    const { end, lines } = await run("echo one\nfalse\necho two");
    expect(end).toMatchObject({ kind: "completed", exitCode: 1 });
    expect(lines).toEqual(["one"]);
  });

  it("fails when any part of a pipeline fails", async () => {
    expect((await run("false | cat\necho on")).end).toMatchObject({ exitCode: 1, finalMessage: "" });
    expect((await run("false | cat || echo handled")).end).toMatchObject({ exitCode: 0 });
  });

  it("takes unset variables as empty", async () => {
    expect((await run('echo "[$NOT_SET]"')).lines).toEqual(["[]"]);
  });

  it("puts the last line of stderr at the end of a failed turn's message, only there", async () => {
    expect((await run("echo out; echo 'TypeError: x' >&2; exit 2")).end).toMatchObject({
      exitCode: 2,
      finalMessage: "out\nTypeError: x",
    });
    expect((await run("printf out; printf 'first\\nlast\\n\\n \\n' >&2; exit 2")).end).toMatchObject({
      finalMessage: "out\nlast",
    });
    expect((await run("echo out; echo 'just a warning' >&2")).end).toMatchObject({ finalMessage: "out\n" });
    expect((await run("echo only >&2; exit 1")).end).toMatchObject({ finalMessage: "only" });
  });

  it("keeps the last 64 KiB of a failed turn's message, the complaint included", async () => {
    const { end } = await run("head -c 100000 /dev/zero | tr '\\0' x; echo broken >&2; exit 1");
    expect(end.finalMessage).toMatch(/^\(Cut: the first 34[0-9]{3} bytes of this answer/);
    expect(end.finalMessage.length).toBeLessThanOrEqual(65_536);
    expect(end.finalMessage.endsWith("x\nbroken")).toBe(true);
  });

  it("names the task and the script's own line in the shell's messages", async () => {
    expect((await run("echo a\necho b\nno-such-program-here")).end).toMatchObject({
      exitCode: 127,
      finalMessage: "a\nb\nT1.3: line 3: no-such-program-here: command not found",
    });
    expect((await run("echo a\nif true; then")).end).toMatchObject({
      exitCode: 2,
      finalMessage: expect.stringContaining("T1.3: eval: line"),
    });
  });

  it("can write to /dev/stderr and /dev/stdout by name, as in a terminal", async () => {
    const { end, lines } = await run("echo a | tee /dev/stderr; echo b > /dev/stdout; cat /dev/stdin");
    expect(end).toMatchObject({ exitCode: 0 });
    expect([...lines].sort()).toEqual(["a", "a", "b"]);
  });

  it("has an empty stdin, no arguments, and no open descriptor of ours", async () => {
    const { lines } = await run('cat | wc -c | tr -d " "; echo $#; (exec 9<&3) 2>/dev/null || echo closed');
    expect(lines).toEqual(["0", "0", "closed"]);
  });

  it("runs a script far beyond what an argument can hold, bytes intact", async () => {
    const { end, lines } = await run(
      `${"# é comment that does nothing at all\n".repeat(30_000)}echo 'end é'`,
    );
    expect(end).toMatchObject({ exitCode: 0 });
    expect(lines).toEqual(["end é"]);
  });

  it("keeps functions, here-documents, traps and quotes as they are", async () => {
    const script = `trap 'echo bye' EXIT
greet() { echo "hello $1"; }
greet 'w"orld'
cat <<'EOF'
$HOME \`x\` \\n
EOF
[[ abc == a* ]] && echo matched`;
    const { lines } = await run(script);
    expect(lines).toEqual(['hello w"orld', "$HOME `x` \\n", "matched", "bye"]);
  });

  it("runs the script again in every turn and ignores the message", async () => {
    const session = await shell.open(agentRequest({ script: "echo $RANDOM" }));
    if (!session.ok) throw new Error("not opened");
    for (const message of ["first", "", "x".repeat(1 << 20)]) {
      const lines: string[] = [];
      for await (const event of session.value.turn(message)) {
        if (event.type === "line") lines.push(event.text);
      }
      expect(lines).toEqual([expect.stringMatching(/^\d+$/)]);
    }
    await session.value.close();
  });

  it("does not read the user's start-up files", async () => {
    const home = mkdtempSync(join(tmpdir(), "espalier-home-"));
    for (const name of [".bashrc", ".bash_profile", ".profile"])
      writeFileSync(join(home, name), "echo INTRUDER\n");
    expect((await run("echo mine", { HOME: home })).lines).toEqual(["mine"]);
    rmSync(home, { recursive: true });
  });

  it("leaves no file behind", async () => {
    const temporary = mkdtempSync(join(tmpdir(), "espalier-tmp-"));
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = temporary;
    try {
      for (let round = 0; round < 10; round += 1) await run("echo x; (setsid sleep 60 >/dev/null 2>&1 &)");
      expect(readdirSync(temporary)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
      rmSync(temporary, { recursive: true });
    }
  });

  it("says that the temporary folder cannot be used when that is so", async () => {
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = "/nowhere/at/all";
    try {
      const { end } = await run("echo x");
      const message = expect.stringContaining("/nowhere/at/all");
      expect(end).toMatchObject({ kind: "failed", failure: { kind: "spawn", retryable: false, message } });
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
  });
});

describe("the shell agent where there is only sh", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "espalier-sh-"));
    for (const name of ["sh", "cat", "echo", "false"]) {
      const found = findProgram(name, { path });
      if (found.ok) symlinkSync(found.value, join(folder, name));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const runWithSh = (script: string) => oneTurn(shell, agentRequest({ script, env: { PATH: folder } }));

  it("uses it, with -e, an empty stdin and the task's name in messages", async () => {
    expect(await createShellAgent({ path: folder }).probe()).toEqual({
      found: true,
      path: join(folder, "sh"),
    });
    expect((await runWithSh('echo "$0 $#"; cat; echo more')).lines).toEqual(["T1.3 0", "more"]);
    expect((await runWithSh("echo one; false; echo two")).end).toMatchObject({
      exitCode: 1,
      finalMessage: "one\n",
    });
    expect((await runWithSh("no-such-program-here")).end).toMatchObject({ exitCode: 127 });
  });

  it("does not take a script it could not read for one that succeeded", async () => {
    rmSync(join(folder, "cat"));
    expect((await runWithSh("echo x")).end).toMatchObject({ kind: "completed", exitCode: 127 });
  });
});
