export { type CommandAgentOptions, createCommandAgent } from "./command.ts";
export { createShellAgent, type ShellAgentOptions } from "./shell.ts";
export { type CommandLineProblem, splitCommand } from "./split-command.ts";
