import { configCommands, planCommands } from "../../host/approval/approvable.ts";
import { requireApproval } from "../../host/approval/approval.ts";
import type { Caller } from "../../host/caller.ts";
import type { LeadLimits } from "../../host/lead/lead.ts";
import { VERSION } from "../../host/package.ts";
import { loadPlan } from "../../host/project/plan-file.ts";
import { findProject, findTaskFile } from "../../host/project/project.ts";
import { serveMcp } from "../../mcp/index.ts";
import { leadDuties } from "../../mcp/lead.ts";
import { ownAttempt, workerDuties } from "../../mcp/worker.ts";
import { EXIT } from "../../ports/index.ts";
import { callerOf } from "../caller.ts";
import type { Io } from "../io.ts";

/** `espalier mcp --approve [FILE]`: a lead's server can ask nobody, so a person is asked here. */
export async function mcpApprove(io: Io, named: string | undefined, yes: boolean): Promise<number> {
  const project = findProject(io.cwd, named);
  const file = findTaskFile(project, io.cwd, named);
  const { plan } = loadPlan(file, true, project);
  const proofs = planCommands(plan).filter(
    ({ where }) => where.endsWith(" verify") || where.endsWith(" test"),
  );
  const own = configCommands(project.config).filter(({ where }) =>
    /^espalier\.yaml (?:verify|test)$/.test(where),
  );
  await requireApproval(callerOf(io), project, [...own, ...proofs], { yes });
  return EXIT.done;
}

/** Standard input and output belong to the protocol: nobody can be asked there. */
function unasked(caller: Caller): Caller {
  const { show } = caller.approval;
  return { ...caller, isTerminal: false, approval: { show } };
}

/** `espalier mcp [FILE]`: the tools of a lead or, within an attempt, those of a worker, over standard input and output. */
export async function mcp(io: Io, named: string | undefined, limits: LeadLimits = {}): Promise<number> {
  const project = findProject(io.cwd);
  const streams = { input: io.stdin, output: io.stdout, version: VERSION };
  const own = ownAttempt(io.env);
  if (own !== undefined) {
    await serveMcp({ ...streams, role: "worker", duties: workerDuties(project, own) });
    return EXIT.done;
  }
  const { duties, close } = leadDuties(unasked(callerOf(io)), project, named, limits);
  try {
    await serveMcp({ ...streams, role: "lead", duties });
    return EXIT.done;
  } finally {
    await close();
  }
}
