import { Writable } from "node:stream";
import { serveMcp } from "../../mcp/index.ts";
import { EXIT } from "../../ports/index.ts";
import { configCommands, planCommands, requireApproval } from "../approval.ts";
import type { Io } from "../io.ts";
import { VERSION } from "../package.ts";
import { loadPlan } from "../plan-file.ts";
import { findTaskFile, openProject } from "../project.ts";
import type { LeadLimits } from "../session/lead.ts";
import { leadDuties } from "../session/mcp-lead.ts";
import { ownAttempt, workerDuties } from "../session/mcp-worker.ts";

/** Whatever our own code would print: standard output belongs to the protocol. */
function silent(): NodeJS.WriteStream {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  return sink as unknown as NodeJS.WriteStream;
}

/** `espalier mcp --approve [FILE]`: a lead's server can ask nobody, so a person is asked here. */
export async function mcpApprove(io: Io, named: string | undefined, yes: boolean): Promise<number> {
  const project = openProject(io.cwd, named);
  const file = findTaskFile(project, io.cwd, named);
  const { plan } = loadPlan(file, true, project);
  const proofs = planCommands(plan).filter(
    ({ where }) => where.endsWith(" verify") || where.endsWith(" test"),
  );
  const own = configCommands(project.config).filter(({ where }) =>
    /^espalier\.yaml (?:verify|test)$/.test(where),
  );
  await requireApproval(io, project, [...own, ...proofs], { yes });
  return EXIT.done;
}

/** `espalier mcp [FILE]`: the tools of a lead or, within an attempt, those of a worker, over standard input and output. */
export async function mcp(io: Io, named: string | undefined, limits: LeadLimits = {}): Promise<number> {
  const project = openProject(io.cwd);
  const streams = { input: io.stdin, output: io.stdout, version: VERSION };
  const own = ownAttempt(io.env);
  if (own !== undefined) {
    await serveMcp({ ...streams, role: "worker", duties: workerDuties(project, own) });
    return EXIT.done;
  }
  const quiet: Io = { ...io, stdout: silent(), stdin: { isTTY: false } as NodeJS.ReadStream };
  const { duties, close } = leadDuties(quiet, project, named, limits);
  try {
    await serveMcp({ ...streams, role: "lead", duties });
    return EXIT.done;
  } finally {
    await close();
  }
}
