/** A document that stands whole in an attempt's first message. */
export interface Held {
  readonly label: string;
  readonly version: number;
}

/** An update on its way to an attempt. */
export interface DueUpdate {
  readonly label: string;
  readonly version: number;
  readonly serial: number;
  readonly text: string;
  /** In front of what its answer is asked for. */
  readonly cue?: string;
}

/** What an agent can be told between two of its tool calls. */
export interface Told {
  readonly updates: readonly DueUpdate[];
  /** Too long for that: told at the end of its turn, unless it asks for them. */
  readonly large: readonly Held[];
}

/** What a teammate at work lends to whoever tells it in its turn. */
export interface AtWork {
  readonly labels: Iterable<string>;
  /** The version that waits at a label and was not sent yet. */
  readonly waiting: (label: string) => number | undefined;
  /** Sends what waits where it has no more characters; undefined where it has. */
  readonly pull: (label: string, most: number) => Promise<DueUpdate | undefined>;
  /** It calls tools: it has read its first message. */
  readonly began: () => Promise<void>;
  readonly hear: (said: string) => Promise<void>;
}

/** Tells an agent in the middle of its turns. */
export interface InTurn {
  /** What has become due, each version once. Calls wait for each other: agents run tools side by side. */
  ask(): Promise<Told>;
  /** Takes in a line of the turn: what was told in it may be answered in it. */
  says(line: string): void;
  /** What it has said since it was told and nobody has heard yet; the turn is over. */
  rest(): string;
  /** What was told since this was last asked. */
  told(): readonly DueUpdate[];
}

/** Characters of an update that vendors' hooks carry whole. */
const MOST_CHARACTERS = 8_000;
/** Updates that one turn is interrupted with. */
const MOST_TIMES = 10;
/** Lines of a turn, and characters of a line, in which answers are looked for. */
const MOST_LINES = 500;
const LONGEST_LINE = 4_000;

/** What stands between a teammate's turns and those who ask in them. */
export function createInTurn({ labels, waiting, pull, began, hear }: AtWork): InTurn {
  const passed: DueUpdate[] = [];
  const large = new Map<string, number>();
  let lines: string[] = [];
  let times = 0;
  let last: Promise<unknown> = Promise.resolve();

  function rest(): string {
    const said = lines.join("\n");
    lines = [];
    return said;
  }

  async function ask(): Promise<Told> {
    await began();
    const said = rest();
    // What it has confirmed by now is the base of what follows.
    if (said !== "") await hear(said);
    const updates: DueUpdate[] = [];
    const tooLong: Held[] = [];
    for (const label of labels) {
      const version = times < MOST_TIMES ? waiting(label) : undefined;
      if (version === undefined || large.get(label) === version) continue;
      const update = await pull(label, MOST_CHARACTERS);
      if (update === undefined) {
        large.set(label, version);
        tooLong.push({ label, version });
        continue;
      }
      times++;
      updates.push(update);
    }
    passed.push(...updates);
    return { updates, large: tooLong };
  }

  return {
    ask() {
      const call = last.then(ask);
      last = call.catch(() => {});
      return call;
    },
    says(line) {
      // Before it is told anything there is nothing to answer.
      if (times === 0) return;
      lines.push(line.slice(0, LONGEST_LINE));
      if (lines.length > MOST_LINES) lines.shift();
    },
    rest() {
      times = 0;
      return rest();
    },
    told: () => passed.splice(0),
  };
}
