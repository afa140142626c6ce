import { type Command, Option } from "commander";
import { CLIENTS } from "../mcp/client-setup.ts";
import type { Io } from "./io.ts";
import { limitOptions } from "./limit-options.ts";

/** `espalier mcp`: the tools, for a client that speaks the Model Context Protocol. */
export function addMcp(program: Command, io: Io, exit: (code: number) => void): void {
  limitOptions(program.command("mcp"))
    .description("serve the lead's tools over standard input and output; within an attempt, the worker's")
    .argument("[file]", "task file; by default the usual places are searched")
    .addOption(
      new Option("--setup <client>", "show how a client is connected, instead of serving").choices([
        ...CLIENTS,
      ]),
    )
    .option("--write", "with --setup: write the files that are not there yet")
    .option(
      "--approve",
      "show the commands that prove tasks and ask whether they may be run, instead of serving",
    )
    .option("-y, --yes", "with --approve: approve without being asked")
    .action(async (file, { setup, write, approve, yes, ...limits }) => {
      if (approve === true)
        return exit(await (await import("./commands/mcp.ts")).mcpApprove(io, file, yes === true));
      if (setup !== undefined)
        return exit(await (await import("./commands/mcp-setup.ts")).mcpSetup(io, setup, write === true));
      return exit(await (await import("./commands/mcp.ts")).mcp(io, file, limits));
    });
}
