import type { Clock } from "../ports/index.ts";
import type { Engine } from "./engine.ts";

/** Milliseconds after which a stopped run ends by force what has not left by itself. */
export const STOP_GRACE_MS = 3000;

/** Makes a soft stop a hard one once what a run has started has had its time to leave. Returns what takes that back. */
export function hardenStop(engine: Pick<Engine, "listen" | "send">, clock: Clock): () => void {
  let cancel: (() => void) | undefined;
  const leave = engine.listen(({ event }) => {
    if (event.type !== "stopping") return;
    const { by } = event;
    cancel ??= clock.after(STOP_GRACE_MS, () => void engine.send({ type: "stop", by, how: "hard" }));
  });
  return () => {
    leave();
    cancel?.();
  };
}
