import { createHash } from "node:crypto";
import { readBounded } from "../../adapters/file/index.ts";
import { type Diagnostic, type Reading, readPlan, renderDiagnostic } from "../../plan/index.ts";
import { EspalierError, EXIT, type OneFolder } from "../../ports/index.ts";
import { type Locale, visible } from "../../text/index.ts";
import { oneFolderOf } from "../session/one-folder.ts";
import { agentProblems, reviewerProblems } from "./plan-agents.ts";
import { documentProblems } from "./plan-documents.ts";
import { resourceProblems } from "./plan-resources.ts";
import { triesProblems } from "./plan-tries.ts";
import { planWords } from "./plan-words.ts";
import type { Project, TaskPath } from "./project.ts";
import { configuredNodes } from "./settings.ts";

/** Bytes beyond which a task file is not even read. */
const MAX_BYTES = 64 * 1024 ** 2;

/** A task file as it was at one moment. */
export interface PlanFile extends Reading {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
}

/** Reads a task file's bytes. Throws EspalierError when it is missing, no plain file, too large or unreadable. */
export function readTaskBytes(file: TaskPath, locale: Locale = "en"): Uint8Array {
  const bytes = readBounded(file.path, { maxBytes: MAX_BYTES, follow: true });
  if (bytes.ok) return bytes.value;
  const { kind, message } = bytes.failure;
  const words = planWords(locale);
  const said = kind === "io" ? message : words.unread[kind](visible(file.display, 400));
  if (kind === "permission")
    throw new EspalierError("TASKS_UNREADABLE", said, {
      hint: words.rightsHint(`${process.getuid?.() ?? ""}`),
      exitCode: EXIT.environment,
    });
  const code = {
    missing: "TASKS_NOT_FOUND",
    "not-regular": "TASKS_NOT_A_FILE",
    "too-large": "TASKS_TOO_LARGE",
    io: "TASKS_UNREADABLE",
  }[kind];
  throw new EspalierError(code, said, { hint: words.unreadHint, exitCode: EXIT.usage });
}

/** SHA-256 in hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Reads and validates a task file; diagnostics are in the result, errors included. What programs read is English. */
export function loadPlan(
  file: TaskPath,
  allowMissing: boolean,
  project: Project,
  locale: Locale = project.locale,
): PlanFile {
  const bytes = readTaskBytes(file, locale);
  const contextNodes = configuredNodes(project.config);
  const { plan, diagnostics } = readPlan(bytes, { path: file.display, allowMissing, contextNodes });
  const { config, root } = project;
  const words = planWords(locale);
  const problems = [
    ...documentProblems(plan, root),
    ...agentProblems(plan, config, words),
    ...reviewerProblems(plan, config, words),
    ...resourceProblems(plan, config, words),
    ...triesProblems(plan, config, () => oneFolderOf(project)),
  ];
  return { plan, diagnostics: [...diagnostics, ...problems], bytes, hash: sha256(bytes) };
}

/** Diagnostics as a compiler prints them, at most `limit`. */
export function renderDiagnostics(
  file: Pick<TaskPath, "display">,
  plan: Pick<PlanFile, "bytes" | "diagnostics">,
  limit: number,
  locale: Locale = "en",
): string[] {
  const words = planWords(locale);
  const text = Buffer.from(plan.bytes).toString("utf8");
  const shown = plan.diagnostics
    .slice(0, limit)
    .map(d => renderDiagnostic(d, file.display, text, line => visible(line), words));
  const more = plan.diagnostics.length - shown.length;
  return more > 0 ? [...shown, words.more(more)] : shown;
}

/** The diagnostics that make a plan unusable. */
export function errorsOf(plan: Reading): readonly Diagnostic[] {
  return plan.diagnostics.filter(diagnostic => diagnostic.severity === "error");
}

/** Throws where several agents are to work on a task at once and there is no folder for each: git alone knows that sometimes. */
export function requireFolders(
  file: TaskPath,
  plan: PlanFile,
  { config, locale }: Pick<Project, "config" | "locale">,
  oneFolder: OneFolder | undefined,
): void {
  requireUsable(file, { ...plan, diagnostics: triesProblems(plan.plan, config, () => oneFolder) }, locale);
}

/** Throws unless the plan can be run. */
export function requireUsable(file: TaskPath, plan: PlanFile, locale: Locale = "en"): void {
  const errors = errorsOf(plan);
  if (errors.length === 0) return;
  const rendered = renderDiagnostics(file, { ...plan, diagnostics: errors }, 20, locale).join("\n");
  const words = planWords(locale);
  throw new EspalierError("PLAN_INVALID", `${words.invalid(file.display, errors.length)}\n${rendered}`, {
    hint: words.invalidHint(file.display),
    exitCode: EXIT.invalidPlan,
  });
}
