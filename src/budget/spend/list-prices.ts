import type { Price } from "./money.ts";

/** Year and month in which the vendors' pages were read: developers.openai.com, platform.claude.com, ai.google.dev, docs.x.ai. */
export const PRICES_AS_OF = "2026-11";

type Row = readonly [model: string, input: number, output: number, cached: number];

/**
 * What vendors ask for standard calls, in US dollars per million tokens: of models with a dearer tier for long prompts the
 * usual one. A name stands for all that begin with it and go on with `-`, `[`, `@` or `:`, the longest first.
 */
const ROWS: readonly Row[] = [
  ["claude-fable-5.1", 10, 50, 0.25],
  ["claude-fable-5", 10, 50, 1],
  ["claude-opus-5.5", 4, 20, 0.2],
  ["claude-opus-5", 5, 25, 0.5],
  ["claude-opus-4.8", 5, 25, 0.5],
  ["claude-opus-4.7", 5, 25, 0.5],
  ["claude-opus-4.6", 5, 25, 0.5],
  ["claude-opus-4.5", 5, 25, 0.5],
  ["claude-opus-4", 15, 75, 1.5],
  ["claude-sonnet-5.5", 2, 10, 0.1],
  ["claude-sonnet-5", 2, 10, 0.2],
  ["claude-sonnet-4", 3, 15, 0.3],
  ["claude-haiku-5.5", 0.1, 0.5, 0.01],
  ["claude-haiku-4.5", 1, 5, 0.1],
  ["gpt-6-sol", 2, 10, 0.2],
  ["gpt-6-luna", 0.1, 0.5, 0.01],
  ["gpt-5.6-sol", 5, 30, 0.5],
  ["gpt-5.6-terra", 2, 12, 0.2],
  ["gpt-5.6-luna", 0.2, 1.2, 0.02],
  ["gpt-5.5-pro", 30, 180, 30],
  ["gpt-5.5", 5, 30, 0.5],
  ["gpt-5.4-mini", 0.75, 4.5, 0.075],
  ["gpt-5.4-nano", 0.2, 1.25, 0.02],
  ["gpt-5.4", 2.5, 15, 0.25],
  ["gpt-5.3-codex", 1.75, 14, 0.175],
  ["gpt-5.2", 1.75, 14, 0.175],
  ["gpt-5.1", 1.25, 10, 0.125],
  ["gpt-5-mini", 0.25, 2, 0.025],
  ["gpt-5", 1.25, 10, 0.125],
  ["gemini-3.7-flash", 0.75, 3.75, 0.075],
  ["gemini-3.6-flash", 0.75, 3.75, 0.075],
  ["gemini-3.5-flash", 1.5, 9, 0.15],
  ["gemini-3.1-pro", 2, 12, 0.2],
  ["grok-4.6", 2, 6, 0.5],
  ["grok-4.5", 2, 6, 0.5],
  ["kimi-k3", 3, 15, 0.3],
];

/** `anthropic/claude-opus-5-5[1m]` as `claude-opus-5.5[1m]`: without who serves it, and with dots in versions. */
function plain(model: string): string {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return name.replace(/(?<=-\d)-(?=\d(?!\d))/g, ".");
}

/** What a model's vendor asks for it, by the model's own name; undefined for one that is not listed. */
export function listPrice(model: string): Price | undefined {
  const name = plain(model);
  const fits = ROWS.filter(
    ([row]) => name === row || (name.startsWith(row) && /[-[@:]/.test(name[row.length] ?? "")),
  );
  const row = fits.reduce<Row | undefined>(
    (best, one) => (best === undefined || one[0].length > best[0].length ? one : best),
    undefined,
  );
  return row === undefined ? undefined : { input: row[1], output: row[2], cached: row[3] };
}
