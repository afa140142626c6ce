import { measureCrowd } from "./agents/crowd.ts";
import { measureOverhead } from "./agents/overhead.ts";
import { measureUpdate } from "./agents/update.ts";

/**
 * What driving agents costs beside the agents: milliseconds from dispatch to the first byte beyond the program's own
 * start, processor time with sixteen at work, and tokens of an update that five take in while they work.
 * `npx node bench/agents.ts`
 */
const LIMITS = { overheadMs: 30, share: 0.05, tokens: 0.15 };

function verdict(isGood: boolean): string {
  return isGood ? "ok" : "TOO MUCH";
}

const { cli, acp, acpFirst } = await measureOverhead();
console.log("from dispatch to the first byte, beyond the program's own start (median of 30)");
console.log(`  command line          ${cli.toFixed(1)} ms  ${verdict(cli <= LIMITS.overheadMs)}`);
console.log(`  protocol              ${acp.toFixed(1)} ms  ${verdict(acp <= LIMITS.overheadMs)}`);
console.log(`  protocol, first time  ${acpFirst.toFixed(1)} ms  ${verdict(acpFirst <= LIMITS.overheadMs)}`);

const { agents, events, share } = await measureCrowd();
console.log(`\n${agents} agents at work, ${events} events in 10 s`);
console.log(`  our share of one core ${(100 * share).toFixed(1)} %  ${verdict(share <= LIMITS.share)}`);

const { confirmed, team, sent, full } = await measureUpdate();
console.log(`\none change of a document that ${team} agents of the protocol work by`);
console.log(`  confirmed by          ${confirmed} of ${team}`);
console.log(`  tokens sent           ${sent}, whole document each: ${full}`);
console.log(
  `  share                 ${((100 * sent) / full).toFixed(1)} %  ${verdict(sent / full <= LIMITS.tokens)}`,
);
if (confirmed < team) process.exitCode = 1;
