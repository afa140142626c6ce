import type { Confirmed, Standing, WaitReason } from "../../../sync/index.ts";

/** An error as a person meets it: what happened, and what to do. */
export interface Told {
  readonly message: string;
  readonly hint?: string;
}

/** What a wait is told with; the commands are ready to be typed. */
export interface WaitFacts {
  /** It lives in an attempt under way. */
  readonly isAtWork: boolean;
  readonly update: string;
  readonly resume: string;
  readonly sentAt: string;
  readonly serial: number;
  readonly times: number;
  readonly gate: string;
}

/** What the commands of the shared context say, in one language. Arguments are already safe to show. */
export interface ContextWords {
  readonly standing: Readonly<Record<Standing, string>>;
  readonly published: (version: string, hash: string, by: string) => string;
  readonly merged: (base: number, show: string) => string;
  readonly unchanged: (version: string) => string;
  /** What was published has not changed since its own version; `current` is what others made of it. */
  readonly unchangedSince: (since: number, current: string, number: number) => string;
  readonly tellNow: (names: string) => string;
  readonly tellLater: (names: string) => string;
  readonly bring: (command: string) => string;
  readonly toldByRun: (names: string) => string;
  readonly withTask: (teammate: string) => string;
  readonly goesOn: (teammate: string) => string;
  readonly answer: (command: string) => string;
  readonly watching: (file: string) => string;
  readonly nobody: string;
  readonly nothing: string;
  readonly columns: Readonly<
    Record<"label" | "teammate" | "standing" | "holds" | "proof" | "current" | "onItsWay" | "tokens", string>
  >;
  /** How a teammate proved what it holds; `none` where it cannot. */
  readonly proof: Readonly<Record<Confirmed["by"] | "none", string>>;
  /** What a teammate holds and since when, and why it lacks what it lacks. */
  readonly holds: (version: string, proof: string, since: string) => string;
  readonly holdsNothing: string;
  readonly sent: (messages: number, tokens: number, last: number) => string;
  readonly since: (version: string, hash: string, by: string, at: string) => string;
  readonly waits: (version: string, why: string) => string;
  readonly why: Readonly<Record<WaitReason, (what: WaitFacts) => string>>;
  /** Beside the standing of a teammate that said PAUSE. */
  readonly paused: string;
  readonly removed: string;

  readonly noContext: Told;
  readonly unknownLabel: (label: string, known: string, guess: string | undefined) => Told;
  readonly badLabel: (label: string) => Told;
  readonly unknownTeammate: (teammate: string, known: string) => Told;
  readonly whose: (candidates: string) => Told;
  readonly noWords: Told;
  readonly noFile: (label: string) => Told;
  readonly noVersion: (label: string, version: number, newest: number) => Told;
  readonly noSuchName: (name: string, names: string) => Told;
  readonly noResult: (task: string) => Told;
  readonly notKept: (label: string, version: number) => Told;
  readonly clash: (label: string, base: number, current: number) => Told;
  readonly unknownBase: (label: string, base: number) => Told;
  readonly notUnicode: Told;
  readonly tooLarge: Told;
  readonly badName: (message: string) => Told;
  readonly store: (message: string) => Told;
  readonly noAnswer: (message: string) => Told;
  /** Headings over the two sides of a section that two publishers changed. */
  readonly theirs: (version: string) => string;
  readonly yours: string;
}
