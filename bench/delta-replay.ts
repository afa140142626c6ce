import { decode, diff, encode, type Form } from "../src/delta/index.ts";
import { countTokens } from "../src/tokens/index.ts";
import { CONTEXT, SCENARIOS } from "./delta/context.ts";
import { type Peer, peers } from "./delta/peers.ts";
import { unreadable } from "./delta/readability.ts";
import { type Step, stepsIn } from "./delta/steps.ts";

/**
 * What update messages cost on real edit histories, and on the documents' four ordinary edits, beside what others would
 * send. `npx node bench/delta-replay.ts [folder of version folders] [--no-peers] [--json]`
 */
const [folder] = process.argv.slice(2).filter(argument => !argument.startsWith("--"));
const withPeers = !process.argv.includes("--no-peers");

interface Outcome {
  readonly exact: boolean;
  readonly form: Form | "none";
  readonly sent: number;
  /** Changes that read as patches. */
  readonly flags: number;
}

function ours({ old, next, from, to }: Step): Outcome {
  const encoded = encode(diff(old, next), old, next, { label: "GC", from, to, countTokens });
  if (!encoded.ok) return { exact: false, form: "none", sent: Number.NaN, flags: 0 };
  const { text, form } = encoded.value;
  const read = decode(text, old);
  const flags = unreadable(text, old).length;
  return { exact: read.ok && read.value.text === next, form, sent: countTokens(text), flags };
}

interface Row {
  readonly name: string;
  /** Tokens by step; undefined where it had no answer. */
  readonly tokens: readonly (number | undefined)[];
}

function summary(
  { name, tokens }: Row,
  full: readonly number[],
  u0: readonly (number | undefined)[],
): string {
  const shares = tokens.flatMap((count, at) => (count === undefined ? [] : [(100 * count) / full[at]!]));
  const sorted = shares.toSorted((a, b) => a - b);
  const mean = (list: readonly number[]): number => list.reduce((sum, share) => sum + share, 0) / list.length;
  let [mine, theirs] = [0, 0];
  for (const [at, count] of tokens.entries()) {
    const reference = u0[at];
    if (count === undefined || reference === undefined) continue;
    mine += count;
    theirs += reference;
  }
  const cells = [
    name.padEnd(32),
    String(shares.length).padStart(5),
    mean(shares).toFixed(1).padStart(7),
    mean(shares.map(share => Math.min(share, 100)))
      .toFixed(1)
      .padStart(7),
    (sorted[sorted.length >> 1] ?? Number.NaN).toFixed(1).padStart(7),
    String(mine).padStart(8),
    (mine / theirs).toFixed(3).padStart(7),
  ];
  return cells.join(" ");
}

function replay(path: string): void {
  const steps = stepsIn(path);
  const full = steps.map(step => countTokens(step.next));
  const outcomes = steps.map(ours);
  const list: readonly Peer[] = withPeers ? peers() : peers().slice(0, 1);
  const rows: Row[] = list.map(({ name, write }) => ({
    name,
    tokens: steps.map(({ old, next }) => {
      const text = write(old, next);
      return text === undefined ? undefined : countTokens(text);
    }),
  }));
  const [u0] = rows;
  const mine = { name: "espalier, with header", tokens: outcomes.map(outcome => outcome.sent) };
  if (process.argv.includes("--json")) {
    const report = steps.map(({ name, from, to }, at) => ({
      name,
      from,
      to,
      ...outcomes[at],
      full: full[at],
      u0: u0?.tokens[at],
    }));
    process.stdout.write(`${JSON.stringify(report)}\n`);
    return;
  }
  const forms = (form: string): number => outcomes.filter(outcome => outcome.form === form).length;
  const flagged = outcomes.filter(({ flags }) => flags > 0).length;
  const lines = [
    `${flagged} messages (${((100 * flagged) / steps.length).toFixed(1)} %) hold a change that reads as a patch: ` +
      `${outcomes.reduce((sum, { flags }) => sum + flags, 0)} changes`,
    `${steps.length} edit steps, ${outcomes.filter(outcome => outcome.exact).length} exact; ` +
      `${forms("delta")} as operations, ${forms("sections")} as sections, ${forms("full")} whole`,
    `${"".padEnd(32)} steps  mean %  capped  median   tokens  × -U0`,
    ...[mine, ...rows].map(row => summary(row, full, u0?.tokens ?? [])),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

function scenarios(): void {
  process.stdout.write(
    `\nOrdinary edits of a context of ${CONTEXT.split("\n").length - 1} lines, ${countTokens(CONTEXT)} tokens\n`,
  );
  for (const { name, limit, next } of SCENARIOS) {
    const impact = { affected: ["builder-worker", "tester"], actions: [] };
    const options = { label: "GC", from: 3, to: 4, countTokens, ...impact };
    const encoded = encode(diff(CONTEXT, next), CONTEXT, next, options);
    if (!encoded.ok) throw new Error(encoded.failure.message);
    process.stdout.write(`${name.padEnd(14)} ${encoded.value.tokens.sent} tokens (at most ${limit})\n`);
    if (process.argv.includes("--show")) process.stdout.write(`${encoded.value.text}\n\n`);
  }
}

if (folder !== undefined) replay(folder);
scenarios();
