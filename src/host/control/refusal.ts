import type { ControlReply } from "../../engine/control/protocol.ts";
import { type Locale, type Told, toldText } from "../../text/index.ts";

/** An answer that refuses: a code for programs, and a sentence in the project's language. */
export function refuse(code: string, said: Told, locale: Locale): ControlReply {
  return { ok: false, message: refusalText(code, said, locale) };
}

/** The same as a text. */
export function refusalText(code: string, said: Told, locale: Locale): string {
  return `${code}: ${toldText(said, locale)}`;
}
