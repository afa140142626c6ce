import { readFileSync, writeSync } from "node:fs";
import { openState } from "../../src/adapters/store/index.ts";
import { createSharedContext, immediateLedger } from "../../src/context/shared/index.ts";
import type { Result } from "../../src/ports/result.ts";
import {
  createCodec,
  DEFAULT_SYNC_POLICY,
  readWords,
  receive,
  type SyncEvent,
} from "../../src/sync/index.ts";
import { DESK_TEAM, fractions, LABELS, nextText, type TeamStart } from "./context-team.ts";

// Publishes, sends and takes answers for ever, and says so when each is durable, until it is killed. Lines on stdout:
// `ready`; `P label version hash` (published); `S {message}` (a message has left); `! failure`.

const [directory = "", startFile = "", seed = "1"] = process.argv.slice(2);
const start = JSON.parse(readFileSync(startFile, "utf8")) as TeamStart;
const next = fractions(Number(seed));
let { now } = start;

const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};

function must<T>(result: Result<T, unknown>): T {
  if (result.ok) return result.value;
  say(`! ${JSON.stringify(result.failure)}`);
  return process.exit(1);
}

const { store } = must(openState(directory, { project: "/torture", now: 0 }));
const epoch = must(store.claimEpoch());
const codec = createCodec(text => text.length >> 2);
const shared = createSharedContext({
  rows: store.context,
  ledger: immediateLedger(
    context => must(store.commit({ epoch, runId: "", context })),
    () => now,
  ),
  policy: { ...DEFAULT_SYNC_POLICY, maxGap: start.maxGap, keepVersions: 3 },
  codec,
});
const replicas = new Map(start.replicas);
/** Answers on their way back; some are lost, all may come late. */
const post: { readonly teammate: string; readonly answer: string }[] = [...start.answers];

function leave(label: string, teammate: string, serial: number, version: number, text: string): void {
  say(`S ${JSON.stringify({ label, teammate, serial, version, text })}`);
  const key = `${label} ${teammate}`;
  const received = receive(replicas.get(key)!, { text, serial }, codec);
  replicas.set(key, received.replica);
  if (received.answer !== undefined) post.push({ teammate, answer: received.answer });
}

for (const { id } of DESK_TEAM)
  shared.listen(`s-${id}`, ({ label, serial, version, text }) => leave(label, id, serial, version, text));
for (const label of LABELS)
  for (const { id, fetches } of DESK_TEAM)
    must(await shared.act(label, { type: "join", teammate: id, session: `s-${id}`, proof: "hash", fetches }));
say("ready");

for (;;) {
  now += Math.floor(next() * 20_000);
  const label = LABELS[Math.floor(next() * LABELS.length)]!;
  const choice = next();
  if (choice < 0.35) {
    const text = nextText(must(shared.text(label))?.text ?? "", next);
    const step = must(await shared.act(label, { type: "publish", text, by: "lead" }));
    const told = step.events.find(
      (event): event is Extract<SyncEvent, { type: "published" }> => event.type === "published",
    );
    if (told !== undefined) say(`P ${label} ${told.version} ${told.hash}`);
  } else if (choice < 0.55) {
    const fetching = DESK_TEAM.filter(({ fetches }) => fetches);
    const { id } = fetching[Math.floor(next() * fetching.length)]!;
    const { messages } = must(await shared.act(label, { type: "pull", teammate: id }));
    // Whoever fetches is answered directly; listeners heard it as well.
    if (messages.length > 1) say(`! ${messages.length} messages for one pull`);
  } else if (choice < 0.6) {
    const { id } = DESK_TEAM[Math.floor(next() * DESK_TEAM.length)]!;
    must(await shared.act(label, { type: "lost", teammate: id, session: `s-${id}`, cause: "compaction" }));
  } else if (post.length > 0) {
    const [{ teammate, answer } = { teammate: "", answer: "" }] = post.splice(
      Math.floor(next() * post.length),
      1,
    );
    if (next() < 0.15) continue;
    must(await shared.hear(readWords(answer), { teammate, session: `s-${teammate}` }));
  }
}
