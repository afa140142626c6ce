import { type Command, Option } from "commander";
import { CLIENTS } from "../mcp/client-setup.ts";
import type { Io } from "./io.ts";
import { limitOptions } from "./limit-options.ts";

/** `espalier mcp`: the tools, for a client that speaks the Model Context Protocol. */
export function addMcp(program: Command, io: Io, exit: (code: number) => void): void {
  limitOptions(program.command("mcp"))
    .argument("[file]")
    .addOption(new Option("--setup <client>").choices([...CLIENTS]))
    .option("--write")
    .option("--approve")
    .option("-y, --yes")
    .action(async (file, { setup, write, approve, yes, ...limits }) => {
      if (approve === true)
        return exit(await (await import("./commands/mcp.ts")).mcpApprove(io, file, yes === true));
      if (setup !== undefined)
        return exit(await (await import("./commands/mcp-setup.ts")).mcpSetup(io, setup, write === true));
      return exit(await (await import("./commands/mcp.ts")).mcp(io, file, limits));
    });
}
