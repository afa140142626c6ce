import type { Command } from "commander";
import { badValue } from "./help/bad-value.ts";
import type { ValueKey } from "./help/shapes.ts";
import type { Io } from "./io.ts";

type SetExit = (code: number) => void;

function upTo(most: number, key: ValueKey): (text: string) => number {
  return text => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1 || value > most) throw badValue(key);
    return value;
  };
}

/** One more of a flag that may be given several times. */
function withLabel(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** A resource, and how many of it there are; of the same name the last one counts. */
function withResource(
  text: string,
  before: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const [, name = text, many = "1"] = /^(.+)=([^=]*)$/.exec(text) ?? [];
  if (name === "") throw badValue("resource");
  return { ...before, [name]: upTo(1000, "resource")(many) };
}

/** `espalier hub` and `espalier worker`: other machines that work on a plan. */
export function addMachines(program: Command, io: Io, exit: SetExit): void {
  const hub = program.command("hub");
  const commands = () => import("./commands/hub.ts");
  hub
    .command("start")
    .option("--listen <host:port>", "", "127.0.0.1:4748")
    .option("--cert <file>")
    .option("--key <file>")
    .option("--state <folder>")
    .action(async options => exit(await (await commands()).hubStart(io, options)));
  const token = hub.command("token");
  token
    .command("add")
    .argument("<name>")
    .option("--pool <name>", "", "main")
    .option("--run")
    .option("--expires <days>", "", upTo(3650, "days"), 30)
    .option("--state <folder>")
    .action(async (name, options) => exit(await (await commands()).tokenAdd(io, name, options)));
  token
    .command("list")
    .option("--json")
    .option("--state <folder>")
    .action(async options => exit(await (await commands()).tokenList(io, options)));
  token
    .command("revoke")
    .argument("<name>")
    .option("--state <folder>")
    .action(async (name, options) => exit(await (await commands()).tokenRevoke(io, name, options)));

  const worker = program.command("worker");
  const work = () => import("./commands/worker.ts");
  worker
    .command("start")
    .requiredOption("--hub <url>")
    .option("--slots <n>", "", upTo(256, "slots"), 2)
    .option("--label <label>", "", withLabel, [])
    .option("--resource <name=n>", "", withResource, {})
    .option("--spawn <command>")
    .option("--spawn-within <seconds>", "", upTo(86_400, "seconds"), 300)
    .option("--rules <file>")
    .option("--folder <path>")
    .option("--no-jail")
    .action(async options => exit(await (await work()).workerStart(io, options)));
  worker
    .command("attempt")
    .option("--rules <file>")
    .option("--folder <path>")
    .option("--no-jail")
    .action(async options => exit(await (await work()).workerAttempt(io, options)));
  worker
    .command("list")
    .requiredOption("--hub <url>")
    .option("--json")
    .action(async options => exit(await (await work()).workerList(io, options)));
  worker
    .command("drain")
    .argument("<machine>")
    .requiredOption("--hub <url>")
    .option("--off")
    .action(async (machine, options) =>
      exit(await (await work()).workerLeave(io, "drain", machine, options)),
    );
  worker
    .command("forget")
    .argument("<machine>")
    .requiredOption("--hub <url>")
    .action(async (machine, options) =>
      exit(await (await work()).workerLeave(io, "forget", machine, options)),
    );
}
