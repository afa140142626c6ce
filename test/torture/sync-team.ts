import {
  type Ack,
  type Codec,
  emptyReplica,
  type Outgoing,
  type Proof,
  type Replica,
  readAcks,
  receive,
  writeAck,
} from "../../src/sync/index.ts";
import type { Random } from "./random.ts";
import { check } from "./sync-rules.ts";

const TITLES = [
  "Status",
  "Decisions Log",
  "Scope",
  "Risks",
  "Phase 2: build",
  "Files → owners",
  "Notes",
  "Notes",
];
const WORDS = [
  "alpha",
  "beta",
  "D-7",
  "→",
  "key: value",
  "src/a.ts",
  "`x`",
  "§Status",
  "- ADDED x",
  "한국어",
  "🙂",
  "50 %",
];

function line(random: Random): string {
  const words = Array.from({ length: random.between(1, 3) }, () => random.pick(WORDS)).join(" ");
  return `${random.pick(["- ", "- [ ] ", "", "| ", "key: ", "  - "])}${words} ${random.below(50)}`;
}

/** A small context document with front matter and sections. */
export function randomContext(random: Random): string {
  const front = random.chance(0.5) ? "---\nversion: GC-v1\n---\n" : "";
  const sections = random.some(TITLES, 0.5).map(title => {
    const lines = Array.from({ length: random.between(1, 3) }, () => line(random));
    return `## ${title}\n\n${lines.join("\n")}\n`;
  });
  return `${front}# Context\n\n${line(random)}\n\n${sections.join("\n")}`;
}

/** The document after an ordinary edit, or a rare large one. */
export function editContext(random: Random, text: string): string {
  if (random.chance(0.08)) return randomContext(random);
  const lines = text.split("\n");
  for (let edits = random.between(1, 3); edits > 0; edits--) {
    const at = random.below(lines.length);
    const act = random.below(4);
    if (act === 0) lines.splice(at, 1);
    else if (act === 1) lines.splice(at, 0, line(random));
    else if (act === 2) lines.splice(at, 0, "", `## ${random.pick(TITLES)}`, line(random));
    else lines[at] = line(random);
  }
  return lines.join("\n");
}

/** A message on its way to the lead. */
export interface Said {
  readonly teammate: string;
  readonly session: string;
  readonly text: string;
}

/** A teammate: holds a copy, answers honestly or not. */
export class Receiver {
  readonly id: string;
  readonly proof: Proof;
  readonly interests: readonly string[];
  session: string;
  replica: Replica = emptyReplica("GC");
  live = true;
  /** Versions its copy has held since the lead last knew its context to be new. */
  readonly held = new Set<number>();
  /** What it said in its life, to be said again by a liar. */
  readonly said: { readonly session: string; readonly text: string }[] = [];

  constructor(id: string, proof: Proof, interests: readonly string[]) {
    this.id = id;
    this.proof = proof;
    this.interests = interests;
    this.session = `${id}/1`;
  }

  /** Takes in a message and answers. */
  take(message: Outgoing, text: string, codec: Codec, random: Random, honest: boolean): Said[] {
    if (!this.live || message.session !== this.session) return [];
    const before = this.replica;
    const { replica, answer } = receive(before, { text, serial: message.serial }, codec);
    check(message.serial >= before.serial || replica.held === before.held, "what comes late changes no copy");
    this.replica = replica;
    if (replica.held !== undefined) this.held.add(replica.held.version);
    if (answer === undefined || this.proof === "none") return [];
    const words = honest
      ? [this.#phrase(answer, random, random.chance(0.1))]
      : this.#lie(answer, message, random);
    for (const word of words) this.said.push({ session: this.session, text: word });
    const said = words.map(text => ({ teammate: this.id, session: this.session, text }));
    // An answer may lie about for long: it is said again after losses and restarts.
    if (!honest && this.proof === "hash" && random.chance(0.5)) {
      const { session, text } = random.pick(this.said);
      said.push({ teammate: this.id, session, text: random.chance(0.5) ? text.replace(/ #\d+/, "") : text });
    }
    return said;
  }

  /** As its kind says it: a reader without tools gives no hash, and may leave something unclear. */
  #phrase(answer: string, random: Random, unsure: boolean): string {
    const [ack] = readAcks(answer);
    if (ack === undefined) return answer;
    const { hash: _, serial, ...rest } = ack;
    const total = ack.items?.total ?? 0;
    const unclear =
      unsure && total > 0 ? { unclear: [random.pick(TITLES)], items: { applied: total - 1, total } } : {};
    if (this.proof === "hash") return writeAck({ ...ack, ...unclear });
    return writeAck({
      ...rest,
      ...(random.chance(0.5) && serial !== undefined ? { serial } : {}),
      ...unclear,
    });
  }

  #lie(answer: string, { version, serial, text }: Outgoing, random: Random): string[] {
    const [ack] = readAcks(answer);
    // A word is taken as given: who only has that may say nonsense, not what is false.
    if (this.proof === "word")
      return [ack === undefined ? answer : writeAck({ ...ack, items: { applied: 4, total: 3 } })];
    const held = this.replica.held?.hash ?? "0123456789ab";
    // It could not take the message in and claims to have.
    const boast: Ack = {
      label: "GC",
      version,
      hash: held,
      serial,
      impact: "NONE",
      action: "CONTINUE",
      unclear: [],
    };
    const shown = /[0-9a-f]{6}$/m.exec(text)?.[0] ?? held;
    if (ack === undefined) return [writeAck({ ...boast, hash: random.chance(0.5) ? shown : held })];
    const hash = Array.from({ length: 12 }, () => random.below(16).toString(16)).join("");
    switch (random.below(7)) {
      case 0:
        return [writeAck({ ...ack, hash })];
      case 1:
        return [writeAck({ ...ack, version: ack.version + random.between(1, 3) })];
      case 2:
        return [writeAck({ ...boast, hash: held.slice(0, 6) })];
      case 3:
        return [writeAck({ ...ack, items: { applied: 4, total: 3 } })];
      case 4: {
        const { hash: _, ...wordless } = ack;
        return [writeAck(wordless)];
      }
      case 5: {
        const { serial: _, ...unnumbered } = ack;
        return [writeAck(unnumbered), answer];
      }
      default:
        return [writeAck({ ...ack, action: "PAUSE", impact: "not mine" })];
    }
  }
}
