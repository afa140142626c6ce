import type { Lab, Running } from "../lab.ts";

/** A way to stop a run. */
export interface Stop {
  readonly name: string;
  /** Resolves when it has been asked for; the process may still be leaving. */
  ask(lab: Lab, run: Running): Promise<void>;
}

const signal = (name: NodeJS.Signals): Stop => ({
  name,
  async ask(_lab, run) {
    run.signal(name);
  },
});

const command = (...args: readonly string[]): Stop => ({
  name: `espalier ${args.join(" ")}`,
  async ask(lab) {
    await lab.ask(...args);
  },
});

/** Every way to stop a run. */
export const STOPS: readonly Stop[] = [
  signal("SIGINT"),
  signal("SIGTERM"),
  signal("SIGHUP"),
  {
    name: "SIGINT twice",
    async ask(_lab, run) {
      run.signal("SIGINT");
      await Promise.race([run.seen("[STOP]"), run.ended]).catch(() => {});
      run.signal("SIGINT");
    },
  },
  command("stop"),
  command("stop", "--now"),
];
