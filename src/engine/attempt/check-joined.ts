import { because, type Reason } from "../../ports/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import { checkIn } from "./proof.ts";
import type { AttemptRequest, StopSignals } from "./types.ts";

/**
 * What stands against a task's work on top of what landed meanwhile: its own checks say so, then those of the tasks whose lines
 * stand beside its own, each command once.
 */
export async function checkJoined(
  request: AttemptRequest,
  cwd: string,
  others: readonly string[],
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Reason | undefined> {
  const known = new Set<string>();
  const beside = others.flatMap(id => request.aim(id) ?? []);
  for (const task of [request.task, ...beside]) {
    const proof = await checkIn({ ...request, task }, { cwd }, world, options, stop, known);
    if (proof.kind === "passed" || proof.kind === "none") continue;
    const { reason } = proof;
    return task === request.task ? reason : because("check-of-other", { task: task.id, why: reason });
  }
  return undefined;
}
