import type { ReactElement } from "react";
import type { Row, Side } from "./rows.ts";
import { useReviewWords } from "./use-words.ts";
import type { ReviewWords } from "./words.ts";

type Shows = (at: number) => void;

function FileHead({
  row,
  words,
}: {
  readonly row: Extract<Row, { kind: "file" }>;
  readonly words: ReviewWords;
}): ReactElement {
  const { file, at } = row;
  const facts = [
    words.status[file.status],
    ...(file.from === undefined ? [] : [words.movedFrom(file.from)]),
    ...(file.modes === undefined ? [] : [words.modes(...file.modes)]),
    ...(file.crlf ? [words.crlf] : []),
  ];
  return (
    <h3 className="file-head" data-file={at}>
      <span>{file.path}</span>
      {file.added !== undefined && (
        <small>
          <ins>+{file.added}</ins> <del>−{file.removed}</del>
        </small>
      )}
      <small className="quiet">{facts.join(" · ")}</small>
    </h3>
  );
}

function Note({
  row: { what, file, at },
  words,
  onShow,
}: {
  readonly row: Extract<Row, { kind: "note" }>;
  readonly words: ReviewWords;
  readonly onShow: Shows;
}): ReactElement {
  const text = {
    folded: words.folded(file.more),
    more: words.moreLines(file.more),
    binary: words.binary,
    submodule: words.submodule,
    unchanged: words.unchanged,
  }[what];
  return (
    <p className="file-note">
      {text}{" "}
      {what === "folded" && (
        <button type="button" aria-label={`${words.show}: ${file.path}`} onClick={() => onShow(at)}>
          {words.show}
        </button>
      )}
    </p>
  );
}

function Cells({ side, sign }: { readonly side: Side | undefined; readonly sign: string }): ReactElement {
  if (side === undefined)
    return (
      <>
        <th />
        <td className="none" />
      </>
    );
  const kind = sign === "+" ? "added" : sign === "−" ? "removed" : "";
  return (
    <>
      <th>{side.number}</th>
      <td className={kind}>
        <i>{sign}</i>
        {side.text}
      </td>
    </>
  );
}

type Line = Extract<Row, { kind: "line" | "end" }>;

function SplitLine({ row, words }: { readonly row: Line; readonly words: ReviewWords }): ReactElement {
  if (row.kind === "end")
    return (
      <tr className="end">
        <th />
        <td>{row.before && words.noNewline}</td>
        <th />
        <td>{row.after && words.noNewline}</td>
      </tr>
    );
  return (
    <tr>
      <Cells side={row.before} sign={row.same ? " " : "−"} />
      <Cells side={row.after} sign={row.same ? " " : "+"} />
    </tr>
  );
}

function OneLine({ row, words }: { readonly row: Line; readonly words: ReviewWords }): ReactElement {
  if (row.kind === "end")
    return (
      <tr className="end">
        <th />
        <th />
        <td>{words.noNewline}</td>
      </tr>
    );
  const { before, after, same } = row;
  const sign = same ? " " : after === undefined ? "−" : "+";
  const kind = same ? "" : after === undefined ? "removed" : "added";
  return (
    <tr>
      <th>{before?.number}</th>
      <th>{after?.number}</th>
      <td className={kind}>
        <i>{sign}</i>
        {(after ?? before)?.text}
      </td>
    </tr>
  );
}

/** Lines that follow each other as one table each, and what stands between them. */
export function DiffRows({
  rows,
  isSplit,
  onShow,
}: {
  readonly rows: readonly Row[];
  readonly isSplit: boolean;
  readonly onShow: Shows;
}): ReactElement {
  const words = useReviewWords();
  const parts: (Exclude<Row, Line> | Line[])[] = [];
  for (const row of rows) {
    const last = parts.at(-1);
    if (row.kind !== "line" && row.kind !== "end") parts.push(row);
    else if (Array.isArray(last)) last.push(row);
    else parts.push([row]);
  }
  return (
    <>
      {parts.map((part, key) => {
        if (Array.isArray(part)) {
          const splits = isSplit && part[0]?.alone !== true;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part has no name but its place
            <table key={key} className={splits ? "is-split" : "is-unified"}>
              <tbody>
                {part.map((row, at) =>
                  splits ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place
                    <SplitLine key={at} row={row} words={words} />
                  ) : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place
                    <OneLine key={at} row={row} words={words} />
                  ),
                )}
              </tbody>
            </table>
          );
        }
        if (part.kind === "file") return <FileHead key={`file ${part.at}`} row={part} words={words} />;
        if (part.kind === "note")
          return <Note key={`${part.what} ${part.at}`} row={part} words={words} onShow={onShow} />;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part has no name but its place
          <p key={key} className="hunk-head">
            {part.heading === "" ? "⋯" : part.heading}
          </p>
        );
      })}
    </>
  );
}
