import { EspalierError, EXIT } from "../../ports/index.ts";
import { configCommands, planCommands, requireApproval } from "../approval.ts";
import { type Io, say, sayJson, warn } from "../io.ts";
import { loadPlan, renderDiagnostics, requireUsable } from "../plan-file.ts";
import { findTaskFile, openProject, type Project, type TaskPath } from "../project.ts";
import { readRun } from "../reader.ts";
import { drive } from "../session/drive.ts";
import { openSession } from "../session/open.ts";
import { rehearse } from "../session/rehearse.ts";
import { type Invocation, policyOf } from "../settings.ts";

export interface RunFlags extends Invocation {
  readonly only?: readonly string[];
  readonly forcePhase?: string;
  readonly trustBoxes?: boolean;
  readonly adopt?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly plan?: "reconcile" | "frozen";
}

function invocationOf(flags: RunFlags): Invocation {
  if (flags.plan !== undefined && flags.plan !== "reconcile" && flags.plan !== "frozen") {
    throw new EspalierError("USAGE", `--plan takes reconcile or frozen, not ${String(flags.plan)}`, {
      exitCode: EXIT.usage,
    });
  }
  const { agent, command, parallel, allowMissing, plan } = flags;
  return { agent, command, parallel, allowMissing, plan };
}

async function go(io: Io, project: Project, file: TaskPath, flags: RunFlags): Promise<number> {
  const plan = loadPlan(file, flags.allowMissing === true);
  requireUsable(file, plan);
  if (flags.json !== true) {
    for (const line of renderDiagnostics(file, plan, 10)) warn(io, line);
    if (file.others.length > 0) warn(io, `using ${file.display}; also found: ${file.others.join(", ")}`);
  }
  const invocation = invocationOf(flags);
  if (flags.dryRun === true) {
    const waves = rehearse(plan.plan, policyOf(project.config, invocation, "auto"), flags.only);
    if (flags.json === true) sayJson(io, { dryRun: true, waves });
    else
      for (const [at, wave] of waves.entries()) say(io, `${String(at + 1).padStart(4)}  ${wave.join(", ")}`);
    return EXIT.done;
  }
  const session = await openSession(project, file, plan, {
    invocation,
    only: flags.only,
    force: flags.forcePhase,
    trustBoxes: flags.trustBoxes === true,
    adopt: flags.adopt === true,
    advance: "auto",
  });
  try {
    const wanted = [...planCommands(plan.plan), ...configCommands(project.config)];
    const approvals = await requireApproval(io, project.root, wanted, flags.yes === true);
    return await drive(io, session, approvals, { json: flags.json === true });
  } finally {
    session.close();
  }
}

/** `espalier run [FILE]`: starts a run, or goes on with the one of this task file. */
export function run(io: Io, named: string | undefined, flags: RunFlags): Promise<number> {
  const project = openProject(io.cwd);
  return go(io, project, findTaskFile(project, io.cwd, named), flags);
}

/** `espalier resume`: goes on with the last run, whatever its task file is. */
export function resume(io: Io, flags: RunFlags): Promise<number> {
  const project = openProject(io.cwd);
  const last = readRun(project);
  const file = findTaskFile(project, io.cwd, last?.stored.run.file);
  return go(io, project, file, flags);
}
