import { openVersion, readWords, untold } from "../../sync/index.ts";
import { visible } from "../../text/index.ts";
import { createInTurn, type DueUpdate, type Held, type InTurn } from "./in-turn.ts";
import type { AttemptRequest } from "./types.ts";

export type { DueUpdate, Held } from "./in-turn.ts";

/** A running attempt as a teammate of the documents it was given. */
export interface Team {
  /** The agent showed that it has its first message, and with it the documents in it. */
  began(): Promise<void>;
  /** What became due since: at most one update of each document. */
  due(): Promise<readonly DueUpdate[]>;
  /** How it is told in the middle of its turns; undefined where it is not. */
  readonly inTurn?: InTurn;
  /** Whether the agent has proved that it holds this version, or a later one. */
  holds(update: DueUpdate): boolean;
  /** Documents that have changed and that the agent has not proved to hold, as `GC v1 of v3`; undefined for none. */
  stale(): string | undefined;
  /** Takes in what the agent said; returns why it wants a person to decide, if it does. */
  heard(said: string): Promise<string | undefined>;
}

/** Times that one version is told: once more for an agent that did not acknowledge it. */
export const MOST_TOLD = 2;

/** Nobody's teammate. */
const ALONE: Team = {
  began: async () => {},
  due: async () => [],
  holds: () => false,
  stale: () => undefined,
  heard: async () => undefined,
};

/**
 * Makes an attempt a teammate of the documents it was given. An agent that answers follow-up messages proves what it
 * holds by its word; another one is listed, its completion is marked, and its task's next attempt is given what it missed.
 */
export async function joinTeam(
  request: AttemptRequest,
  held: readonly Held[],
  fresh: () => readonly string[] = () => [],
  mostTold = MOST_TOLD,
  asks: "may" | "must" = "may",
  marked: (label: string, update: string) => string = (_label, update) => update,
): Promise<Team> {
  if (held.length === 0 && request.agent.abilities?.followUp !== true) return ALONE;
  // A task is one teammate: of several agents that work on it the first is kept in step.
  if (request.candidate !== undefined) return ALONE;
  const { shared, row, task, agent } = request;
  const teammate = task.id;
  const speaker = { teammate, session: row.token };
  const follows = agent.abilities?.followUp === true;
  const role = task.role ?? task.specialist;
  /** The messages that the documents in the first message stand for. */
  const first: DueUpdate[] = [];
  /** By label: the version that was told last, and how often. */
  const told = new Map<string, { readonly version: number; readonly times: number }>();

  const labels = new Set(held.map(({ label }) => label));
  for (const { label, version } of held) {
    // What its agent has confirmed by now is known; what not, it is told between two of its turns.
    if (request.isTakenUp && standing(label) !== undefined) continue;
    if (!(await join(label)) || request.isTakenUp) continue;
    const message = await pull(label);
    if (message?.version === version) first.push(message);
  }

  async function join(label: string): Promise<boolean> {
    const joined = await shared.act(label, {
      type: "join",
      ...speaker,
      proof: follows ? "word" : "none",
      fetches: true,
      // A later attempt takes the place of the one before it.
      ...(row.number > 1 ? { replaces: teammate } : {}),
      ...(role === undefined ? {} : { role }),
    });
    return joined.ok;
  }

  /** While it worked it has missed nothing: what waits is one message. */
  async function pull(label: string, most = Infinity): Promise<DueUpdate | undefined> {
    const pulled = await shared.act(label, { type: "pull", teammate, squash: true, most, asks });
    const message = pulled.ok ? pulled.value.messages.find(each => each.teammate === teammate) : undefined;
    return message === undefined
      ? undefined
      : {
          label,
          version: message.version,
          serial: message.serial,
          text: marked(label, message.text),
          ...(message.cue === undefined ? {} : { cue: message.cue }),
        };
  }

  function count({ label, version }: DueUpdate): void {
    const before = told.get(label);
    told.set(label, { version, times: before?.version === version ? before.times + 1 : 1 });
  }

  /** Whether what is due of a document has been told as often as a version is. */
  function hasHeardEnough(label: string): boolean {
    const found = standing(label);
    const before = told.get(label);
    if (found === undefined || before === undefined || before.times < mostTold) return false;
    return before.version >= openVersion(found.lead);
  }

  async function began(): Promise<void> {
    const acks = first.splice(0).map(({ label, version, serial }) => ({
      type: "ack" as const,
      ack: { label, version, serial, given: true as const, impact: "", unclear: [] },
    }));
    if (follows && acks.length > 0) await shared.hear(acks, speaker);
  }

  let impact: string | undefined;
  async function hear(said: string): Promise<void> {
    const words = readWords(said);
    const steps = words.length === 0 ? undefined : await shared.hear(words, speaker);
    const events = steps?.ok === true ? steps.value.flatMap(({ step }) => step.events) : [];
    const paused = events.find(event => event.type === "paused" && event.teammate === teammate);
    if (paused?.type === "paused") impact ??= paused.impact;
  }

  function standing(label: string) {
    const lead = shared.lead(label);
    const mate = lead.ok ? lead.value?.teammates.get(teammate) : undefined;
    return lead.ok && mate?.session === row.token ? { lead: lead.value!, mate } : undefined;
  }

  const inTurn = createInTurn({
    labels,
    waiting(label) {
      const found = standing(label);
      return found === undefined ? undefined : untold(found.lead, found.mate);
    },
    async pull(label, most) {
      const update = await pull(label, most);
      if (update !== undefined) count(update);
      return update;
    },
    began,
    hear,
  });

  return {
    began,
    ...(follows ? { inTurn } : {}),
    async due() {
      if (!follows) return [];
      const updates: DueUpdate[] = [];
      for (const label of fresh()) if (!labels.has(label) && (await join(label))) labels.add(label);
      for (const label of labels) {
        // What is pulled counts as sent: nothing is that is not told.
        if (hasHeardEnough(label)) continue;
        const update = await pull(label);
        if (update === undefined) continue;
        count(update);
        updates.push(update);
      }
      return updates;
    },
    holds({ label, version }) {
      const lead = shared.lead(label);
      const confirmed = lead.ok ? lead.value?.teammates.get(teammate)?.confirmed : undefined;
      return confirmed !== undefined && confirmed.version >= version;
    },
    stale() {
      const behind = [...labels].flatMap(label => {
        const lead = shared.lead(label);
        const current = lead.ok ? lead.value?.versions.at(-1)?.number : undefined;
        if (!lead.ok || current === undefined) return [];
        const mate = lead.value?.teammates.get(teammate);
        const given = held.find(one => one.label === label)?.version ?? 0;
        // What stood in its first message it holds, unless it has said that it lost it.
        const holds = mate?.context === "lost" ? 0 : Math.max(mate?.confirmed?.version ?? 0, given);
        return holds < current ? [`${visible(label, 80)} v${holds} of v${current}`] : [];
      });
      return behind.length === 0 ? undefined : behind.join(", ");
    },
    async heard(said) {
      const rest = inTurn.rest();
      await hear(rest.includes(said.trim()) ? rest : `${rest}\n\n${said}`);
      // It may have said so by a tool.
      const isPaused = [...labels].some(label => standing(label)?.mate.paused === true);
      return impact ?? (isPaused ? "" : undefined);
    },
  };
}
