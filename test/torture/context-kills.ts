import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSqliteReader, STATE_NAMES } from "../../src/adapters/store/index.ts";
import { shortHash } from "../../src/delta/index.ts";
import type { StoredContext } from "../../src/ports/index.ts";
import {
  createCodec,
  neededVersions,
  type Replica,
  receive,
  restoreLead,
  type Teammate,
} from "../../src/sync/index.ts";
import { emptyReplicas, fractions, type TeamStart } from "./context-team.ts";
import { killedAmid } from "./killed-amid.ts";

const CHILD = fileURLToPath(new URL("context-kills-child.ts", import.meta.url));
/** After so many kills a new state begins, so that none grows without end. */
const KILLS_PER_PLACE = 25;
/** A child says up to so many lines before it is killed, up to so many milliseconds after the last of them. */
const LINES_PER_LIFE = 20;
const WITHIN_MS = 10;
const CODEC = createCodec(text => text.length >> 2);

/** What came of it. */
export interface TeamReport {
  readonly kills: number;
  readonly published: number;
  readonly messages: number;
  /** Every broken promise, one sentence each. */
  readonly broken: readonly string[];
}

/** Everything that left the lead so far, as the world outside saw it. */
interface Outside {
  readonly versions: Map<string, string>;
  readonly serials: Map<string, string>;
  readonly replicas: Map<string, Replica>;
  answers: { teammate: string; answer: string }[];
  now: number;
}

/** Kills leads at random moments and compares what they leave with what left them. */
export async function contextKills(options: {
  readonly kills: number;
  readonly directory: string;
  readonly seed: number;
}): Promise<TeamReport> {
  const { kills, directory, seed } = options;
  const next = fractions(seed);
  const broken: string[] = [];
  let [published, messages] = [0, 0];
  let outside = newOutside();
  const place = join(directory, "state");
  for (let kill = 0; kill < kills && broken.length === 0; kill++) {
    if (kill % KILLS_PER_PLACE === 0) {
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory, { recursive: true });
      outside = newOutside();
    }
    const maxGap = kill % (2 * KILLS_PER_PLACE) < KILLS_PER_PLACE ? 1 : "any";
    const lines = await killed(place, join(directory, "start.json"), outside, maxGap, `${seed}${kill}`, next);
    for (const line of lines) broken.push(...hear(line, outside));
    published += lines.filter(line => line.startsWith("P ")).length;
    messages += lines.filter(line => line.startsWith("S ")).length;
    broken.push(...lookAt(place, outside).map(sentence => `kill ${kill}: ${sentence}`));
  }
  return { kills, published, messages, broken };
}

function newOutside(): Outside {
  return {
    versions: new Map(),
    serials: new Map(),
    replicas: new Map(emptyReplicas()),
    answers: [],
    now: 1_000_000,
  };
}

/** The lines of a child that was killed at a random moment of its work. */
function killed(
  place: string,
  startFile: string,
  outside: Outside,
  maxGap: TeamStart["maxGap"],
  seed: string,
  next: () => number,
): Promise<string[]> {
  const { replicas, answers, now } = outside;
  const start: TeamStart = { now, maxGap, replicas: [...replicas], answers };
  writeFileSync(startFile, JSON.stringify(start));
  outside.answers = [];
  outside.now += 1_000_000;
  return killedAmid([CHILD, place, startFile, seed], {
    after: "ready",
    lines: Math.floor(next() * LINES_PER_LIFE),
    ms: next() * WITHIN_MS,
  });
}

interface Left {
  readonly label: string;
  readonly teammate: string;
  readonly serial: number;
  readonly version: number;
  readonly text: string;
}

/** Takes in what a child said; a line that the kill cut off never left. */
function hear(line: string, outside: Outside): string[] {
  if (line.startsWith("!")) return [`a child failed: ${line}`];
  if (line.startsWith("P ")) {
    const [, label, version, hash = ""] = line.split(" ");
    if (hash.length < 12) return [];
    const key = `${label} ${version}`;
    const before = outside.versions.get(key);
    outside.versions.set(key, hash);
    return before === undefined || before === hash
      ? []
      : [`version ${key} was published twice, as ${before} and ${hash}`];
  }
  if (!line.startsWith("S ")) return [];
  let left: Left;
  try {
    left = JSON.parse(line.slice(2)) as Left;
  } catch {
    return [];
  }
  const { label, teammate, serial, text } = left;
  const number = `${label} #${serial}`;
  const before = outside.serials.get(number);
  if (before !== undefined) return [`${number} left twice`];
  outside.serials.set(number, teammate);
  const key = `${label} ${teammate}`;
  const received = receive(outside.replicas.get(key)!, { text, serial }, CODEC);
  outside.replicas.set(key, received.replica);
  if (received.answer !== undefined) outside.answers.push({ teammate, answer: received.answer });
  return [];
}

