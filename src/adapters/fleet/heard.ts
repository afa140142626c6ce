/** How much of what a coordinator has heard of its orders is kept on another machine as well. */
export interface Heard {
  /** Every report of an order up to this number was heard, and is kept here. */
  note(id: string, upTo: number): void;
  /** Up to which report of an order nobody has to be told again. */
  safe(id: string): number;
  /** What was heard by now is about to be copied; what it returns is called once it is. */
  mark(): () => void;
  /** Resolves once reports of an order are safe up to this number. */
  whenSafe(id: string, upTo: number): Promise<void>;
  forget(id: string): void;
}

export function createHeard(): Heard {
  const heard = new Map<string, number>();
  const safe = new Map<string, number>();
  const waiting = new Map<string, { readonly upTo: number; readonly resolve: () => void }>();
  const safeUpTo = (id: string) => safe.get(id) ?? 0;

  return {
    note: (id, upTo) => void heard.set(id, upTo),
    safe: safeUpTo,
    mark() {
      const marked = [...heard];
      return () => {
        for (const [id, upTo] of marked) {
          // Forgotten meanwhile.
          if (!heard.has(id)) continue;
          safe.set(id, Math.max(upTo, safeUpTo(id)));
          const one = waiting.get(id);
          if (one !== undefined && one.upTo <= upTo) one.resolve();
        }
      };
    },
    whenSafe(id, upTo) {
      if (safeUpTo(id) >= upTo) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(id, { upTo, resolve });
      return promise;
    },
    forget(id) {
      for (const map of [heard, safe, waiting]) map.delete(id);
    },
  };
}
