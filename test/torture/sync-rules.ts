import {
  type Codec,
  type Lead,
  type LeadInput,
  type Outgoing,
  type Teammate,
  versionOf,
} from "../../src/sync/index.ts";

/** A rule that did not hold. */
export class SyncViolation extends Error {}

/** Throws when a rule does not hold. */
export function check(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new SyncViolation(rule);
}

/** What is known of a teammate before a step, to judge the messages of that step. */
export interface Before {
  readonly wantsFull: boolean;
  readonly flying: boolean;
}

/** A look at a teammate before a step. */
export function glance({ wantsFull, flight }: Teammate): Before {
  return { wantsFull: wantsFull !== undefined, flying: flight !== undefined };
}

/** A message with all that its sending has to agree with. */
export interface Sent {
  readonly message: Outgoing;
  readonly before: Before | undefined;
  readonly input: LeadInput;
  readonly judging: boolean;
  readonly lead: Lead;
  readonly codec: Codec;
  readonly truth: ReadonlyMap<number, string>;
}

/** Full exactly for a settled reason, a delta only from what is confirmed, within the gap, and small. */
export function checkMessage(sent: Sent): void {
  const { message, before, input, judging, lead } = sent;
  const { form, why, version } = message;
  const mate = lead.teammates.get(message.teammate)!;
  check(mate.live, "nothing goes to the ended");
  check(!mate.fetches || input.type === "pull", "nothing goes to who fetches before it pulls");
  const news = input.type === "publish" || input.type === "freeze" || input.type === "unfreeze";
  check(!news || before?.flying !== true, "one update in flight");
  check(!judging || why === "initial-spawn", `${form} sent while a gate is judged`);
  check(lead.gate === undefined || version <= lead.gate.version, "a gate freezes the version");
  if (form === "delta" || form === "sections") checkStep(sent, mate);
  else if (form === "full") checkFull(sent, mate);
  else
    check(mate.context === "held" && message.from === version, "only who holds something is told it again");
}

function checkStep({ message, lead, truth }: Sent, mate: Teammate): void {
  const { form, why, version, from, tokens } = message;
  const { maxGap, majorRestructure } = lead.policy;
  check(
    mate.context === "held" && from === mate.confirmed?.version,
    "a delta starts from the confirmed version",
  );
  check(from !== undefined, "a delta has a base");
  check(maxGap === "any" || version - from <= maxGap, "a delta bridges at most maxGap");
  check(why === (version - from > 1 ? "squashed" : "next-version"), `${why} for a ${form}`);
  check(mate.wantsFull === undefined, "a delta although everything was asked for");
  const full = (truth.get(version)!.length + 300) / 4;
  check(tokens <= majorRestructure * full, "a large change went as a delta");
}

function checkFull(sent: Sent, mate: Teammate): void {
  const { message, before, input, lead } = sent;
  const { why, version } = message;
  const { maxGap, points } = lead.policy;
  const asked = before?.wantsFull === true;
  if (why === "context-lost") check(mate.context === "lost", "it is not lost");
  else if (why === "initial-spawn") check(mate.context === "new" || mate.proof === "none", "it is not new");
  else if (why === "requested") check(input.type === "request" || asked, "nobody asked");
  else if (why === "version-gap")
    check(maxGap !== "any" && version - mate.confirmed!.version > maxGap, "there is no gap");
  else if (why === "major-restructure") checkMajor(sent, mate);
  else if (why === "injection-point") check(points["IP-004"] !== undefined, "no point says so");
  else
    check(
      why === "unclear" && (input.type === "ack" || asked || before !== undefined),
      `full because of ${why}`,
    );
}

/** The encoder, asked again without a limit, finds no form below it. */
function checkMajor({ message, lead, codec, truth }: Sent, mate: Teammate): void {
  if (mate.unclear !== undefined) return;
  const from = mate.confirmed!.version;
  const to = message.version;
  const told = new Set<string>();
  let some = false;
  for (let number = from + 1; number <= to; number++) {
    const { affected } = versionOf(lead, number)!;
    some ||= affected !== undefined;
    for (const name of affected ?? []) told.add(name);
  }
  const facts = {
    label: "GC",
    from,
    to,
    majorRestructure: Infinity,
    ...(some ? { affected: [...told] } : {}),
  };
  const made = codec.encode(truth.get(from)!, truth.get(to)!, facts);
  check(made.ok, "encodes");
  const { tokens } = made.value;
  const best = Math.min(tokens.delta, tokens.sections);
  check(
    best > lead.policy.majorRestructure * tokens.full,
    `a change of ${best} of ${tokens.full} went in full`,
  );
}
