import type { Kind } from "./kinds.ts";
import type { Grouping } from "./lanes.ts";

/** What the timeline says, in one language. It is loaded with the timeline alone. */
export interface TimelineWords {
  readonly chart: string;
  readonly chartEmpty: string;
  readonly rows: string;
  readonly rowsOf: Readonly<Record<Grouping, string>>;
  readonly stretch: string;
  readonly whole: string;
  readonly last: (time: string) => string;
  readonly here: string;
  readonly moment: string;
  readonly now: string;
  readonly pastAt: (time: string, ago: string) => string;
  readonly atWork: string;
  readonly nobody: string;
  readonly legend: string;
  readonly between: string;
  readonly older: (count: number) => string;
  readonly kind: string;
  readonly kindOf: Readonly<Record<Kind, string>>;
  readonly events: string;
  readonly eventsHint: string;
  readonly noneSuch: string;
  readonly olderEvents: string;
  readonly search: string;
  readonly searchHint: string;
  readonly searchDo: string;
  readonly searched: (attempts: number, cut: number) => string;
  readonly found: (count: number) => string;
  readonly further: string;
}
