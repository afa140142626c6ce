import { ACK_FINDINGS_KOREAN } from "./ack-findings-korean.ts";
import { CHECKPOINT_FINDINGS_KOREAN } from "./checkpoint-findings-korean.ts";
import { FINDINGS_KOREAN } from "./findings-korean.ts";
import type { Locale } from "./messages.ts";
import { type Particle, particle, withParticle } from "./particle.ts";
import { TOOL_REFUSALS_KOREAN } from "./tool-refusals-korean.ts";

/** A sentence whose values stand apart, so that it can be told in each language: `{0}` is the place of the first value. */
export interface Told {
  /** The English sentence, which is its name in the catalogues. */
  readonly template: string;
  readonly values: readonly (string | number | undefined | Told)[];
}

/** An English sentence with its values: told`the box of ${id} is open`. */
export function told(parts: TemplateStringsArray, ...values: Told["values"]): Told {
  return { template: parts.reduce((text, part, at) => `${text}{${at - 1}}${part}`), values };
}

/** A sentence of somebody else, which is the same in every language. */
export function asSaid(sentence: string): Told {
  return { template: "{0}", values: [sentence] };
}

/** The Korean of every sentence, by its English. */
export const TOLD_KOREAN: Readonly<Record<string, string>> = {
  ...ACK_FINDINGS_KOREAN,
  ...FINDINGS_KOREAN,
  ...CHECKPOINT_FINDINGS_KOREAN,
  ...TOOL_REFUSALS_KOREAN,
};

/** A sentence in a language; what stands in no catalogue is told in English. */
export function toldText({ template, values }: Told, locale: Locale = "en"): string {
  const words = (locale === "ko" ? TOLD_KOREAN[template] : undefined) ?? template;
  return words.replace(/\{(\d)(?:([:|])([^{}]*))?\}/g, (place, at: string, how?: string, kind?: Particle) => {
    if (Number(at) >= values.length) return place;
    const value = values[Number(at)] ?? "";
    const shown = typeof value === "object" ? toldText(value, locale) : `${value}`;
    if (kind === undefined) return shown;
    return how === ":" ? withParticle(shown, kind) : particle(shown, kind);
  });
}

/** What is told in English by a message of its own, which may say more than the sentence for other languages. */
export function messageIn(locale: Locale, { message, said }: { message: string; said: Told }): string {
  return locale === "en" ? message : toldText(said, locale);
}
