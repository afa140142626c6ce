import { WORKER_SOCKET } from "../adapters/process/index.ts";
import type { WorkerAsk } from "../engine/control/protocol.ts";
import { refusalText } from "../host/control/refusal.ts";
import { askAt, askRunning } from "../host/control/running.ts";
import type { Project } from "../host/project/project.ts";
import { told, visible } from "../text/index.ts";
import { type Duties, Refusal } from "./index.ts";

/** The attempt that an agent's environment names. */
export interface OwnAttempt {
  readonly task: string;
  readonly token: string;
  /** Where it is served; without it whoever runs the project is asked. */
  readonly socket?: string | undefined;
}

/** The attempt this process works for; undefined when it works for none. */
export function ownAttempt(env: Readonly<Record<string, string | undefined>>): OwnAttempt | undefined {
  const { ESPALIER_TASK: task, ESPALIER_ATTEMPT: token, [WORKER_SOCKET]: socket } = env;
  return task === undefined || token === undefined ? undefined : { task, token, socket };
}

/** The tools of an agent at work: the process that runs its task answers, and checks whose token it is. */
export function workerDuties(project: Project, { task, token, socket }: OwnAttempt): Duties {
  const { locale } = project.config;
  const ask = async (asked: WorkerAsk): Promise<string> => {
    const request = { method: "worker", task, token, ask: asked } as const;
    const reply = await (socket === undefined ? askRunning(project, request) : askAt(socket, request));
    if (reply === undefined)
      throw new Refusal(
        refusalText("NOTHING_RUNS", told`the process that started this task has left`, locale),
      );
    if (!reply.ok) throw new Refusal(reply.message);
    return reply.message;
  };
  return {
    async status({ id }) {
      if (id !== undefined && id !== task) {
        const said = told`you are at work on ${visible(task, 80)}, not on ${visible(id, 80)}`;
        throw new Refusal(refusalText("NOT_YOURS", said, locale));
      }
      return ask({ op: "status" });
    },
    context_pull: ({ label, since, hash }) =>
      ask({
        op: "pull",
        label,
        ...(since === undefined ? {} : { since }),
        ...(hash === undefined ? {} : { hash }),
      }),
    context_ack: ({ text }) => ask({ op: "ack", text }),
    get_context: ({ name, version }) =>
      ask({
        op: "get",
        ...(name === undefined ? {} : { name }),
        ...(version === undefined ? {} : { version }),
      }),
    add_context: ({ node, text }) => ask({ op: "add", node, text }),
  };
}
