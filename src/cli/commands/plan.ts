import { errorsOf, loadPlan, renderDiagnostics } from "../../host/project/plan-file.ts";
import { planWords } from "../../host/project/plan-words.ts";
import { findTaskFile, type Project } from "../../host/project/project.ts";
import { policyOf } from "../../host/project/settings.ts";
import { oneFolderNote, oneFolderOf } from "../../host/session/one-folder.ts";
import { criticalPath, type Plan, planJson, widestFront } from "../../plan/index.ts";
import { EXIT } from "../../ports/index.ts";
import { allowedFront } from "../../run/index.ts";
import { reasonText } from "../../text/index.ts";
import { type Io, say, sayJson, warn } from "../io.ts";
import { projectOf } from "../project.ts";
import { heading, type Look, lookOf } from "../views/look.ts";

/** The tree as the plan has it, before anything ran. */
async function drawTree(project: Project, plan: Plan, look: Look): Promise<string[]> {
  const [{ treeFacts }, { contextTreeView }, { treeWords }] = await Promise.all([
    import("../../host/project/context-tree.ts"),
    import("../views/context-tree-view.ts"),
    import("../views/words/context-tree-words.ts"),
  ]);
  const { locale } = project;
  const none = { stored: undefined, shared: undefined };
  const facts = treeFacts({ plan, root: project.root, locale, ...none });
  if (typeof facts === "string") return [];
  const words = treeWords(locale);
  return [heading(look, words.title), ...contextTreeView(facts, { ...words, notYet: "" }, look)];
}

/** `espalier plan [FILE]`. Exit 3 when the plan has errors. */
export async function plan(
  io: Io,
  file: string | undefined,
  options: { allowMissing?: boolean; json?: boolean },
): Promise<number> {
  const project = projectOf(io, file);
  const path = findTaskFile(project, io.cwd, file);
  const reading = loadPlan(
    path,
    options.allowMissing === true,
    project,
    options.json === true ? "en" : undefined,
  );
  if (options.json === true) sayJson(io, planJson(reading));
  else {
    const { planView } = await import("../views/plan-view.ts");
    const look = lookOf(io.stdout, io.env, project.locale);
    const shared = oneFolderNote(oneFolderOf(project), project, {}, reading.plan);
    const front = widestFront(reading.plan, { phases: true });
    const facts = {
      plan: reading.plan,
      tree: reading.plan.contextNodes.length === 0 ? [] : await drawTree(project, reading.plan, look),
      file: path.display,
      criticalPath: criticalPath(reading.plan),
      widestFront: shared === undefined ? front : front.slice(0, 1),
      allowedFront: allowedFront(reading.plan, policyOf(project.config, {}, "auto").resources!),
      diagnostics: reading.diagnostics,
      rendered: renderDiagnostics(path, reading, 50, project.locale),
    };
    for (const line of planView(facts, look)) say(io, line);
    if (shared !== undefined) warn(io, reasonText(shared, project.locale));
    if (path.others.length > 0) warn(io, planWords(project.locale).otherFiles(path.others.join(", ")));
  }
  return errorsOf(reading).length > 0 ? EXIT.invalidPlan : EXIT.done;
}
