import type { Result } from "../../ports/index.ts";
import { type Locale, type Told, toldText, visible } from "../../text/index.ts";

/** Why a document of the repository cannot be read. */
export interface DocumentProblem {
  readonly kind:
    | "missing"
    /** A pattern that no file answers to. */
    | "no-match"
    /** A link, a folder, a pipe, or a place outside of the repository. */
    | "not-a-file"
    | "outside"
    | "too-large"
    | "too-many"
    | "not-text"
    /** Two files whose names differ in case or composition only. */
    | "twins"
    | "unreadable";
  /** As declared, or the file that was found. */
  readonly path: string;
  /** One sentence for people. */
  readonly message: string;
  /** What is said of the path, to be told in other languages. */
  readonly why?: Told;
}

/** Why a document cannot be read, in a language. */
export function problemText({ path, message, why }: DocumentProblem, locale: Locale): string {
  return why === undefined || locale === "en" ? message : `${visible(path, 200)}: ${toldText(why, locale)}`;
}

/** The repository's documents, as the context tree reads them. */
export interface DocumentFiles {
  /** Repository paths that a declared path or pattern names, in order of name. */
  list(pattern: string): Result<readonly string[], DocumentProblem>;
  /** The text of a file; never follows a link, never waits. */
  read(path: string): Result<string, DocumentProblem>;
}
