import { dirname, join } from "node:path";
import { because, type Landed, type LandRequest } from "../../ports/index.ts";
import { covers } from "../../run/index.ts";
import type { WorkspaceRules } from "./state.ts";
import type { StopSignals } from "./types.ts";

/** The command that makes a file anew; undefined for one that is somebody's text. */
function commandFor({ generated = {} }: Pick<WorkspaceRules, "generated">, path: string): string | undefined {
  return Object.entries(generated).find(([pattern]) => covers(pattern, path))?.[1];
}

/** Makes files anew that are in conflict, by the commands that are named for them; tells what could not be. */
export function generator(
  rules: WorkspaceRules,
  task: string,
  stop: StopSignals,
): NonNullable<LandRequest["generate"]> {
  const { run, tell } = rules;
  return path => {
    const command = commandFor(rules, path);
    if (command === undefined || run === undefined) return undefined;
    return async top => {
      const why = await run(command, join(top, dirname(path)), stop);
      if (why === undefined) return "made";
      if (stop.cancel.aborted) return "stopped";
      tell("NOT_GENERATED", because("not-generated", { path, command, why }), task);
      return "failed";
    };
  };
}

/** Tells which files of work that has landed were made anew. */
export function tellGenerated(
  rules: Pick<WorkspaceRules, "generated" | "tell">,
  { generated = [] }: Extract<Landed, { kind: "landed" }>,
  task: string,
): void {
  for (const path of generated) {
    const command = commandFor(rules, path) ?? "";
    rules.tell("GENERATED", because("generated-anew", { path, command }), task);
  }
}
