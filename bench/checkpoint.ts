import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCheckpoints, storeIndex } from "../src/adapters/checkpoints/index.ts";
import {
  bridge,
  checkpointId,
  deltaName,
  listedLink,
  listedState,
  proveDelta,
  replay,
  studyHistory,
  writeDelta,
} from "../src/checkpoint/index.ts";
import { countTokens } from "../src/tokens/index.ts";
import { falseLines } from "../test/torture/human-half.ts";
import { peers } from "./delta/peers.ts";
import { stepsIn } from "./delta/steps.ts";

/**
 * Checkpoint deltas on real version histories, and the speed of long histories.
 * `npx node bench/checkpoint.ts [folder of version folders]`
 */
const [folder] = process.argv.slice(2);
const CREATED = "2026-01-01T00:00:00Z";

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function share(parts: readonly number[], wholes: readonly number[]): string {
  const shares = parts.map((part, at) => (100 * part) / wholes[at]!);
  const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length;
  const median = shares.toSorted((a, b) => a - b)[shares.length >> 1]!;
  return `mean ${mean.toFixed(1)} %, median ${median.toFixed(1)} %`;
}

function pairs(path: string): void {
  const steps = stepsIn(path);
  const plain = peers()[0]!;
  const [documents, humans, blocks, fulls, u0]: number[][] = [[], [], [], [], []];
  let [proved, untrue, larger] = [0, 0, 0];
  for (const { old, next } of steps) {
    const made = writeDelta(
      { id: "chk-001", text: old },
      { id: "chk-002", text: next },
      { created: CREATED },
    );
    if (!made.ok) continue;
    if (proveDelta(made.value.text, old, next).length === 0) proved++;
    untrue += falseLines(made.value.text, old, next).length;
    const [whole, block, full] = [made.value.text, made.value.block, next].map(text => countTokens(text));
    if (whole! > full! + 200) larger++;
    documents!.push(whole!);
    humans!.push(whole! - block!);
    blocks!.push(block!);
    fulls!.push(full!);
    u0!.push(countTokens(plain.write(old, next) ?? ""));
  }
  say(`${steps.length} real pairs, ${proved} deltas proved: exact, and without a departure`);
  say(`  tokens of the full target: the whole delta ${share(documents!, fulls!)}`);
  say(`                             what people read ${share(humans!, fulls!)}`);
  say(`                             its machine block ${share(blocks!, fulls!)}`);
  say(`  ${larger} larger than the target and 200 tokens; ${untrue} lines that are not true`);
  say(`                             ${plain.name} ${share(u0!, fulls!)}`);
}

/** A checkpoint of about 100 KB. */
function large(): string {
  const sections = Array.from({ length: 24 }, (_, section) => {
    const items = Array.from(
      { length: 75 },
      (_, item) => `- D-${section * 75 + item}: keep the choice number ${item} of part ${section} as it is`,
    );
    return `### Part ${section}\n\n${items.join("\n")}\n`;
  });
  return `---\ncheckpoint: chk-001\ncreated: ${CREATED}\n---\n\n# Work\n\n${sections.join("\n")}`;
}

function long(count: number): void {
  const texts = [large()];
  for (let at = 1; at <= count; at++) {
    const before = texts[at - 1]!;
    const id = `D-${(at * 37) % 1800}:`;
    const end = before.indexOf("\n", before.indexOf(id));
    texts.push(
      `${before.slice(0, end)}, changed ${at}${before.slice(end)}`.replace(
        checkpointId(at),
        checkpointId(at + 1),
      ),
    );
  }
  const names = new Map<string, string>();
  const files = texts.slice(1).map((text, at) => {
    const ids = [checkpointId(at + 1), checkpointId(at + 2)] as const;
    const made = bridge({ id: ids[0], text: texts[at]! }, { id: ids[1], text }, CREATED);
    if (!made.ok) throw new Error(made.failure.message);
    names.set(deltaName(...ids), made.value.text);
    return { file: made.value.file, text: made.value.text };
  });
  const links = files.flatMap(file => listedLink(file) ?? []);
  const ends = [0, count].map(at => listedState({ file: `${checkpointId(at + 1)}.md`, text: texts[at]! }));
  const history = studyHistory({ states: ends, links, unreadable: [] });
  const states = new Map(
    [checkpointId(1), checkpointId(count + 1)].map((id, at) => [id, texts[at * count]!]),
  );
  const reader = {
    state: (id: string) => states.get(id),
    delta: (from: string, to: string) => names.get(deltaName(from, to)),
  };
  for (const [from, to] of [
    [1, count + 1],
    [count + 1, 1],
  ] as const) {
    const began = performance.now();
    const done = replay(history, checkpointId(from), checkpointId(to), reader);
    const ms = performance.now() - began;
    if (!done.ok) throw new Error(done.failure.message);
    const exact = done.value.text === texts[to - 1];
    say(
      `replay of ${count} deltas of ${Math.round(texts[0]!.length / 1000)} KB ${from < to ? "forward" : "back"}: ${ms.toFixed(0)} ms, ${exact ? "exact" : "WRONG"}`,
    );
  }
}

function many(count: number): void {
  const path = mkdtempSync(join(tmpdir(), "espalier-bench-"));
  try {
    mkdirSync(path, { recursive: true });
    let before = "";
    for (let at = 1; at <= count; at++) {
      const id = checkpointId(at);
      const parent = checkpointId(at - 1);
      const head = at === 1 ? "" : `parent: ${parent}\nlast_delta: ${deltaName(parent, id)}\n`;
      const text = `---\ncheckpoint: ${id}\ncreated: ${CREATED}\n${head}status: active\n---\n\n## Problem\n\nA long history.\n\n## Essential Information\n\n### Decisions\n\n- D-1: keep ${at}\n\n### Current State\n\nStep ${at} of ${count}.\n\n### Next Actions\n\n1. Step ${at + 1}\n`;
      writeFileSync(join(path, `${id}.md`), text);
      if (at > 1) {
        const made = bridge({ id: parent, text: before }, { id, text }, CREATED);
        if (!made.ok) throw new Error(made.failure.message);
        writeFileSync(join(path, made.value.file), made.value.text);
      }
      before = text;
    }
    const checkpoints = openCheckpoints(path);
    storeIndex(checkpoints);
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const began = performance.now();
      const { history } = checkpoints.read();
      times.push(performance.now() - began);
      if (history.order.length !== count || history.problems.length > 0)
        throw new Error("not what was written");
    }
    const [first, ...rest] = times.map(ms => `${ms.toFixed(0)} ms`);
    say(`list and check ${count} checkpoints and their deltas on disk: ${first} (again: ${rest.join(", ")})`);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

if (folder !== undefined) pairs(folder);
long(1000);
many(10_000);
