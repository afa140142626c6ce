import { createCodec, createLead, emptyReplica, heard, leadStep, receive } from "../src/sync/index.ts";
import { countTokens } from "../src/tokens/index.ts";
import { CONTEXT } from "./delta/context.ts";

/**
 * Four teammates, ten updates of a 130-line context, every one acknowledged: what the lead sends, beside the whole document
 * each time (o200k tokens). `npx node bench/sync.ts`
 */
const TEAM = ["builder-api", "builder-worker", "builder-mail", "tester"];
const LIMIT = 0.12;

/** An ordinary day: status, decisions, a contract, questions answered, actions moved on, a phase. */
const EDITS: readonly (readonly (readonly [string, string])[])[] = [
  [["- Phase 3: IN_PROGRESS", "- Phase 3: IN_PROGRESS (2 of 4 tasks)"]],
  [
    [
      "| D-5 | Workers poll every two seconds | Simple, cheap enough at our load | P2 |\n",
      "| D-5 | Workers poll every two seconds | Simple, cheap enough at our load | P2 |\n" +
        "| D-6 | Ranges above one year are split | The largest customer stays below the limits | P3 |\n",
    ],
  ],
  [["- Q-1: Do we keep failed files for support? (owner: lead)\n", ""]],
  [["  attempts: number;\n", "  attempts: number;\n  failure?: string;\n"]],
  [["below 256 MB", "below 192 MB"]],
  [
    [
      "1. builder-worker: finish the CSV stream and its memory test\n",
      "1. builder-worker: PDF stream, fonts loaded once\n",
    ],
    ["4. lead: answer Q-1 before the gate\n", "4. lead: prepare Gate 3\n"],
  ],
  [
    [
      "- R-3: Fonts are licensed per server\n",
      "- R-3: Fonts are licensed per server\n- R-4: LISTEN drops when the pooler restarts\n",
    ],
  ],
  [
    [
      "Workers poll every two seconds | Simple, cheap enough at our load",
      "Workers wait on LISTEN/NOTIFY | Polling woke idle disks",
    ],
  ],
  [
    [
      "- The largest customer has 48,211 invoices a year",
      "- The largest customer has 51,904 invoices a year",
    ],
  ],
  [
    [
      "- Phase 3: IN_PROGRESS (2 of 4 tasks)\n- Phase 4: PENDING",
      "- Phase 3: COMPLETE (Gate 3 APPROVED)\n- Phase 4: IN_PROGRESS",
    ],
    [
      "2. builder-api: reject ranges above one year\n3. tester: end-to-end test with 50,000 invoices\n",
      "2. builder-mail: one mail per finished row\n3. tester: link scanners, expired links\n",
    ],
  ],
];

function edited(text: string, pairs: readonly (readonly [string, string])[], version: number): string {
  const all = [...pairs, [`version: GC-v${version - 1}`, `version: GC-v${version}`] as const];
  return all.reduce((result, [old, next]) => {
    if (result.split(old).length !== 2) throw new Error(`Not exactly once in the context: ${old}`);
    return result.replace(old, () => next);
  }, text);
}

const codec = createCodec(countTokens);
const lead = createLead("GC")!;
const replicas = new Map(TEAM.map(id => [id, emptyReplica("GC")]));
let sent = 0;
let acks = 0;
let spawn = 0;

/** Delivers messages and their answers until nothing is under way; returns the tokens of the messages. */
function exchange(step: ReturnType<typeof leadStep>): number {
  let tokens = 0;
  const queue = [...step.messages];
  for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
    const { teammate, session, serial, text } = message;
    tokens += message.tokens;
    const { replica, answer = "" } = receive(replicas.get(teammate)!, { text, serial }, codec);
    replicas.set(teammate, replica);
    acks += countTokens(answer);
    for (const input of heard(answer, { teammate, session, now: 0 })) {
      if (input.type !== "ack") throw new Error(`Not acknowledged: ${answer}`);
      queue.push(...leadStep(lead, input, codec).messages);
    }
  }
  return tokens;
}

let text = CONTEXT.replace("version: GC-v3", "version: GC-v1");
leadStep(lead, { type: "publish", now: 0, text }, codec);
for (const teammate of TEAM)
  spawn += exchange(leadStep(lead, { type: "join", now: 0, teammate, session: "1" }, codec));
const spawnAcks = acks;
let full = 0;
console.log("| version | sent to four | in full |\n|---:|---:|---:|");
for (const [index, pairs] of EDITS.entries()) {
  text = edited(text, pairs, index + 2);
  const tokens = exchange(leadStep(lead, { type: "publish", now: 0, text }, codec));
  const whole = TEAM.length * countTokens(text);
  sent += tokens;
  full += whole;
  console.log(`| ${index + 2} | ${tokens} | ${whole} |`);
}
for (const { held } of replicas.values()) if (held?.text !== text) throw new Error("A replica has diverged");
const share = sent / full;
console.log(
  `updates: ${sent} tokens sent, ${full} in full: ${(100 * share).toFixed(1)} % (limit ${100 * LIMIT} %)`,
);
console.log(`with acknowledgements: ${sent + acks - spawnAcks}; spawning four, both ways: ${spawn}`);
if (share > LIMIT) process.exitCode = 1;
