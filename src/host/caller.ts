import type { Agent } from "../ports/index.ts";
import type { Locale } from "../text/index.ts";
import type { Approvable } from "./approval/approvable.ts";

/** How a person is asked whether something may be executed. */
export interface ApprovalDialog {
  /** Shows what nobody has approved yet. */
  show(wanted: readonly Approvable[], locale: Locale): void;
  /** Asks a person about what was shown; absent where nobody can be asked. */
  readonly ask?: ((wanted: readonly Approvable[], locale: Locale) => Promise<boolean>) | undefined;
}

/** Who asks something of a project: from where, in which environment, and how it hears and answers. */
export interface Caller {
  /** Absolute path of the folder that names are relative to. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether a person can type at its terminal. */
  readonly isTerminal: boolean;
  readonly approval: ApprovalDialog;
  /** Agents that it brings along, beside those of the project. */
  readonly agents?: readonly Agent[];
  /** Writes to the terminal that a person sits at, beside whatever is shown there; absent where there is none. */
  ring?(bytes: string): void;
  /** Hears what a person should know, a line or more at a time. */
  tell(line: string): void;
}
