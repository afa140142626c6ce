import {
  type Agent,
  type AgentFailure,
  type AgentUsage,
  addUsage,
  fail,
  ok,
  type Result,
} from "../../ports/index.ts";
import { findCommand, folderProblem, type Warden } from "../process/index.ts";
import { absent } from "./look.ts";
import { createProcessSession } from "./process-session.ts";
import type { AgentJail } from "./settings.ts";
import { splitCommand } from "./split-command.ts";
import { createTextReader } from "./text-reader.ts";

export interface CommandAgentOptions {
  /** The name tasks and flags use. */
  readonly name: string;
  /** The user's command line; see `splitCommand` for how it is read. */
  readonly command: string;
  /** Ends the agent's processes if this one dies; also gives them its instance mark. */
  readonly warden?: Warden;
  readonly jail?: AgentJail | undefined;
  /** What it says when a limit is reached, where that is not known; `*` stands for anything. */
  readonly limits?: readonly string[] | undefined;
  /** The PATH `probe` searches. */
  readonly path?: string | undefined;
  /** What a program given as `./agent` is relative to, for `probe`; a session uses its own folder otherwise. */
  readonly cwd?: string;
  /** It works in folders that hold other files than `cwd` does. */
  readonly isElsewhere?: boolean | undefined;
}

/**
 * Any program of the user: started anew for each turn with the turn's message on stdin. Its stdout is the final
 * message, or JSON that has one; its exit code is the turn's.
 */
export function createCommandAgent(options: CommandAgentOptions): Agent {
  return {
    portVersion: 1,
    name: options.name,
    reports: "signal",
    async probe() {
      const command = resolveCommand(
        options,
        options.path,
        options.cwd,
        options.isElsewhere === true ? undefined : options.cwd,
      );
      return command.ok ? { found: true, path: command.value.file } : absent(command.failure);
    },
    async open(request) {
      const { cwd, env } = request;
      const command = resolveCommand(options, env["PATH"], options.cwd ?? cwd, cwd);
      if (!command.ok) return command;
      const folder = folderProblem(request.cwd);
      if (folder !== undefined) return fail(folder);
      let spent: AgentUsage = {};
      return ok(
        createProcessSession({
          request,
          agent: options.name,
          warden: options.warden,
          jail: options.jail,
          program: message => ({ ...command.value, input: message }),
          reader: queue =>
            createTextReader({
              agent: options.name,
              queue,
              mask: request.mask,
              byExit: false,
              limits: options.limits ?? [],
              counted(usage) {
                if (Object.keys(usage).length === 0) return;
                spent = addUsage(spent, usage);
                queue.push({ type: "usage", ...spent });
              },
            }),
        }),
      );
    },
  };
}

interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

function resolveCommand(
  options: CommandAgentOptions,
  path: string | undefined,
  cwd: string | undefined,
  folder: string | undefined,
): Result<Command, AgentFailure> {
  const words = splitCommand(options.command);
  if (!words.ok) {
    const { message, column } = words.failure;
    return fail({
      kind: "unsuitable",
      message: `the command of agent ${options.name} cannot be read: ${message} (column ${column} of ${options.command})`,
      retryable: false,
    });
  }
  const [, ...args] = words.value;
  const program = findCommand(words.value, { path, cwd, folder });
  return program.ok ? ok({ file: program.value, args }) : program;
}
