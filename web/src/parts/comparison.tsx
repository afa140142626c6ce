import type { ReactElement } from "react";
import type { CompareShape, Stretch } from "../../../src/server/shapes/context.ts";
import { useWords } from "../words/use-words.ts";
import { percent, tokens } from "./amounts.ts";
import { Block } from "./block.tsx";

interface Row {
  readonly left: number | undefined;
  readonly right: number | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly changed: boolean;
}

function rowsOf(stretch: Stretch): Row[] {
  const changed = stretch.kind === "changed";
  const after = changed ? stretch.added : stretch.removed;
  const count = Math.max(stretch.removed.length, after.length);
  return Array.from({ length: count }, (_, at) => ({
    left: at < stretch.removed.length ? stretch.left + at : undefined,
    right: at < after.length ? stretch.right + at : undefined,
    before: stretch.removed[at],
    after: after[at],
    changed,
  }));
}

function StretchRows({ stretch }: { readonly stretch: Stretch }): ReactElement {
  const words = useWords();
  if (stretch.kind === "skipped")
    return (
      <tr className="skipped">
        <td colSpan={4}>{words.pages.lines(stretch.lines)}</td>
      </tr>
    );
  return (
    <>
      {rowsOf(stretch).map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place
        <tr key={at} className={row.changed ? "is-changed" : ""}>
          <td className="number">{row.left}</td>
          <td className={row.before === undefined ? "none" : "before"}>{row.before}</td>
          <td className="number">{row.right}</td>
          <td className={row.after === undefined ? "none" : "after"}>{row.after}</td>
        </tr>
      ))}
    </>
  );
}

/** Two texts side by side with what changed, and what the change costs to send. */
export function Comparison({ value }: { readonly value: CompareShape }): ReactElement {
  const words = useWords();
  const { pages } = words;
  const same = value.stretches.every(stretch => stretch.kind !== "changed");
  return (
    <div className="comparison">
      {value.verdict !== undefined && (
        <p className={value.verdict.ok ? "good" : "bad"}>
          {value.verdict.ok ? `✓ ${pages.valid}: ` : "✗ "}
          {value.verdict.text}
        </p>
      )}
      {same ? (
        <p className="quiet">{pages.same}</p>
      ) : (
        <p>
          <b className="good">+{value.added}</b> <b className="bad">−{value.removed}</b>{" "}
          {value.sent > 0 && (
            <span className="quiet">
              {pages.costs(
                tokens(value.sent),
                tokens(value.full),
                percent(value.sent / Math.max(1, value.full)),
              )}
            </span>
          )}
        </p>
      )}
      <div className="side-by-side">
        <table>
          {/* A head that nobody sees would tell how wide columns are, else. */}
          <colgroup>
            <col className="gutter" />
            <col />
            <col className="gutter" />
            <col />
          </colgroup>
          <thead className="visually-hidden">
            <tr>
              <th colSpan={2}>{pages.from}</th>
              <th colSpan={2}>{pages.to}</th>
            </tr>
          </thead>
          <tbody>
            {value.stretches.map((stretch, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a stretch has no name but its place
              <StretchRows key={at} stretch={stretch} />
            ))}
          </tbody>
        </table>
      </div>
      {value.cut && <p className="quiet">{pages.cut}</p>}
      {value.message !== "" && (
        <details>
          <summary className="quiet">{pages.message}</summary>
          <Block text={value.message} />
        </details>
      )}
    </div>
  );
}
