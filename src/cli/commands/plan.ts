import { criticalPath, planJson, widestFront } from "../../plan/index.ts";
import { EXIT } from "../../ports/index.ts";
import { type Io, say, sayJson, warn } from "../io.ts";
import { errorsOf, loadPlan, renderDiagnostics } from "../plan-file.ts";
import { findTaskFile, openProject } from "../project.ts";
import { lookOf } from "../views/look.ts";

/** `espalier plan [FILE]`. Exit 3 when the plan has errors. */
export async function plan(
  io: Io,
  file: string | undefined,
  options: { allowMissing?: boolean; json?: boolean },
): Promise<number> {
  const project = openProject(io.cwd, file);
  const path = findTaskFile(project, io.cwd, file);
  const reading = loadPlan(path, options.allowMissing === true, project);
  if (options.json === true) sayJson(io, planJson(reading));
  else {
    const { planView } = await import("../views/plan-view.ts");
    const facts = {
      plan: reading.plan,
      file: path.display,
      criticalPath: criticalPath(reading.plan),
      widestFront: widestFront(reading.plan),
      diagnostics: reading.diagnostics,
      rendered: renderDiagnostics(path, reading, 50),
    };
    for (const line of planView(facts, lookOf(io.stdout, io.env, project.config.locale))) say(io, line);
    if (path.others.length > 0) warn(io, `also found, not used: ${path.others.join(", ")}`);
  }
  return errorsOf(reading).length > 0 ? EXIT.invalidPlan : EXIT.done;
}
