import type { KnownAgent } from "../../../ports/index.ts";
import type { AcpAgentOptions } from "../acp/acp-agent.ts";
import type { CliCommand, Dialect } from "../cli/dialect.ts";
import type { KeptPlace } from "../jail/home.ts";
import type { LoginSigns } from "../look.ts";
import type { RepositoryPlace } from "../repository-files.ts";
import type { AgentSettings } from "../settings.ts";

/** What there is to know about a coding agent that needs no configuration. */
export interface PresetFacts {
  /** The name tasks and flags use. */
  readonly name: KnownAgent;
  readonly title: string;
  /** The npm package people get it from. */
  readonly from: string;
  /** The oldest version that understands what it is told here, where one is known that does not. */
  readonly oldest?: string;
  /** Variables of the environment that are its own; a `*` at the end stands for anything. */
  readonly env: readonly string[];
  /** Below the home: what it must be able to write. */
  readonly keeps: readonly KeptPlace[];
  /** Where a login shows; for those that cannot be asked. */
  readonly signs?: LoginSigns;
  /** Driven by a command line of its own, or over the Agent Client Protocol. */
  readonly how:
    | { readonly by: "cli"; readonly dialect: Dialect }
    | ({ readonly by: "acp" } & Pick<
        AcpAgentOptions,
        "command" | "abilities" | "wordsErrors" | "titlesCommands" | "tells" | "ledger"
      > & {
          /** What depends on the settings. */
          readonly more?: (
            settings: AgentSettings,
            jailed: boolean,
          ) => Pick<AcpAgentOptions, "extraEnv" | "meta" | "mode"> & Pick<CliCommand, "rules">;
        });
  /** Places in a repository that it heeds whatever it is told: each file there has to be approved. */
  readonly heeds?: readonly RepositoryPlace[];
}
