/** A line of its own, as everybody writes it. */
const LINE = /^locale:[ \t]{0,20}["']?(en|ko)["']?[ \t\r]*(?:#.*)?$/m;

/** The language that a configuration names; also of one that is not valid, whose errors are told in it. */
export function configuredLocale(text: string): "en" | "ko" | undefined {
  return LINE.exec(text)?.[1] as "en" | "ko" | undefined;
}
