import { type Command, Option } from "commander";
import { FOREIGN_KINDS } from "../plan/index.ts";
import type { Io } from "./io.ts";

/** `espalier import` and `espalier export`: tasks of other tools, and their state back. */
export function addExchange(program: Command, io: Io, exit: (code: number) => void): void {
  const commands = () => import("./commands/exchange.ts");
  const shared = (command: Command): Command =>
    command
      .addOption(new Option("--from <kind>").choices(FOREIGN_KINDS))
      .option("--write")
      .addOption(new Option("--json"));
  shared(program.command("import").argument("<source>").option("--out <file>", "", "TASKS.md")).action(
    async (source, options) => exit(await (await commands()).importTasks(io, source, options)),
  );
  shared(program.command("export").argument("<source>").argument("[file]")).action(
    async (source, file, options) => exit(await (await commands()).exportTasks(io, source, file, options)),
  );
}
