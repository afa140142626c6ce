import { jsonAnswer } from "../../src/adapters/agent/json-answer.ts";
import { parseCheckpoint, readDelta, readFindings } from "../../src/checkpoint/index.ts";
import { diff } from "../../src/delta/index.ts";
import { scanMarkdown } from "../../src/markdown/index.ts";
import { readPlan } from "../../src/plan/index.ts";
import { fenceClosed, judgeMessage, judgeReview, withoutSignals } from "../../src/run/index.ts";
import { readContract, readSource, summarize, withoutHandover } from "../../src/summary/index.ts";
import { readAcks, readWords } from "../../src/sync/index.ts";
import { createRedactor, slug, visible } from "../../src/text/index.ts";
import { countTokens, prefixWithin } from "../../src/tokens/index.ts";
import { scanOutput } from "../../src/tree/index.ts";
import type { Findings } from "./proof.ts";
import { Random } from "./random.ts";

const SIGNAL = { task: "T1", nonce: "abcde", signals: "nonce" } as const;
const masked = createRedactor([]);

/** What reads texts of agents, of other people and of other machines. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  markdown: scanMarkdown,
  levels(text) {
    const source = readSource(text);
    for (const level of [1, 2, 3] as const) summarize(source, level);
  },
  contract: text => [readContract(text), withoutHandover(text)],
  tokens: text => [countTokens(text), prefixWithin(text, 100)],
  signals: text => [judgeMessage(text, SIGNAL), withoutSignals(text, SIGNAL), fenceClosed(text)],
  review: text => judgeReview(text, "T1"),
  additions: scanOutput,
  acks: text => [readAcks(text), readWords(text)],
  checkpoint: text => [parseCheckpoint(text), readDelta(text), readFindings(text)],
  delta: text => diff(text, `${text.slice(0, text.length >> 1)}\nnew\n${text.slice(text.length >> 1)}`),
  plan: text => readPlan(Buffer.from(`# Plan\n\n${text}`), { path: "TASKS.md" }),
  shown: text => [visible(text), slug(text, "none"), masked(text)],
  json: jsonAnswer,
};

const UNITS = [
  ...Array.from("[]()`*_\"'<>|\n #:=.-/{}~&\\,;?!%$@+0a가😀\t"),
  ...'](|![|][|[^1]|[x] |[a](|** |**|~~|<!--|-->|</|```|~~~|---|===|- |# |> |1. |a. |a: |\\n|\\"'.split("|"),
  "```\n",
  "---\n",
  "a\n===\n",
  "\n- a",
  "| a | b |\n",
  "- [ ] T1: a\n",
  "# a\n",
  "key: value\n",
  '{"type":"text","text":"a"}\n',
  '{"a":',
  "[ADD_CONTEXT:a]\n",
  "[/ADD_CONTEXT]\n",
  "[CONTEXT-UPDATE]\n",
  "[ACK-UPDATE] GC-v4 received\n",
  "DONE:T1#abcde\n",
  "FAIL:T1:x ",
  "## Handover\n",
  "Decision: ",
  "The a is not b. It is c. ",
  "하지만 아니다. ",
  "http://a.b/c ",
  "password=",
  "-----BEGIN PRIVATE KEY-----\n",
  "\u001b[31m",
  "\u200b",
  "@@ -1 +1 @@\n",
];

/** Characters of a short, of a long and of a very long text of a kind. */
const SHORT = 8000;
const LONG = 16 * SHORT;
const LONGER = 4 * LONG;
/** Milliseconds that a long one may take whatever a short one does. */
const NOTHING = 60;
/** How often it may take a short one's time: a linear reader takes 16 of them, a quadratic one 256. */
const MOST = 64;
/** How often a very long one may take a long one's time: 4 and 16. A reader that has to cut what is long steps up once before. */
const MOST_LONGER = 10;
/** Times that what looks slow is measured again. */
const AGAIN = 3;
/** Milliseconds that no neighbour makes of a linear reader's time. */
const PLAIN = 4000;

const FORMS: readonly ((
  one: (size: number) => string,
  other: (size: number) => string,
) => (size: number) => string)[] = [
  one => one,
  (one, other) => size => one(size / 2) + other(size / 2),
  (one, other) => size => one(size / 3) + other(size / 3) + one(size / 3),
  (one, other) => {
    const both = one(1) + other(1);
    return size => both.repeat(size / both.length);
  },
  (one, other) => size => `${one(size / 20)}\n${other(size / 20)}\n`.repeat(10),
];

function timed(read: (text: string) => unknown, text: string): number {
  const began = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

/** Whether a reader takes more than linear time, that took `once` for a long text. */
function isSlow(read: (text: string) => unknown, textOf: (size: number) => string, once: number): boolean {
  const least = (size: number) => Math.min(...Array.from({ length: AGAIN }, () => timed(read, textOf(size))));
  const long = once > PLAIN ? once : least(LONG);
  if (long <= MOST * Math.max(0.1, least(SHORT))) return false;
  return once > PLAIN || least(LONGER) > MOST_LONGER * least(LONG);
}

/** Has every reader read texts of one or two things repeated without end. */
export async function readEndless(count: number, seed: number): Promise<Findings> {
  const broken: string[] = [];
  let again = 0;
  for (let at = 0; at < count; at++) {
    const random = new Random(seed + at);
    const [name, read] = random.pick(Object.entries(READERS));
    const [unit, next] = [random.pick(UNITS), random.pick(UNITS)];
    const textOf = random.pick(FORMS)(
      size => unit.repeat(Math.ceil(size / unit.length)),
      size => next.repeat(Math.ceil(size / next.length)),
    );
    const once = timed(read, textOf(LONG));
    if (once < NOTHING) continue;
    again++;
    if (isSlow(read, textOf, once))
      broken.push(
        `seed ${seed + at}: ${name} takes ${once.toFixed(0)} ms for ${JSON.stringify([unit, next])}`,
      );
  }
  return { counts: { texts: count, again }, broken };
}
