import { type ReactElement, useDeferredValue, useMemo, useRef, useState } from "react";
import type { DiffFile, DiffShape } from "../../../src/server/shapes/review.ts";
import { useWidth } from "../parts/use-width.ts";
import { failureText, read } from "../state/api.ts";
import { useWords } from "../words/use-words.ts";
import { Chunk } from "./chunk.tsx";
import { DiffRows } from "./diff-rows.tsx";
import { chunksOf, HEIGHTS, type Row, rowsOf } from "./rows.ts";
import { useReviewWords } from "./use-words.ts";

/** Rows that are drawn together. */
const SIZE = 40;
const KEY = "espalier-diff";
/** What became of a file, beside the word. */
const SIGNS: Readonly<Record<DiffFile["status"], string>> = {
  added: "+",
  deleted: "−",
  modified: "~",
  renamed: "→",
  retyped: "⇄",
};
/** Pixels that two versions side by side need at least. */
const ROOM = 600;

/** Whether both versions stand side by side: as chosen, and never where there is no room. */
function useLayout(): {
  isSplit: boolean;
  isNarrow: boolean;
  choose: (isSplit: boolean) => void;
  place: (element: Element | null) => void;
} {
  const [isWanted, setIsWanted] = useState(() => localStorage.getItem(KEY) !== "unified");
  const [place, width] = useWidth();
  const isNarrow = width < ROOM;
  const choose = (isSplit: boolean) => {
    localStorage.setItem(KEY, isSplit ? "split" : "unified");
    setIsWanted(isSplit);
  };
  return { isSplit: isWanted && !isNarrow, isNarrow, choose, place };
}

function heightOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { kind }) => sum + HEIGHTS[kind], 0);
}

/** Scrolls to the head of a file: first to where it is thought to be, then, drawn, to where it is. */
function scrollToFile(box: HTMLElement, chunk: number, file: number, tries = 20): void {
  const head = box.querySelector(`[data-file="${file}"]`);
  const before = head?.getBoundingClientRect().top;
  (head ?? box.querySelector(`[data-chunk="rows-${chunk}"]`))?.scrollIntoView({ block: "start" });
  // What is drawn above it may push it away once more.
  const isThere = before !== undefined && head?.getBoundingClientRect().top === before;
  if (!isThere && tries > 0) requestAnimationFrame(() => scrollToFile(box, chunk, file, tries - 1));
}

function FileList({
  files,
  onOpen,
}: {
  readonly files: readonly DiffFile[];
  readonly onOpen: (at: number) => void;
}): ReactElement {
  const words = useReviewWords();
  const [sought, setSought] = useState("");
  const wanted = useDeferredValue(sought.toLowerCase());
  const found = useMemo(
    () =>
      files
        .map((file, at) => ({ file, at }))
        .filter(({ file: { path, from = "" } }) => `${path}\n${from}`.toLowerCase().includes(wanted)),
    [files, wanted],
  );
  return (
    <nav className="diff-files" aria-label={words.files(files.length)}>
      <input
        type="search"
        value={sought}
        placeholder={words.filter}
        aria-label={words.filter}
        onChange={event => setSought(event.target.value)}
      />
      <div className="diff-list">
        {chunksOf(found, SIZE).map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part has no name but its place
          <Chunk key={`${wanted} ${at}`} name={`files-${at}`} guess={part.length * 28}>
            {() => (
              <ul>
                {part.map(({ file, at: place }) => (
                  <li key={place}>
                    <button type="button" title={file.path} onClick={() => onOpen(place)}>
                      <i className={`file-${file.status}`} title={words.status[file.status]}>
                        {SIGNS[file.status]}
                      </i>
                      <span>
                        <bdi>{file.path}</bdi>
                      </span>
                      {file.added !== undefined && (
                        <small>
                          <ins>+{file.added}</ins> <del>−{file.removed}</del>
                        </small>
                      )}
                    </button>
                  </li>
                ))}
              </ul>
            )}
          </Chunk>
        ))}
      </div>
    </nav>
  );
}

/** What differs: the files, and below each other what changed in them. Only what is seen is drawn. */
export function DiffView({
  shape,
  query,
}: {
  readonly shape: DiffShape;
  readonly query: Readonly<Record<string, string | number>>;
}): ReactElement {
  const words = useReviewWords();
  const { silent } = useWords();
  const { isSplit, isNarrow, choose, place } = useLayout();
  const [shown, setShown] = useState<ReadonlyMap<number, DiffFile>>(new Map());
  const [problem, setProblem] = useState("");
  const box = useRef<HTMLElement>(null);
  const files = useMemo(() => shape.files.map((file, at) => shown.get(at) ?? file), [shape, shown]);
  const chunks = useMemo(() => chunksOf(rowsOf(files, isSplit), SIZE), [files, isSplit]);
  const show = (at: number) => {
    const { path = "" } = shape.files[at] ?? {};
    read<DiffFile>("diff/file", { ...query, at, path }).then(
      file => setShown(before => new Map(before).set(at, file)),
      (error: unknown) => setProblem(failureText(error, silent)),
    );
  };
  const open = (file: number) => {
    const chunk = chunks.findIndex(rows => rows.some(row => row.kind === "file" && row.at === file));
    if (box.current !== null && chunk >= 0) scrollToFile(box.current, chunk, file);
  };
  return (
    <div className="diff" ref={place}>
      <header>
        <b>{words.files(shape.files.length + shape.more)}</b> <ins>+{shape.added}</ins>{" "}
        <del>−{shape.removed}</del>
        {shape.more > 0 && <span className="quiet">{words.moreFiles(shape.more)}</span>}
        {!isNarrow && (
          <fieldset className="buttons" aria-label={words.layout}>
            <button type="button" aria-pressed={!isSplit} onClick={() => choose(false)}>
              {words.unified}
            </button>
            <button type="button" aria-pressed={isSplit} onClick={() => choose(true)}>
              {words.split}
            </button>
          </fieldset>
        )}
      </header>
      {problem !== "" && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      <div className="diff-body">
        {files.length > 1 && <FileList files={files} onOpen={open} />}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
        <section className="diff-lines" ref={box} tabIndex={0} aria-label={words.diff}>
          {chunks.map((rows, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part has no name but its place
            <Chunk key={`${isSplit} ${at}`} name={`rows-${at}`} guess={heightOf(rows)}>
              {() => <DiffRows rows={rows} isSplit={isSplit} onShow={show} />}
            </Chunk>
          ))}
        </section>
      </div>
    </div>
  );
}
