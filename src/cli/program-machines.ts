import { type Command, InvalidArgumentError } from "commander";
import type { Io } from "./io.ts";

type SetExit = (code: number) => void;

function upTo(most: number, what: string): (text: string) => number {
  return text => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1 || value > most)
      throw new InvalidArgumentError(`${what} from 1 to ${most}`);
    return value;
  };
}

const STATE = ["--state <folder>", "the hub's own folder; by default below your home"] as const;

/** `espalier hub` and `espalier worker`: other machines that work on a plan. */
export function addMachines(program: Command, io: Io, exit: SetExit): void {
  const hub = program.command("hub").description("the one place that runs and other machines meet at");
  const commands = () => import("./commands/hub.ts");
  hub
    .command("start")
    .description("serve machines and runs; keeps its queue in your own copy of Restate")
    .option("--listen <host:port>", "where it is reached", "127.0.0.1:4748")
    .option("--cert <file>", "certificate (PEM); only the loopback goes without")
    .option("--key <file>", "its key (PEM)")
    .option(...STATE)
    .action(async options => exit(await (await commands()).hubStart(io, options)));
  const token = hub.command("token").description("who may come to the hub");
  token
    .command("add")
    .description("make a token for a machine, or for somebody who runs plans; it is shown once")
    .argument("<name>", "of the machine or the person; an older token of the same is taken back")
    .option("--pool <name>", "the machines it belongs to", "main")
    .option("--run", "for runs, not for a machine")
    .option("--expires <days>", "days until it ends", upTo(3650, "a number of days"), 30)
    .option(...STATE)
    .action(async (name, options) => exit(await (await commands()).tokenAdd(io, name, options)));
  token
    .command("list")
    .description("show whose tokens there are, and until when")
    .option("--json", "print JSON")
    .option(...STATE)
    .action(async options => exit(await (await commands()).tokenList(io, options)));
  token
    .command("revoke")
    .description("take every token of a name back")
    .argument("<name>")
    .option(...STATE)
    .action(async (name, options) => exit(await (await commands()).tokenRevoke(io, name, options)));

  const worker = program.command("worker").description("a machine that works for a hub");
  const work = () => import("./commands/worker.ts");
  const URL = ["--hub <url>", "where the hub is; its token is in ESPALIER_HUB_TOKEN"] as const;
  worker
    .command("start")
    .description("work for a hub; only calls out, runs agents in a jail")
    .requiredOption(...URL)
    .option("--slots <n>", "orders at once", upTo(256, "a number"), 2)
    .option("--rules <file>", "what the owner of this machine lets it do (worker.yaml)")
    .option("--folder <path>", "where it keeps repositories and works; by default below your home")
    .option("--no-jail", "run agents without a jail")
    .action(async options => exit(await (await work()).workerStart(io, options)));
  worker
    .command("list")
    .description("show the machines of a hub and what they do")
    .requiredOption(...URL)
    .option("--json", "print JSON")
    .action(async options => exit(await (await work()).workerList(io, options)));
  worker
    .command("drain")
    .description("give a machine nothing more; what it has goes on")
    .argument("<machine>")
    .requiredOption(...URL)
    .option("--off", "give it work again")
    .action(async (machine, options) =>
      exit(await (await work()).workerLeave(io, "drain", machine, options)),
    );
  worker
    .command("forget")
    .description("give a machine up: what it has begins anew on another one")
    .argument("<machine>")
    .requiredOption(...URL)
    .action(async (machine, options) =>
      exit(await (await work()).workerLeave(io, "forget", machine, options)),
    );
}
