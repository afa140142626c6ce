import type { Reason, RunEvent } from "../../ports/index.ts";

/** Who keeps and tells what happened beside a run. */
export interface Hearer {
  warn(code: string, message: Reason, task?: string): void;
  note(event: RunEvent): void;
}

/** Takes what the parts of a run tell from the moment they are made; until somebody hears it, it is held back. */
export interface Outbox extends Hearer {
  /** Hands on what was held back, and all that comes, to whoever hears it from now on. */
  deliver(to: Hearer): void;
}

/** Nobody hears it yet. */
export function createOutbox(): Outbox {
  let hearer: Hearer | undefined;
  let held: ((hearer: Hearer) => void)[] = [];
  const tell = (news: (hearer: Hearer) => void): void => {
    if (hearer === undefined) held.push(news);
    else news(hearer);
  };
  return {
    warn: (code, message, task) => tell(one => one.warn(code, message, task)),
    note: event => tell(one => one.note(event)),
    deliver(to) {
      hearer = to;
      for (const news of held) news(to);
      held = [];
    },
  };
}
