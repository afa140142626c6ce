/**
 * Puppet agents for tests of whatever starts agents. No sleeps: the test waits for a call and answers it.
 *
 * ```ts
 * await using stage = await openStage();
 * const agent = createCommandAgent({ name: "puppet", command: stage.command });
 * // … start a run that uses the agent …
 * const call = await stage.nextCall("T1.3"); // the prompt has been read to its end
 * expect(call.prompt).toContain("T1.3");
 * await call.say("working on it");           // written when this resolves
 * await call.say(`DONE:T1.3#${nonce}`);
 * await call.exit(0);                        // resolves when the process is gone
 * ```
 *
 * `stage.script` is the same for the shell agent: give it as the task's `run:` block. A call that is not answered runs
 * on until it is cancelled or the stage is closed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** What a puppet is told. */
export type Order =
  | { readonly do: "say" | "complain"; readonly text: string }
  | { readonly do: "ignore" | "die"; readonly signal: NodeJS.Signals }
  | { readonly do: "leave" }
  | { readonly do: "exit"; readonly code: number };

/** What a puppet tells. */
export type Report =
  | ({ readonly type: "call" } & CallFacts)
  | { readonly type: "done"; readonly id: number; readonly answer: number };

export interface CallFacts {
  readonly prompt: string;
  readonly args: readonly string[];
  readonly pid: number;
  readonly cwd: string;
  readonly task: string;
  readonly token: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One puppet on the stage. */
export interface Call extends CallFacts {
  /** A line on stdout; `raw` writes without a newline. */
  say(line: string): Promise<void>;
  raw(text: string): Promise<void>;
  /** A line on stderr. */
  complain(line: string): Promise<void>;
  /** From now on the signal does nothing. */
  ignore(signal: NodeJS.Signals): Promise<void>;
  /** Starts a detached process that lives ten minutes; its pid. */
  leave(): Promise<number>;
  exit(code?: number): Promise<void>;
  die(signal: NodeJS.Signals): Promise<void>;
  /** Resolves when the process is gone, for whatever reason. */
  readonly gone: Promise<void>;
}

export interface Stage extends AsyncDisposable {
  /** For `--command` and `createCommandAgent`. */
  readonly command: string;
  /** For a `run:` block. */
  readonly script: string;
  /** The oldest call nobody has taken, of this task if one is named. Rejects after `withinMs`, naming who waits. */
  nextCall(task?: string, withinMs?: number): Promise<Call>;
  /** Calls so far, taken or not. */
  readonly calls: number;
  close(): Promise<void>;
}

interface Waiter {
  readonly task: string | undefined;
  readonly resolve: (call: Call) => void;
  readonly timer: NodeJS.Timeout;
}

/** Opens a stage; close it at the end of the test, or declare it with `await using`. */
export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-stage-"));
  const path = join(folder, "s");
  const sockets = new Set<Socket>();
  const untaken: Call[] = [];
  const waiters: Waiter[] = [];
  let calls = 0;

  const server = createServer(socket => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    void meet(socket).then(call => {
      calls += 1;
      const index = waiters.findIndex(({ task }) => task === undefined || task === call.task);
      const [waiter] = index < 0 ? [] : waiters.splice(index, 1);
      clearTimeout(waiter?.timer);
      if (waiter === undefined) untaken.push(call);
      else waiter.resolve(call);
    });
  });
  await listening(server, path);

  async function close(): Promise<void> {
    for (const { timer } of waiters) clearTimeout(timer);
    for (const socket of sockets) socket.destroy();
    await new Promise(resolve => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  }

  const words = [process.execPath, fileURLToPath(new URL("puppet.ts", import.meta.url)), path];
  const command = words.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return {
    command,
    script: `exec ${command}`,
    nextCall(task, withinMs = 100_000) {
      const index = untaken.findIndex(call => task === undefined || task === call.task);
      const [call] = index < 0 ? [] : untaken.splice(index, 1);
      if (call !== undefined) return Promise.resolve(call);
      const { promise, resolve, reject } = Promise.withResolvers<Call>();
      const timer = setTimeout(() => {
        waiters.splice(waiters.indexOf(waiter), 1);
        const others = untaken.map(each => each.task).join(", ");
        reject(
          new Error(
            `no call of ${task ?? "any task"} within ${withinMs} ms; on the stage: ${others || "nobody"}`,
          ),
        );
      }, withinMs);
      const waiter: Waiter = { task, resolve, timer };
      waiters.push(waiter);
      return promise;
    },
    get calls() {
      return calls;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
}

/** Waits for the puppet's first report. */
function meet(socket: Socket): Promise<Call> {
  const answers = new Map<number, (answer: number) => void>();
  const gone = new Promise<void>(resolve => {
    socket.once("close", () => resolve());
  });
  // A puppet that was killed resets the connection.
  socket.on("error", () => socket.destroy());
  let orders = 0;

  function tell(order: Order): Promise<number> {
    orders += 1;
    const id = orders;
    socket.write(`${JSON.stringify({ ...order, id })}\n`);
    return new Promise((resolve, reject) => {
      answers.set(id, resolve);
      void gone.then(() => reject(new Error(`the puppet was gone before it could ${order.do}`)));
    });
  }

  async function last(order: Order): Promise<void> {
    socket.write(`${JSON.stringify({ ...order, id: 0 })}\n`);
    await gone;
  }

  return new Promise(resolve => {
    createInterface({ input: socket }).on("line", line => {
      const report = JSON.parse(line) as Report;
      if (report.type === "done") {
        answers.get(report.id)?.(report.answer);
        answers.delete(report.id);
        return;
      }
      const { type: _, ...facts } = report;
      resolve({
        ...facts,
        gone,
        say: async text => void (await tell({ do: "say", text: `${text}\n` })),
        raw: async text => void (await tell({ do: "say", text })),
        complain: async text => void (await tell({ do: "complain", text: `${text}\n` })),
        ignore: async signal => void (await tell({ do: "ignore", signal })),
        leave: () => tell({ do: "leave" }),
        exit: (code = 0) => last({ do: "exit", code }),
        die: signal => last({ do: "die", signal }),
      });
    });
  });
}
