/** What help says of one command: `about`, and of its arguments and options by their names, such as `<file>` and `--json`. */
export type CommandHelp = Readonly<Record<string, string>>;

/** The same commands and parts in another language. */
export type HelpOf<English> = {
  readonly [Name in keyof English]: { readonly [Part in keyof English[Name]]: string };
};

/** What a value of an argument or option has to be. */
export type ValueKey =
  | "amount"
  | "contextVersion"
  | "days"
  | "deltaVersion"
  | "keep"
  | "level"
  | "limit"
  | "parallel"
  | "port"
  | "public"
  | "resource"
  | "seconds"
  | "slots"
  | "tokens";

/** The words around the descriptions, and what is said of a slip. Names and values are what the person typed. */
export interface UsageWords {
  /** By the words of the library that lays help out. */
  readonly titles: Readonly<Record<"Usage:" | "Arguments:" | "Options:" | "Commands:", string>>;
  readonly syntax: Readonly<Record<"[options]" | "[command]", string>>;
  readonly helpOption: string;
  readonly helpCommand: string;
  readonly choices: (values: string) => string;
  readonly byDefault: (value: string) => string;
  /** Below the help of the program itself: where somebody begins who has never used it. */
  readonly newHere: readonly string[];
  /** Below an error: where to look. */
  readonly listsCommands: (line: string) => string;
  readonly showsCall: (line: string) => string;
  readonly error: (what: string) => string;
  readonly didYouMean: (names: readonly string[]) => string;
  readonly unknownOption: (flag: string) => string;
  readonly unknownCommand: (name: string) => string;
  readonly missingArgument: (name: string) => string;
  readonly missingValue: (option: string) => string;
  readonly missingOption: (option: string) => string;
  readonly emptyOption: (option: string) => string;
  readonly emptyArgument: (name: string) => string;
  readonly tooMany: (command: string, expected: number, received: number, values: string) => string;
  readonly badOption: (option: string, value: string, why: string) => string;
  readonly badArgument: (argument: string, value: string, why: string) => string;
  readonly allowed: (choices: string) => string;
  readonly values: Readonly<Record<ValueKey, string>>;
}

/** Everything that help and the errors of a command line say, in one language. */
export interface HelpWords {
  /** Of the program itself. */
  readonly about: string;
  readonly commands: Readonly<Record<string, CommandHelp>>;
  /** Of arguments and options that mean the same wherever a command says nothing of its own about them. */
  readonly shared: CommandHelp;
  readonly usage: UsageWords;
}
