import type { HeardWorld } from "./world.ts";

export interface HeartbeatListener {
  /** Called at every beat, before its backup. */
  beats(): void;
  /** Called after a beat that found the state folder to be somebody else's. */
  lost(): void;
  failed(message: string): void;
}

/** Copies of the database: at the start, at phase ends, at every beat and at the end. */
export interface Heartbeat {
  beat(): void;
  backup(): Promise<void>;
  stop(): void;
}

/** A heart that beats every `everyMs` milliseconds after `beat` was called, until `stop`. */
export function createHeartbeat(world: HeardWorld, everyMs: number, listener: HeartbeatListener): Heartbeat {
  let cancel: (() => void) | undefined;
  let stopped = false;

  const backup = async () => {
    const result = await world.files.backup();
    if (!result.ok) listener.failed(result.failure);
  };
  const beat = () => {
    cancel = world.clock.after(everyMs, () => {
      listener.beats();
      void backup().then(() => {
        if (stopped) return;
        if (!world.stillOurs()) listener.lost();
        beat();
      });
    });
  };
  return {
    beat,
    backup,
    stop: () => {
      stopped = true;
      cancel?.();
    },
  };
}
