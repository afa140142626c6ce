import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCommandAgent } from "../../src/adapters/agent/index.ts";
import type { Agent } from "../../src/ports/index.ts";
import { agentConformance } from "../../src/testing/agent.ts";
import { agentRequest, oneTurn } from "./agent-fixtures.ts";

const path = process.env["PATH"];

function agentOf(command: string, more: { cwd?: string } = {}): Agent {
  return createCommandAgent({ name: "mine", command, path, ...more });
}

function quoted(script: string): string {
  return `sh -c '${script.replaceAll("'", "'\\''")}'`;
}

describe("the command agent keeps the Agent port", () => {
  const cases = agentConformance({
    agent: script => ({ agent: agentOf(quoted(script)) }),
    missing: () => agentOf("espalier-no-such-agent --flag"),
  });
  it.for(cases)("$name", async (rule, { skip }) => {
    skip(rule.skip !== undefined, rule.skip);
    await expect(rule.run()).resolves.toBeUndefined();
  });
});

describe("the command agent", () => {
  let folder = "";
  const file = (name: string, content: string, mode = 0o755): string => {
    const full = join(folder, name);
    writeFileSync(full, content);
    chmodSync(full, mode);
    return full;
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "espalier-command-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("reports by signal and has the name it was given", () => {
    expect(agentOf("cat")).toMatchObject({ name: "mine", reports: "signal", portVersion: 1 });
  });

  it("gives the message on stdin, the arguments as they were quoted, and takes stdout as the message", async () => {
    const program = file("show args", '#!/bin/sh\nprintf "<%s>" "$@"; echo; cat; echo "on stderr" >&2\n');
    const { end, lines } = await oneTurn(
      agentOf(`'${program}' --flag "x y" '' a\\ b`),
      agentRequest(),
      "the prompt",
    );
    expect(lines).toContain("<--flag><x y><><a b>");
    expect(end).toMatchObject({
      kind: "completed",
      finalMessage: "<--flag><x y><><a b>\nthe prompt",
      exitCode: 0,
    });
  });

  it("gives a message that can be read by name too", async () => {
    const { end } = await oneTurn(
      agentOf(quoted("cat /dev/stdin; cat /dev/stdin | wc -c")),
      agentRequest(),
      "é\n",
    );
    expect(end.finalMessage.replaceAll(" ", "")).toBe("é\n3\n");
  });

  it("passes nothing through a shell", async () => {
    const { end } = await oneTurn(agentOf(`echo '$HOME' '*' '; rm -rf x' a*b`), agentRequest());
    expect(end.finalMessage).toBe("$HOME * ; rm -rf x a*b\n");
  });

  it("says what is wrong with a command line, in probe and in open", async () => {
    const agent = agentOf('claude "unbalanced');
    const problem = expect.stringMatching(/agent mine .*quote " is never closed.*column 8/);
    expect(await agent.probe()).toEqual({ found: false, problem });
    expect(await agent.open(agentRequest())).toMatchObject({
      ok: false,
      failure: { kind: "unsuitable", message: problem, retryable: false },
    });
  });

  it("lists the folders it searched when the program is missing", async () => {
    const agent = agentOf("espalier-no-such-agent");
    const request = agentRequest({ env: { PATH: "/usr/bin:relative:/opt/x" } });
    const opened = await agent.open(request);
    expect(opened).toMatchObject({
      failure: { message: "program espalier-no-such-agent not found: searched /usr/bin, /opt/x" },
    });
  });

  it("does not take a program that a repository put in the way, unless it is named by its path", async () => {
    const bin = join(folder, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "cat"), "#!/bin/sh\necho INTRUDER\n", { mode: 0o755 });
    const request = agentRequest({ cwd: folder, env: { PATH: `${bin}:node_modules/.bin:.:/usr/bin:/bin` } });
    expect((await oneTurn(agentOf("cat"), request, "mine")).end.finalMessage).toBe("mine");
    expect((await oneTurn(agentOf("./node_modules/.bin/cat"), request, "x")).end.finalMessage).toBe(
      "INTRUDER\n",
    );
    expect((await oneTurn(agentOf(join(bin, "cat")), request, "x")).end.finalMessage).toBe("INTRUDER\n");
  });

  it("resolves a relative program against its own folder when it has one", async () => {
    file("here", "#!/bin/sh\necho here\n");
    const agent = agentOf("./here", { cwd: folder });
    expect(await agent.probe()).toEqual({ found: true, path: join(folder, "here") });
    expect((await oneTurn(agent, agentRequest({ cwd: tmpdir() }))).end.finalMessage).toBe("here\n");
    expect(await agentOf("./here").probe()).toMatchObject({ found: false });
  });

  it("says so when the interpreter of a script is missing", async () => {
    const program = file("orphan", "#!/nowhere/interpreter\n");
    const { end } = await oneTurn(agentOf(`'${program}'`), agentRequest());
    const message = expect.stringMatching(/orphan: the interpreter .* is missing \(ENOENT\)/);
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "not-found", retryable: false, message } });
  });

  it("runs a script without a `#!` line with sh, as a shell does", async () => {
    const program = file("bare", "echo 'from sh'\n");
    expect((await oneTurn(agentOf(`'${program}'`), agentRequest())).end.finalMessage).toBe("from sh\n");
  });

  it("refuses what is not a program before starting anything", async () => {
    const plain = file("plain", "text", 0o644);
    const foreign = file("foreign", `\x7fELF\x02\x01\x01${"\0".repeat(9)}\x02\0\x2b\0${"\0".repeat(44)}`);
    for (const [command, why] of [
      [plain, "not executable"],
      [foreign, "built for another kind of machine"],
      [folder, "is a folder"],
      [join(folder, "none"), "does not exist"],
      [join(plain, "below"), ""],
    ] as const) {
      const opened = await agentOf(`'${command}'`).open(agentRequest());
      const message = expect.stringContaining(why);
      expect(opened).toMatchObject({ ok: false, failure: { kind: "not-found", message } });
    }
  });

  it("fails as a value when the program vanishes between two turns", async () => {
    const program = file("fleeting", "#!/bin/sh\necho here\n");
    const session = await agentOf(`'${program}'`).open(agentRequest());
    if (!session.ok) throw new Error("not opened");
    rmSync(program);
    for await (const event of session.value.turn("x")) {
      expect(event).toMatchObject({
        type: "ended",
        end: { failure: { kind: "not-found", retryable: false } },
      });
    }
    await session.value.close();
  });

  it("says that arguments are too long instead of throwing", async () => {
    const { end } = await oneTurn(agentOf(`echo ${"x".repeat(200_000)}`), agentRequest());
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "spawn", retryable: false } });
  });

  it("treats an environment that no process can have as a failure value", async () => {
    const request = agentRequest({ env: { PATH: path ?? "", BAD: "a\0b" } });
    expect((await oneTurn(agentOf("echo x"), request)).end).toMatchObject({ failure: { kind: "spawn" } });
  });
});
