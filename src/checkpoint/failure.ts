import { fail, type Result } from "../ports/index.ts";
import { type Told, toldText } from "../text/index.ts";

/** Why something was not done, of a kind for programs and in words for people. */
export interface ToldFailure<Kind extends string> {
  readonly kind: Kind;
  /** In English. */
  readonly message: string;
  /** The same with its values apart, for other languages. */
  readonly said: Told;
}

/** Fails so; `message` is for what is told in English by words of its own. */
export function failed<Kind extends string>(
  kind: Kind,
  said: Told,
  message: string = toldText(said),
): Result<never, ToldFailure<Kind>> {
  return fail({ kind, message, said });
}
