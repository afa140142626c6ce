import { type ReactElement, useEffect, useRef, useState } from "react";
import type { LabelShape, TextShape } from "../../../src/server/shapes/context.ts";
import { MOST_TEXT } from "../../../src/server/shapes/limits.ts";
import type { PublishReply } from "../../../src/server/shapes/publish.ts";
import { Block } from "../parts/block.tsx";
import { Button } from "../parts/button.tsx";
import { useFocusBack } from "../parts/focus-back.ts";
import { shownId } from "../parts/id.tsx";
import { useRead } from "../state/read.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { UNNAMED, useDraft, type Writing } from "./draft.ts";
import { type EditorWords, notHere, useEditorWords } from "./editor-words.ts";

/** Rows of the field that a document is written in. */
const ROWS = 16;

type Published = Exclude<PublishReply, { kind: "clash" }>;

function sentences(words: EditorWords, label: string, reply: Published): string {
  const name = (version: number) => `${shownId(label)}-v${version}`;
  if (reply.kind === "unchanged") return words.unchanged(name(reply.version));
  const { version, mergedFrom, now, later } = reply;
  return [
    words.published(name(version)),
    ...(mergedFrom === undefined ? [] : [words.merged(name(mergedFrom))]),
    ...(now.length === 0 ? [] : [words.now(now.join(", "))]),
    ...(later.length === 0 ? [] : [words.later(later.join(", "))]),
  ].join(" ");
}

/** Sections that others have changed as well: both sides, and the way on. */
function Clash({
  label,
  newest,
  writing,
}: {
  readonly label: string;
  readonly newest: number;
  readonly writing: Writing;
}): ReactElement | null {
  const words = useEditorWords();
  const { clash, draft } = writing;
  if (clash === undefined) return null;
  const current = `${shownId(label)}-v${clash.current}`;
  // Others may have published again since: what is behind would only clash anew.
  const onto = Math.max(clash.current, newest);
  return (
    <div className="clash">
      <p className="bad" role="alert">
        {words.clash(current)}
      </p>
      {clash.sections.map(({ section, theirs, yours }) => (
        <section key={section}>
          <h3>{section}</h3>
          <div className="sides">
            <div>
              <h4>{words.theirs(current)}</h4>
              <Block text={theirs === "" ? words.removed : theirs} />
            </div>
            <div>
              <h4>{words.yours}</h4>
              <Block text={yours === "" ? words.removed : yours} />
            </div>
          </div>
        </section>
      ))}
      {draft?.base !== onto && (
        <Button waits={writing.busy} onClick={() => void writing.goOnFrom(onto)}>
          {words.goOn(`${shownId(label)}-v${onto}`)}
        </Button>
      )}
    </div>
  );
}

/** The field, and what can be done with what is written in it. */
function Draft({
  label,
  newest = 0,
  writing,
  isAsked,
  onPublished,
  onLeave,
}: {
  readonly label: string;
  /** The newest version there is. */
  readonly newest?: number;
  readonly writing: Writing;
  /** Somebody has just asked for the field, and writes in it next. */
  readonly isAsked: boolean;
  readonly onPublished: (said: string) => void;
  readonly onLeave: () => void;
}): ReactElement | null {
  const words = useEditorWords();
  const connected = useRun(state => state.line === "live");
  const { draft, busy, error } = writing;
  const field = useRef<HTMLTextAreaElement>(null);
  const isOpen = draft !== undefined;
  const length = draft?.text.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the field opens
  useEffect(() => {
    if (isOpen && isAsked) field.current?.focus();
  }, [isOpen]);
  if (draft === undefined) return null;
  const send = async () => {
    const reply = await writing.send(label);
    if (reply !== undefined) onPublished(sentences(words, label, reply));
  };
  return (
    <>
      {writing.isGivenBack && <p className="quiet">{words.givenBack}</p>}
      <textarea
        ref={field}
        rows={ROWS}
        spellCheck={false}
        readOnly={busy}
        value={draft.text}
        aria-label={words.text(shownId(label))}
        onChange={event => writing.write({ ...draft, text: event.target.value, isAsRead: false })}
      />
      <div className="buttons">
        <Button
          className="is-first"
          disabled={!connected || label === "" || draft.text.trim() === "" || length > MOST_TEXT}
          waits={busy}
          onClick={() => void send()}
        >
          {words.publish}
        </Button>
        <Button waits={busy} onClick={onLeave}>
          {words.leave}
        </Button>
      </div>
      <p role="status" className="bad">
        {length > MOST_TEXT ? words.tooLong(shownId(label), MOST_TEXT, length) : error}
      </p>
      {writing.untaken !== undefined && (
        <p className="bad" role="alert">
          {words.untaken(`${shownId(label)}-v${writing.untaken}`)}
        </p>
      )}
      <Clash label={label} newest={newest} writing={writing} />
      {draft.before?.map((text, at) => (
        <details key={text} open={at === 0}>
          <summary>{at === 0 ? words.kept : words.keptBefore}</summary>
          <Block text={text} />
        </details>
      ))}
    </>
  );
}

