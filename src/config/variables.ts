import { z } from "zod";

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;
/** Set by Espalier itself, for each attempt. */
const RESERVED = /^ESPALIER_/i;

type Variables = Readonly<Record<string, string | null>>;

function problemOf(name: string): string | undefined {
  if (!NAME.test(name)) return `"${name.slice(0, 60)}" is no name of a variable`;
  return RESERVED.test(name) ? `${name} is Espalier's own: leave it out` : undefined;
}

const value = () => z.union([z.string().max(4000), z.number(), z.boolean(), z.null()]);

/**
 * Variables for one program, as Compose writes them: a mapping with values, or a list of `NAME=value`. A name alone, or with no
 * value, is handed on from the environment: `null` here.
 */
export const variables = () =>
  z
    .union([z.array(z.string().min(1).max(4200)).max(200), z.record(z.string(), value())], {
      error: "expected names and values, such as { MODE: fast }, or a list of names that are handed on",
    })
    .transform((given, context): Variables => {
      const pairs = Array.isArray(given)
        ? given.map((entry): [string, string | null] => {
            const at = entry.indexOf("=");
            return at < 0 ? [entry, null] : [entry.slice(0, at), entry.slice(at + 1)];
          })
        : Object.entries(given).map(([name, told]): [string, string | null] => [
            name,
            told === null ? null : String(told),
          ]);
      for (const [name] of pairs) {
        const message = problemOf(name);
        if (message !== undefined) context.addIssue({ code: "custom", message });
      }
      return Object.fromEntries(pairs);
    });
