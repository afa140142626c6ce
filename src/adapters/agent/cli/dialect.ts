import type {
  AgentAbilities,
  AgentFailure,
  AgentUsage,
  McpServer,
  SessionRequest,
  ToolKind,
} from "../../../ports/index.ts";
import type { Complaint } from "../complaint.ts";
import type { Fields } from "../fields.ts";
import type { LoginQuestion } from "../look.ts";
import type { AgentSettings } from "../settings.ts";
import type { ToolCall } from "../tool-calls.ts";

/** What one command line of a coding agent speaks: its flags, its events, its way to say that it is logged in. */
export interface Dialect {
  /** The program's usual name. */
  readonly program: string;
  readonly abilities: AgentAbilities;
  /** How one turn is started. The prompt goes over stdin: an argument may have 128 KiB and shows in `ps`. */
  turn(turn: CliTurn): CliCommand;
  /** What is done with the events of one turn, by their `type`; the others mean nothing. */
  hearing(tell: Tell): Readonly<Record<string, (event: Fields) => void>>;
  /** How it asks for what its permissions do not allow by themselves; without it nobody is asked. */
  readonly broker?: Broker;
  /** What asks for the login state without spending, and how its answer is read. */
  readonly login?: LoginQuestion;
  /** What exit codes mean where the program gives them a meaning of their own. */
  readonly exits?: Readonly<Record<number, AgentFailure["kind"]>>;
}

/** How a program asks for permissions on its own streams, and is answered there. */
export interface Broker {
  /** A prompt, as it goes over the input that stays open for answers. */
  prompt(message: string): string;
  /** What an event asks for, as a call of the Agent Client Protocol is asked for; undefined where it asks for nothing. */
  asked(event: Fields): AskedCall | undefined;
  /** The answer to an event that asked. */
  answer(event: Fields, isAllowed: boolean): string;
  /** The answer to an event that wants something else, which nobody gives; undefined for one that waits for nothing. */
  refused(event: Fields): string | undefined;
}

export interface AskedCall {
  readonly id: string;
  readonly call: Fields;
  /** The program itself holds it for no ordinary call: a person decides, whatever its kind may do. */
  readonly isDelicate: boolean;
}

/** One turn to be started. */
export interface CliTurn {
  readonly message: string;
  readonly settings: AgentSettings;
  readonly request: SessionRequest;
  /** The conversation to go on with; undefined begins one. */
  readonly session: string | undefined;
  readonly mcp: readonly McpServer[];
  /** A jail confines it: no need for a sandbox of its own, which could not be set up in there. */
  readonly jailed: boolean;
}

export interface CliCommand {
  readonly args: readonly string[];
  readonly input: string;
  /** What the person's own variables may say otherwise. */
  readonly env?: Readonly<Record<string, string>>;
  /** What holds whatever the person's own variables say: permissions, and what of the repository is ignored. */
  readonly rules?: Readonly<Record<string, string>>;
}

/** What a dialect hears in an agent's events. All but `obstacle` are signs of progress. */
export interface Tell {
  /** A message or a piece of one. */
  say(text: string): void;
  /** The next piece begins on a line of its own. */
  line(): void;
  /** The next piece begins another message. */
  pause(): void;
  /** The agent's own word on what its last message was. */
  final(text: string): void;
  /** Tokens and money of this turn so far; `thread`: of the whole conversation, earlier turns and processes included. */
  usage(usage: AgentUsage, of?: "turn" | "thread"): void;
  /** Tokens that stand in its window now. */
  context(used: number): void;
  session(id: string): void;
  /** A tool call, piece by piece: its end may name it by its id alone. */
  tool(call: ToolCall): void;
  /** It wanted to do something and its policy did not let it. */
  rejected(kind: ToolKind, title: string, id?: string): void;
  /** Something else that shows that it works. */
  progress(): void;
  /** It meets an obstacle and tries again by itself: the reason, should it never get on. */
  obstacle(complaint: Omit<Complaint, "agent">): void;
  /** The turn is over and failed. */
  failed(reason: Omit<Complaint, "agent"> | AgentFailure): void;
  /** The turn is over and went well. */
  finished(): void;
}
