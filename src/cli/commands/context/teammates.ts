import { SYSTEM_CLOCK } from "../../../adapters/local/clock.ts";
import { readContext } from "../../../host/session/context.ts";
import { EXIT } from "../../../ports/index.ts";
import { currentVersion, type Lead, standingOf, type Teammate, waitOf } from "../../../sync/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import type { TeamRow } from "../../views/context-team.ts";
import { contextTeamView } from "../../views/context-team.ts";
import { lookOf } from "../../views/look.ts";
import { failure, openPlace } from "./ask.ts";
import { must } from "./must.ts";

/** A teammate as it stands now; an update that nobody has let time out yet counts all the same. */
export function teamRow(lead: Lead, mate: Teammate, now: number): TeamRow {
  const { flight, sizes } = mate;
  const standing = standingOf(lead, mate);
  const isLate = flight !== undefined && now - flight.sentAt >= lead.policy.ackTimeoutMs;
  const sums = Object.values(sizes);
  return {
    label: lead.label,
    teammate: mate.id,
    standing: isLate && standing !== "ended" ? "stale" : standing,
    holds: mate.context === "held" ? (mate.confirmed?.version ?? null) : null,
    by: mate.proof === "none" ? "none" : mate.context === "held" ? (mate.confirmed?.by ?? null) : null,
    since: mate.context === "held" ? (mate.confirmed?.at ?? null) : null,
    waits: waitOf(lead, mate) ?? null,
    current: currentVersion(lead)?.number ?? 0,
    onItsWay: flight?.version ?? null,
    paused: mate.paused,
    proof: mate.proof,
    role: mate.role,
    session: mate.session,
    messages: sums.reduce((sum, { messages }) => sum + messages, 0),
    tokens: sums.reduce((sum, { tokens }) => sum + tokens, 0),
    lastTokens: mate.lastTokens ?? 0,
    lastSentAt: mate.lastSentAt,
  };
}

/** `espalier context teammates`: who holds what; who has ended only with `--all`. */
export function teammates(io: Io, options: { all?: boolean; json?: boolean }): number {
  const { project, words } = openPlace(io);
  const now = SYSTEM_CLOCK.now();
  const rows = readContext(project, ({ shared }) =>
    must(shared.labels(), words).flatMap(label => {
      const lead = must(shared.lead(label), words);
      if (lead === undefined) return [];
      const mates = [...lead.teammates.values()].filter(mate => mate.live || options.all === true);
      return mates.map(mate => teamRow(lead, mate, now));
    }),
  );
  if (rows === undefined) throw failure("NO_CONTEXT", words.noContext);
  if (options.json === true) sayJson(io, rows);
  else if (rows.length === 0) say(io, words.nobody);
  else
    for (const line of contextTeamView(rows, words, lookOf(io.stdout, io.env, project.locale))) say(io, line);
  return EXIT.done;
}
