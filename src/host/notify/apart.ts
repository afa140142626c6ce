import { randomName } from "../../adapters/local/random.ts";
import { agentEnv, runShellCommand, startWarden, type Warden } from "../../adapters/process/index.ts";
import type { ShellRequest } from "../../engine/index.ts";
import { because, type Notice, type Reason, type Result } from "../../ports/index.ts";
import type { Approvals } from "../approval/approval.ts";
import type { Caller } from "../caller.ts";
import type { Project } from "../project/project.ts";
import { redactorOf } from "../project/secrets.ts";
import { engineOptions } from "../project/settings.ts";
import { shellEnd } from "../run/world.ts";
import { projectNotifiers } from "./notifiers.ts";
import { messageOf } from "./view.ts";

/** Whom a notice went to, and what came of it. */
export interface ToldOne {
  readonly name: string;
  readonly told: Result<void, string | Reason>;
}

/** Tells everybody whom a run of the project would tell, while there is none. What is not approved is not told. */
export async function tellApart(
  caller: Caller,
  project: Project,
  approvals: Approvals,
  notice: Notice,
): Promise<readonly ToldOne[]> {
  const { config, root } = project;
  // Most projects name no command, and a warden is a process of its own.
  let warden: Warden | undefined;
  const redact = redactorOf(caller.env, root);
  const shell = async ({ name, ...request }: ShellRequest) => {
    if (!approvals.allows(request.command)) {
      const refused = because("proof-unapproved", {});
      return { exitCode: undefined, killed: undefined, tail: "", ms: 0, refused };
    }
    const mask = () => redact.stream();
    warden ??= startWarden(randomName(16));
    return shellEnd(await runShellCommand({ ...request, title: name, warden, log: () => {}, mask }));
  };
  try {
    const notifiers = projectNotifiers({
      project,
      approvals,
      caller,
      world: { shell, env: agentEnv(caller.env, config.env), random: randomName },
      options: engineOptions(config, {}, "", root),
    });
    const message = messageOf(projectName(root), [notice]);
    return await Promise.all(
      notifiers.map(async one => ({ name: one.name, told: await one.notify(message) })),
    );
  } finally {
    await warden?.close();
  }
}

/** A project that no task file names is known by its folder. */
function projectName(root: string): string {
  return root.split("/").at(-1) ?? root;
}
