import type { Confirmed, Standing, Teammate, WaitReason } from "../../sync/index.ts";
import { visible } from "../../text/index.ts";
import { cell, type Look, line } from "./look.ts";
import type { Piece, Style } from "./terminal/paint.ts";
import { columnWidth } from "./terminal/width.ts";
import type { ContextWords } from "./words/context-words.ts";

/** Where one teammate stands towards one document. */
export interface TeamRow {
  readonly label: string;
  readonly teammate: string;
  readonly standing: Standing;
  /** The version it has proved to hold, and the newest one. */
  readonly holds: number | null;
  /** How it has proved that, and when; epoch milliseconds. */
  readonly by: Confirmed["by"] | "none" | null;
  readonly since: number | null;
  /** What it lacks, and why. */
  readonly waits: { readonly version: number; readonly why: WaitReason } | null;
  readonly current: number;
  /** The version of the update that it has not answered yet. */
  readonly onItsWay: number | null;
  /** It asked for a person. */
  readonly paused: boolean;
  readonly proof: Teammate["proof"];
  readonly role: string;
  readonly session: string;
  /** What was sent to it so far. */
  readonly messages: number;
  readonly tokens: number;
  /** Tokens of the last message. */
  readonly lastTokens: number;
  /** Epoch milliseconds; 0 before the first message. */
  readonly lastSentAt: number;
}

/** Widest column; names go up to it. */
const MOST = 32;

const STYLE: Readonly<Record<TeamRow["standing"], Style>> = {
  ended: "dim",
  unanswering: "dim",
  new: "yellow",
  lost: "red",
  stale: "red",
  updating: "cyan",
  behind: "yellow",
  current: "green",
};

/** A version, or a dash where there is none. */
function versionText(number: number | null): string {
  return number === null || number === 0 ? "–" : `v${number}`;
}

/** Who holds which version of what, one line each under a heading. */
export function contextTeamView(rows: readonly TeamRow[], words: ContextWords, look: Look): string[] {
  const { columns } = words;
  const cells = rows.map(row => ({
    style: STYLE[row.standing],
    texts: [
      row.label,
      visible(row.teammate, 80),
      row.paused ? `${words.standing[row.standing]}, ${words.paused}` : words.standing[row.standing],
      versionText(row.holds),
      row.by === null ? "–" : words.proof[row.by],
      versionText(row.current),
      versionText(row.onItsWay),
      String(row.tokens),
    ],
  }));
  const names = ["label", "teammate", "standing", "holds", "proof", "current", "onItsWay", "tokens"] as const;
  const head = { style: "bold" as const, texts: names.map(name => columns[name]) };
  const table = [head, ...cells];
  const widths = names.map((_, at) => columnWidth(table, ({ texts }) => texts[at] ?? "", MOST));
  return table.map(({ style, texts }, row) =>
    line(
      look,
      ...texts.map((text, at): Piece => {
        const padded = at === texts.length - 1 ? text : `${cell(look, text, widths[at] ?? 0)}  `;
        return { text: padded, style: row === 0 || at === 2 ? style : "plain" };
      }),
    ),
  );
}
