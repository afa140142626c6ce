import { planJson } from "../../plan/index.ts";
import { EXIT } from "../../ports/index.ts";
import { type Io, say, sayJson, warn } from "../io.ts";
import { errorsOf, loadPlan } from "../plan-file.ts";
import { findTaskFile, openProject } from "../project.ts";

/** `espalier plan [FILE]`. Exit 3 when the plan has errors. */
export async function plan(
  io: Io,
  file: string | undefined,
  options: { allowMissing?: boolean; json?: boolean },
): Promise<number> {
  const project = openProject(io.cwd);
  const path = findTaskFile(project, io.cwd, file);
  const reading = loadPlan(path, options.allowMissing === true);
  if (options.json === true) sayJson(io, planJson(reading));
  else {
    const { planView } = await import("../views/plan-view.ts");
    for (const line of planView(io, path, reading)) say(io, line);
    if (path.others.length > 0) warn(io, `also found, not used: ${path.others.join(", ")}`);
  }
  return errorsOf(reading).length > 0 ? EXIT.invalidPlan : EXIT.done;
}