/** Compares what is on disk with what has left. */
function lookAt(place: string, outside: Outside): string[] {
  const opened = openSqliteReader({ path: join(place, STATE_NAMES.database) });
  if (!opened.ok) return [`the state cannot be read: ${JSON.stringify(opened.failure)}`];
  if (opened.value === undefined) return [];
  const store = opened.value;
  try {
    const loaded = store.context.load();
    if (!loaded.ok) return ["the context cannot be read"];
    const log = store.context.log(0, 1_000_000);
    const seqs = log.ok ? log.value.map(({ seq }) => seq) : [];
    return [
      ...(seqs.every((seq, at) => seq === at + 1) ? [] : ["the log has gaps"]),
      ...versionsAt(loaded.value, outside),
      ...messagesAt(loaded.value, outside),
      ...textsAt(loaded.value, hash => {
        const text = store.context.text(hash);
        return text.ok ? text.value : undefined;
      }),
    ];
  } finally {
    store.close();
  }
}

/** What was published is there, once; what replicas claim is what was published. */
function versionsAt({ versions }: StoredContext, outside: Outside): string[] {
  const kept = new Map(versions.map(({ label, number, hash }) => [`${label} ${number}`, hash.slice(0, 12)]));
  const broken: string[] = [];
  for (const [key, hash] of outside.versions)
    if (kept.get(key) !== hash) broken.push(`${key} was published as ${hash} and is ${kept.get(key)}`);
  for (const label of new Set(versions.map(version => version.label))) {
    const numbers = versions.filter(version => version.label === label).map(({ number }) => number);
    if (numbers.some((number, at) => number !== at + 1))
      broken.push(`${label} has gaps: ${numbers.join(" ")}`);
  }
  for (const [key, { label, held }] of outside.replicas) {
    if (held === undefined) continue;
    const claimed = kept.get(`${label} ${held.version}`);
    if (claimed !== shortHash(held.text)) broken.push(`${key} claims v${held.version} and holds other bytes`);
  }
  return broken;
}

/** A message that left was durable before; nobody is believed to hold what it was never sent. */
function messagesAt({ labels, teammates }: StoredContext, outside: Outside): string[] {
  const broken: string[] = [];
  const last = new Map(labels.map(({ label, serial }) => [label, serial]));
  for (const number of outside.serials.keys()) {
    const [label = "", serial = ""] = number.split(" #");
    if (Number(serial) > (last.get(label) ?? 0)) broken.push(`${number} left before it was durable`);
  }
  for (const { label, teammate, record } of teammates) {
    const { confirmed } = JSON.parse(record) as Teammate;
    const held = outside.replicas.get(`${label} ${teammate}`)?.held?.version ?? 0;
    if (confirmed !== undefined && held < confirmed.version)
      broken.push(`${teammate} is believed to hold ${label}-v${confirmed.version} and holds v${held}`);
  }
  return broken;
}

/** The texts that somebody needs are there. */
function textsAt(
  { labels, versions, teammates }: StoredContext,
  textOf: (hash: string) => string | undefined,
): string[] {
  return labels.flatMap(({ label, serial }) => {
    const own = versions.filter(version => version.label === label);
    const lead = restoreLead(
      {
        label,
        serial,
        versions: own.map(({ number, hash, at, by }) => ({ number, hash: hash.slice(0, 12), at, by })),
        teammates: teammates
          .filter(row => row.label === label)
          .map(({ record }) => JSON.parse(record) as Teammate),
      },
      new Map(),
      { keepVersions: 3 } as never,
    );
    return [...neededVersions(lead)].flatMap(number => {
      const hash = own[number - 1]?.hash;
      return hash === undefined || textOf(hash) !== undefined
        ? []
        : [`the text of ${label}-v${number} is needed and gone`];
    });
  });
}
