import { SYSTEM_CLOCK } from "../../../adapters/local/clock.ts";
import { readContext } from "../../../host/session/context.ts";
import { EXIT } from "../../../ports/index.ts";
import { currentVersion, type Lead, type Teammate } from "../../../sync/index.ts";
import { dateAndTime, visible } from "../../../text/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import type { ContextWords } from "../../views/words/context-words.ts";
import { failure, openPlace } from "./ask.ts";
import { must } from "./must.ts";
import { teamRow } from "./teammates.ts";

/** What a teammate holds, by which proof and since when, then what waits for it and why. */
function mateLine(lead: Lead, mate: Teammate, isAtWork: boolean, now: number, words: ContextWords): string {
  const { teammate, holds, by, since, waits, standing, ...sent } = teamRow(lead, mate, now);
  const { label, gate } = lead;
  const name = visible(teammate, 80);
  const holding =
    holds === null || by === null
      ? words.holdsNothing
      : words.holds(`v${holds}`, words.proof[by], dateAndTime(since ?? now));
  const parts = [by === "none" ? words.standing[standing] : holding];
  if (waits !== null) {
    const why = words.why[waits.why]({
      isAtWork,
      update: `espalier context update ${label} --to ${name}`,
      resume: `espalier context resume ${name}`,
      sentAt: dateAndTime(mate.flight?.sentAt ?? mate.lastSentAt),
      serial: mate.flight?.serial ?? 0,
      times: mate.tries,
      gate: visible(gate?.id ?? "", 80),
    });
    parts.push(words.waits(`v${waits.version}`, why));
  }
  if (sent.paused && waits?.why !== "paused") parts.push(words.paused);
  if (sent.messages > 0) parts.push(words.sent(sent.messages, sent.tokens, sent.lastTokens));
  if (standing === "stale") parts.unshift(words.standing.stale);
  return `  ${name}  ${parts.join("; ")}`;
}

/** `espalier context`: each document, who of those at work holds what of it, and what waits for them and why. */
export function explain(io: Io, options: { json?: boolean }): number {
  const { project, words } = openPlace(io);
  const now = SYSTEM_CLOCK.now();
  const read = readContext(project, ({ shared, sessions }) => ({
    leads: must(shared.labels(), words).flatMap(label => must(shared.lead(label), words) ?? []),
    sessions: sessions(),
  }));
  if (read === undefined) throw failure("NO_CONTEXT", words.noContext);
  const { leads, sessions } = read;
  const live = ({ teammates }: Lead) => [...teammates.values()].filter(mate => mate.live);
  if (options.json === true) {
    const told = leads.map(lead => {
      const { number = 0, hash = "", at = 0, by = "" } = currentVersion(lead) ?? {};
      const teammates = live(lead).map(mate => teamRow(lead, mate, now));
      return { label: lead.label, version: number, hash, by, at, teammates };
    });
    sayJson(io, told);
    return EXIT.done;
  }
  for (const lead of leads) {
    const version = currentVersion(lead);
    const made =
      version === undefined
        ? words.holdsNothing
        : words.since(
            `v${version.number}`,
            version.hash,
            visible(version.by || "?", 80),
            dateAndTime(version.at),
          );
    say(io, `${lead.label}  ${made}`);
    for (const mate of live(lead)) say(io, mateLine(lead, mate, sessions.has(mate.session), now, words));
  }
  return EXIT.done;
}
