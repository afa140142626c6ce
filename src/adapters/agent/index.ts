export { type AcpAgentOptions, createAcpAgent } from "./acp/acp-agent.ts";
export { PRESETS, type Preset, presetOf } from "./catalogue.ts";
export { type CommandAgentOptions, createCommandAgent } from "./command.ts";
export { type Cell, type Jail, openJail } from "./jail/index.ts";
export { type Decision, type Permissions, POLICIES } from "./permissions.ts";
export { type RepositoryFile, repositoryFiles } from "./repository-files.ts";
export type { AgentJail, AgentSettings, AgentSurroundings } from "./settings.ts";
export { createShellAgent, type ShellAgentOptions } from "./shell.ts";
export { type CommandLineProblem, splitCommand } from "./split-command.ts";
