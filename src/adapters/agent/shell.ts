import { type Agent, fail, ok } from "../../ports/index.ts";
import { findShell, folderProblem, shellProgram, type Warden } from "../process/index.ts";
import { absent } from "./look.ts";
import { createProcessSession } from "./process-session.ts";
import type { AgentJail } from "./settings.ts";
import { createTextReader } from "./text-reader.ts";

export interface ShellAgentOptions {
  /** Ends the agent's processes if this one dies; also gives them its instance mark. */
  readonly warden?: Warden;
  readonly jail?: AgentJail | undefined;
  /** What its commands say when a limit is reached; `*` stands for anything. */
  readonly limits?: readonly string[] | undefined;
  /** The PATH `probe` searches. */
  readonly path?: string | undefined;
}

/**
 * Runs the task's `run:` block in `bash`, or `sh` where there is none; see `findShell` for the shell's settings. The
 * turn's message is not used: every turn runs the block again. Its exit code is the turn's; when it is not 0, the
 * last line of stderr stands at the end of the final message.
 */
export function createShellAgent(options: ShellAgentOptions = {}): Agent {
  return {
    portVersion: 1,
    name: "shell",
    reports: "exit",
    async probe() {
      const shell = findShell(options.path, "espalier");
      return shell.ok ? { found: true, path: shell.value.file } : absent(shell.failure);
    },
    async open(request) {
      const { script, task } = request;
      if (script === undefined || script.trim() === "") {
        return fail({
          kind: "unsuitable",
          message: `task ${task} has no \`run:\` block; add one or choose an agent with --agent`,
          retryable: false,
        });
      }
      const shell = shellProgram(script, task, request.env["PATH"]);
      if (!shell.ok) return shell;
      const folder = folderProblem(request.cwd);
      if (folder !== undefined) return fail(folder);
      return ok(
        createProcessSession({
          request,
          agent: "shell",
          warden: options.warden,
          jail: options.jail,
          program: () => shell.value,
          reader: queue =>
            createTextReader({
              agent: "shell",
              queue,
              mask: request.mask,
              byExit: true,
              limits: options.limits ?? [],
            }),
        }),
      );
    },
  };
}
