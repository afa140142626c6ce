/** `node acp-flood.ts WAY TIMES PAUSE`: an unruly agent's turn, read with pauses of so many milliseconds, and what it cost. */
import { createAcpAgent } from "../../../src/adapters/agent/acp/acp-agent.ts";
import { agentRequest } from "../agent-fixtures.ts";
import { UNRULY } from "./unruly.ts";

export interface FloodReport {
  readonly end: string;
  readonly events: number;
  /** Most memory this process ever held, in MiB. */
  readonly maxRssMib: number;
  readonly cpuMs: number;
}

const [way = "", times = "1000", pause = "0"] = process.argv.slice(2);
const agent = createAcpAgent({ name: "puppet", command: [...UNRULY, way, times] });
const limits = { wallMs: 600_000, idleMs: 600_000, graceMs: 1_000, logBytes: 1 << 20 };
const opened = await agent.open(agentRequest({ limits }));
if (!opened.ok) throw new Error(opened.failure.message);
let events = 0;
let end = "";
for await (const event of opened.value.turn("do it")) {
  events += 1;
  if (event.type === "ended") end = event.end.kind === "failed" ? event.end.failure.message : "completed";
  // Whoever stores what it is told is slower than a flood.
  if (pause !== "0" && events % 100 === 0) await new Promise(resolve => setTimeout(resolve, Number(pause)));
}
await opened.value.close();
const { user, system } = process.cpuUsage();
const report: FloodReport = {
  end,
  events,
  maxRssMib: Math.round(process.resourceUsage().maxRSS / 1024),
  cpuMs: Math.round((user + system) / 1000),
};
process.stdout.write(`${JSON.stringify(report)}\n`);
