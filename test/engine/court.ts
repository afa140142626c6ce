import type { EngineOptions } from "../../src/engine/index.ts";
import type { AttemptRow, RunEvent } from "../../src/ports/index.ts";
import { type Part, Puppets } from "./puppets.ts";
import { openSite, type Site } from "./site.ts";

export const TASK = "### [ ] T1.1: Say hello\n- greet whoever comes\n- [ ] in Korean, too\n";

/** A site with a worker and a judge, both puppets. */
export async function openCourt(
  options: Parameters<typeof openSite>[0] & { readonly review?: Partial<EngineOptions["review"]> } = {},
) {
  const judges = new Puppets({ name: "judge", followUp: true });
  const { review, engine, agents, ...rest } = options;
  const site = await openSite({
    tasks: TASK,
    puppets: { followUp: true },
    agents: { judge: judges.agent, ...agents },
    engine: {
      verify: "check",
      review: { agent: "judge", rounds: 2, required: false, ...review },
      ...engine,
    },
    ...rest,
  });
  const work = async (text: string) => {
    const part = await site.bench.puppets.next();
    site.edit(part, text);
    part.tell({ type: "session", id: "s-1" });
    site.done(part);
    return part;
  };
  return Object.assign(site, { judges, work });
}

export const approve = (part: Part) => part.say(`Fine.\nAPPROVE:${part.id}`);
export const object = (part: Part, findings: string) => part.say(`${findings}\nCHANGES:${part.id}`);
export const isLanded = ({ lab }: Pick<Site, "lab">) => lab.git("log", "--oneline", "--all").includes("T1.1");

export function rowOf({ bench }: Pick<Site, "bench">, number = 1): AttemptRow | undefined {
  const rows = bench.changes.flatMap(({ attempts = [] }) => attempts);
  return rows.findLast(row => row.number === number);
}

export const eventsOf = ({ bench }: Pick<Site, "bench">, type: RunEvent["type"]) =>
  bench.events.filter(event => event.type === type);
export const warningsOf = (site: Pick<Site, "bench">) =>
  site.bench.events.flatMap(event => (event.type === "warning" ? [event.code] : []));
