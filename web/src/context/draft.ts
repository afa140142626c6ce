import { useState } from "react";
import type { TextShape } from "../../../src/server/shapes/context.ts";
import type { PublishReply } from "../../../src/server/shapes/publish.ts";
import { shownId } from "../parts/id.tsx";
import { failureText, publish, read } from "../state/api.ts";
import { draftIn, keepDraft, ofProject } from "../state/drafts.ts";
import { useWords } from "../words/use-words.ts";
import { notHere, useEditorWords } from "./editor-words.ts";

/** A text that somebody is writing. */
export interface Draft {
  readonly text: string;
  /** What a document is to be called that is not there yet, as it was typed. */
  readonly name?: string;
  /** The version it goes on from; absent for the first of a document. */
  readonly base?: number;
  /** Nothing was written: it is the text of its base. */
  readonly isAsRead?: boolean;
  /** What was written before it went on from a newer version, each time that it did. */
  readonly before?: readonly string[];
}

/** Name under which the draft of a document is kept that has no name yet. */
export const UNNAMED = "";

/** Documents of which something was written. */
const written = new Set<string>();

/** Where the draft of a document is kept. Documents outlive runs. */
export function draftName(label: string): string {
  return ofProject(`document ${label}`);
}

/** Whoever looks at another view, or loads the page again, finds what they wrote; a closed tab keeps nothing. */
function keep(label: string, draft: Draft | undefined): void {
  const isEmpty = draft === undefined || (draft.text === "" && (draft.name ?? "") === "");
  const isWritten = !isEmpty && (draft.isAsRead !== true || draft.before !== undefined);
  if (isWritten) written.add(label);
  else written.delete(label);
  window.onbeforeunload = written.size === 0 ? null : event => event.preventDefault();
  keepDraft(draftName(label), isWritten ? JSON.stringify(draft) : "");
}

/** What was written of a document and is not published. */
export function draftOf(label: string): Draft | undefined {
  const kept = draftIn(draftName(label));
  if (kept === "") return undefined;
  written.add(label);
  return JSON.parse(kept) as Draft;
}

type Clash = Extract<PublishReply, { kind: "clash" }>;

/** A draft and what becomes of it. */
export interface Writing {
  readonly draft: Draft | undefined;
  readonly busy: boolean;
  readonly error: string | undefined;
  readonly clash: Clash | undefined;
  /** It was written before the view was shown. */
  readonly isGivenBack: boolean;
  /** The version that publishing would have said again, without what was written before. */
  readonly untaken: number | undefined;
  write(draft: Draft | undefined): void;
  /** What came of publishing it; undefined where it failed or clashed. */
  send(label: string): Promise<Exclude<PublishReply, Clash> | undefined>;
  /** Goes on from a newer version; what was written stays to be looked at. */
  goOnFrom(version: number): Promise<void>;
}

/** A draft that is kept under a name. */
export function useDraft(key: string): Writing {
  const [draft, setDraft] = useState(() => draftOf(key));
  const [isGivenBack, setIsGivenBack] = useState(draft !== undefined);
  const { silent } = useWords();
  const words = useEditorWords();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [clash, setClash] = useState<Clash>();
  const [untaken, setUntaken] = useState<number>();
  const write = (next: Draft | undefined) => {
    if (next === undefined) {
      setClash(undefined);
      setError(undefined);
      setIsGivenBack(false);
    }
    setUntaken(undefined);
    keep(key, next);
    setDraft(next);
  };
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    setBusy(true);
    setError(undefined);
    try {
      return await work();
    } catch (failure) {
      setError(failureText(failure, silent));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return {
    draft,
    busy,
    error,
    clash,
    isGivenBack,
    untaken,
    write,
    async send(label) {
      if (draft === undefined) return undefined;
      const { text, base } = draft;
      const edited = base === undefined ? {} : { base };
      const reply = await attempt(() => publish({ label, text, ...edited }));
      setClash(reply?.kind === "clash" ? reply : undefined);
      if (reply === undefined || reply.kind === "clash") return undefined;
      if (reply.kind === "unchanged" && draft.before !== undefined) {
        setUntaken(reply.version);
        return undefined;
      }
      write(undefined);
      return reply;
    },
    async goOnFrom(version) {
      const found = await attempt(() => read<TextShape>("version", { label: key, number: version }));
      if (found === undefined || draft === undefined) return;
      const { text, isAsRead, before = [] } = draft;
      const mine = isAsRead === true || before.includes(text) ? before : [text, ...before];
      if (found.editable)
        write({ text: found.text, base: version, isAsRead: true, ...(mine.length > 0 && { before: mine }) });
      else setError(notHere(words, shownId(key), found));
    },
  };
}
