/** What one process remembers of outputs, by key, within a number of bytes. */
export interface SessionTier<Value> {
  get(key: string): Value | undefined;
  /** Remembers a value of about so many bytes; what was asked for longest ago goes. */
  put(key: string, value: Value, bytes: number): void;
  readonly size: number;
}

/** A session tier: it lives as long as whoever holds it. */
export function createSessionTier<Value>(maxBytes: number): SessionTier<Value> {
  const kept = new Map<string, { readonly value: Value; readonly bytes: number }>();
  let total = 0;
  const forget = (key: string): void => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },
    put(key, value, bytes) {
      forget(key);
      if (bytes > maxBytes) return;
      kept.set(key, { value, bytes });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) return;
        forget(oldest);
      }
    },
    get size() {
      return kept.size;
    },
  };
}
