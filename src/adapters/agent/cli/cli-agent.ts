import { type Agent, type AgentUsage, fail, ok, type SessionRequest } from "../../../ports/index.ts";
import { findProgram, folderProblem } from "../../process/index.ts";
import { questionOf, ruleOn } from "../acp/permission.ts";
import { absent, lookAt, probed } from "../look.ts";
import type { Permissions } from "../permissions.ts";
import { createProcessSession } from "../process-session.ts";
import { type FileGuard, unapproved } from "../repository-files.ts";
import { type AgentSettings, type AgentSurroundings, permissionsOf, termsOf } from "../settings.ts";
import { tallied } from "../tally.ts";
import type { AskedCall, Dialect } from "./dialect.ts";
import { createEventReader, type Decided } from "./event-reader.ts";

export interface CliAgentOptions extends AgentSurroundings {
  readonly dialect: Dialect;
  /** Its program where it is not found under its usual name. */
  readonly program?: string | undefined;
  readonly settings?: AgentSettings | undefined;
  /** Milliseconds it may go on trying against what trying does not mend: a quota, a missing login. */
  readonly patienceMs?: number | undefined;
  /** What of the repository the program heeds whatever it is told, and who approves that. */
  readonly guard?: FileGuard | undefined;
}

/** What becomes of a call that a command line asks for. */
async function decideCall(
  { call, isDelicate }: AskedCall,
  request: SessionRequest,
  permissions: Permissions,
): Promise<Decided> {
  const params = { toolCall: call };
  const asked = questionOf(params, request);
  const question = isDelicate && asked.kind === "edit" ? { ...asked, kind: "other" as const } : asked;
  return { question, ruling: await ruleOn(params, question, request, permissions) };
}

/**
 * A coding agent driven by its command line, a process for each turn: JSON events out, the prompt in over stdin, later
 * turns by resuming its session.
 */
export function createCliAgent(options: CliAgentOptions): Agent {
  const { name, dialect, settings = {}, warden } = options;
  const program = options.program ?? dialect.program;
  return {
    portVersion: 1,
    name,
    reports: "signal",
    abilities: dialect.abilities,
    terms: termsOf(settings, options.jail),
    async probe() {
      const found = findProgram(program, { path: options.path });
      if (!found.ok) return absent(found.failure);
      return probed(found.value, await lookAt(found.value, dialect.login, options.env));
    },
    async open(request) {
      const found = findProgram(program, { path: request.env["PATH"], cwd: request.cwd });
      if (!found.ok) return found;
      const folder = folderProblem(request.cwd);
      if (folder !== undefined) return fail(folder);
      let session = request.resume;
      let spent: AgentUsage = {};
      return ok(
        tallied(
          createProcessSession({
            request,
            agent: name,
            warden,
            jail: options.jail,
            refused: () => unapproved(request.cwd, options.guard),
            program(message) {
              const mcp = request.mcp ?? [];
              const jailed = options.jail !== undefined;
              const { input, ...turn } = dialect.turn({ message, settings, request, session, mcp, jailed });
              const told =
                dialect.broker === undefined
                  ? { input }
                  : { channel: true as const, greeting: dialect.broker.prompt(input) };
              return { file: found.value, ...turn, ...told, env: { ...turn.env, ...options.extraEnv } };
            },
            reader: (queue, reply) =>
              createEventReader({
                agent: name,
                dialect,
                queue,
                reply,
                decide: asked => decideCall(asked, request, permissionsOf(settings)),
                spent,
                mask: request.mask,
                patienceMs: options.patienceMs,
                keep(kept) {
                  session = kept.session ?? session;
                  spent = kept.spent ?? spent;
                },
              }),
          }),
          { tells: "turn", resumed: request.resume !== undefined },
        ),
      );
    },
  };
}