/** Lets a person write the next version of a document, on top of the newest. */
export function DocumentEditor({ label }: { readonly label: LabelShape }): ReactElement {
  const words = useEditorWords();
  const { loading } = useWords();
  const name = label.label;
  const newest = label.versions[0]?.number ?? 0;
  const writing = useDraft(name);
  const [begun, setBegun] = useState(false);
  const [said, setSaid] = useState("");
  const { draft } = writing;
  const button = useFocusBack(draft !== undefined);
  const path = begun && draft === undefined ? "version" : "";
  const { value, error } = useRead<TextShape>(path, { label: name, number: newest });
  const leave = () => {
    writing.write(undefined);
    setBegun(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text that was read to be edited
  useEffect(() => {
    if (path !== "" && value?.editable === true)
      writing.write({ text: value.text, base: newest, isAsRead: true });
  }, [path, value]);
  return (
    <div className="decide editor">
      {draft === undefined && (
        <button
          ref={button}
          type="button"
          onClick={() => {
            setBegun(true);
            setSaid("");
          }}
        >
          {words.edit}
        </button>
      )}
      {begun && draft === undefined && (
        <p className={error === undefined ? "quiet" : "bad"}>
          {error ?? (value === undefined ? loading : notHere(words, shownId(name), value))}
        </p>
      )}
      {draft?.base !== undefined && draft.base < newest && writing.clash === undefined && (
        <p className="quiet">{words.moved(newest)}</p>
      )}
      <Draft
        label={name}
        newest={newest}
        writing={writing}
        isAsked={begun}
        onLeave={leave}
        onPublished={told => {
          setBegun(false);
          setSaid(told);
        }}
      />
      <p role="status" className="good">
        {said}
      </p>
    </div>
  );
}

/** Lets a person write the first version of a document; `onOver` hears its name once it is there and what came of it, or nothing. */
export function NewDocument({
  onOver,
}: {
  readonly onOver: (label?: string, said?: string) => void;
}): ReactElement {
  const words = useEditorWords();
  const writing = useDraft(UNNAMED);
  const { draft } = writing;
  const typed = draft?.name ?? "";
  const label = typed.trim();
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, where nothing was begun before
  useEffect(() => {
    if (draft !== undefined) return;
    writing.write({ text: "" });
    field.current?.focus();
  }, []);
  return (
    <section className="decide editor">
      <h2>{words.begin}</h2>
      <input
        ref={field}
        type="text"
        maxLength={64}
        value={typed}
        placeholder={words.label}
        aria-label={words.label}
        onChange={event => writing.write({ text: "", ...draft, name: event.target.value })}
      />
      <Draft
        label={label}
        writing={writing}
        isAsked={false}
        onPublished={told => onOver(label, told)}
        onLeave={() => {
          writing.write(undefined);
          onOver();
        }}
      />
    </section>
  );
}
