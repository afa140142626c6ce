import {
  attemptEnv,
  attemptMarker,
  createByteTail,
  lastLine,
  runProcess,
  shellProgram,
  type Warden,
} from "../adapters/process/index.ts";
import { MOST_REQUEST } from "../fleet/index.ts";
import type { Order } from "../ports/index.ts";
import type { Inside } from "./spawned.ts";

const TAIL_BYTES = 4096;
const NEVER = Number.POSITIVE_INFINITY;

/** Where the work of an order lies on this machine. */
export interface Placed {
  readonly work: string;
  readonly mirror: string;
}

export interface SpawnCommand {
  /** Shell by definition: the owner's of this machine. */
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly warden: Warden;
  readonly placed: (order: Order) => Placed | undefined;
}

/** Starts the owner's command for an order: it hears what to do on its standard input, and tells by lines of its output. Throws where the system refuses it. */
export async function startCommand(
  { command, env, folder, warden, placed }: SpawnCommand,
  order: Order,
  hear: (line: string) => void,
): Promise<Inside> {
  // The hub's token stays out: what is started there calls nobody.
  const { ESPALIER_HUB_TOKEN: _, ...own } = env;
  const { work = "", mirror = "" } = placed(order) ?? {};
  const given = {
    ...own,
    ESPALIER_WORK: work,
    ESPALIER_GIT: mirror,
    ESPALIER_TASK: order.task,
    ESPALIER_ATTEMPT: String(order.attempt),
    ESPALIER_AGENT: order.agent,
  };
  const values = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const token = `spawned ${order.id}`;
  const shell = shellProgram(command, "spawn", env["PATH"]);
  if (!shell.ok) throw new Error(shell.failure.message);
  const tail = createByteTail(TAIL_BYTES);
  const decoder = new TextDecoder();
  let rest = "";
  const running = await runProcess(
    {
      ...shell.value,
      channel: true,
      cwd: folder,
      env: attemptEnv(Object.fromEntries(values), { task: order.task, token, instance: warden.instance }),
    },
    {
      limits: { wallMs: NEVER, idleMs: NEVER, graceMs: 0 },
      groups: warden,
      marker: attemptMarker(token),
      onOutput(stream, chunk) {
        if (stream === "stderr") return tail.push(chunk);
        const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
        // Whoever writes no end of a line is listened to no further than that.
        rest = (lines.pop() ?? "").slice(0, MOST_REQUEST);
        for (const line of lines) {
          if (!line.startsWith("{")) tail.push(Buffer.from(`${line}\n`));
          hear(line);
        }
      },
    },
  );
  if (!running.ok) throw new Error(running.failure.message);
  const { input, stop, ended } = running.value;
  return {
    send: line => void input?.write(`${line}\n`),
    leave: () => void input?.end(),
    kill: () => stop("hard"),
    ended: ended.then(({ exitCode, signal }) => {
      const said = lastLine(tail.text());
      return `it ended with ${exitCode ?? signal}${said === "" ? "" : `: ${said}`}`;
    }),
  };
}
