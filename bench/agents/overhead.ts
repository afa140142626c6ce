import { spawn } from "node:child_process";
import { CLAUDE } from "../../src/adapters/agent/cli/claude.ts";
import { createCliAgent } from "../../src/adapters/agent/cli/cli-agent.ts";
import { createAcpAgent } from "../../src/adapters/agent/index.ts";
import { hear, median, openShelf, request } from "./programs.ts";

const ROUNDS = 30;
const EVENT = '{"type":"system","subtype":"init","session_id":"s"}';
const RESULT = '{"type":"result","subtype":"success","is_error":false,"result":"x"}';
const CLI = `#!/bin/sh\necho '${EVENT}'\ncat > /dev/null\necho '${RESULT}'\n`;
const HELLO = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}';
const OPENED = '{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}';
const ENDED = '{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}';
/** Speaks the protocol without understanding it: three requests come, in this order. */
const ACP = `#!/bin/sh\nread a; echo '${HELLO}'\nread b; echo '${OPENED}'\nread c; echo '${ENDED}'\ncat > /dev/null\n`;

/** Milliseconds from `spawn` to the first byte, with nothing in between; `input` for those that answer first. */
function bare(file: string, input: string): Promise<number> {
  const began = performance.now();
  return new Promise(resolve => {
    const child = spawn(file, [], { stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.stdout.once("data", () => resolve(performance.now() - began));
  });
}

/** What dispatch costs beyond the program's own start, for a command line and for the protocol, in milliseconds. */
export async function measureOverhead(): Promise<{
  readonly cli: number;
  readonly acp: number;
  readonly acpFirst: number;
}> {
  using shelf = openShelf();
  const cliFile = shelf.put("cli", CLI);
  const acpFile = shelf.put("acp", ACP);
  const cli = createCliAgent({ name: "cli", dialect: CLAUDE, program: cliFile });
  const acp = createAcpAgent({ name: "acp", command: [acpFile] });
  // A run looks at its agents before it starts one.
  await acp.probe();
  const times = {
    cli: [] as number[],
    cliBare: [] as number[],
    acp: [] as number[],
    acpBare: [] as number[],
  };
  for (let round = 0; round < ROUNDS; round++) {
    times.cliBare.push(await bare(cliFile, "x"));
    times.acpBare.push(await bare(acpFile, "{}\n{}\n{}\n"));
    for (const [name, agent] of [
      ["cli", cli],
      ["acp", acp],
    ] as const) {
      const opened = await agent.open(request(shelf.folder));
      if (!opened.ok) throw new Error(opened.failure.message);
      const { firstMs } = await hear(opened.value, "x");
      await opened.value.close();
      times[name].push(firstMs);
    }
  }
  return {
    cli: median(times.cli) - median(times.cliBare),
    acp: median(times.acp.slice(1)) - median(times.acpBare),
    acpFirst: (times.acp[0] ?? Number.NaN) - (times.acpBare[0] ?? 0),
  };
}
