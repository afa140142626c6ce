/** What ends something that a person may stop: softly, then hard. */
export interface Stop {
  readonly cancel: AbortSignal;
  readonly kill: AbortSignal;
}

/** Does something that a person may stop, and leaves the signals to others afterwards. */
export async function whileStoppable<T>(use: (stop: Stop) => Promise<T>): Promise<T> {
  const [cancel, kill] = [new AbortController(), new AbortController()];
  const forget = onSignals((_, how) => {
    cancel.abort();
    if (how === "hard") kill.abort();
  });
  try {
    return await use({ cancel: cancel.signal, kill: kill.signal });
  } finally {
    forget();
  }
}

/** Calls back for Ctrl+C, SIGTERM and a closed terminal: first softly, then hard; the third time the process leaves. */
export function onSignals(stop: (by: string, how: "soft" | "hard") => void): () => void {
  let times = 0;
  const names = { SIGINT: "Ctrl+C", SIGTERM: "SIGTERM", SIGHUP: "a closed terminal" } as const;
  const handlers = Object.entries(names).map(([signal, by]) => {
    const handler = () => {
      times++;
      if (times > 2) process.exit(130);
      stop(by, times === 1 ? "soft" : "hard");
    };
    process.on(signal, handler);
    return () => process.removeListener(signal, handler);
  });
  return () => {
    for (const remove of handlers) remove();
  };
}
