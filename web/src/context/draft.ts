import { useState } from "react";
import type { TextShape } from "../../../src/server/shapes/context.ts";
import type { PublishReply } from "../../../src/server/shapes/publish.ts";
import { shownId } from "../parts/id.tsx";
import { failureText, publish, read } from "../state/api.ts";
import { useWords } from "../words/use-words.ts";
import { useEditorWords } from "./editor-words.ts";

/** A text that somebody is writing. */
export interface Draft {
  readonly text: string;
  /** What a document is to be called that is not there yet, as it was typed. */
  readonly name?: string;
  /** The version it goes on from; absent for the first of a document. */
  readonly base?: number;
  /** What it was before it went on from a newer version. */
  readonly before?: string;
}

/** Name under which the draft of a document is kept that has no name yet. */
export const UNNAMED = "";

/** Drafts by document: whoever looks at another view for a moment finds theirs again. */
const drafts = new Map<string, Draft>();

/** What was written of a document and is not published. */
export function draftOf(label: string): Draft | undefined {
  return drafts.get(label);
}

type Clash = Extract<PublishReply, { kind: "clash" }>;

/** A draft and what becomes of it. */
export interface Writing {
  readonly draft: Draft | undefined;
  readonly busy: boolean;
  readonly error: string | undefined;
  readonly clash: Clash | undefined;
  write(draft: Draft | undefined): void;
  /** What came of publishing it; undefined where it failed or clashed. */
  send(label: string): Promise<Exclude<PublishReply, Clash> | undefined>;
  /** Goes on from a newer version; what was written stays to be looked at. */
  goOnFrom(version: number): Promise<void>;
}

/** A draft that is kept under a name. */
export function useDraft(key: string): Writing {
  const [draft, setDraft] = useState(() => drafts.get(key));
  const { silent } = useWords();
  const { notHere } = useEditorWords();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [clash, setClash] = useState<Clash>();
  const write = (next: Draft | undefined) => {
    if (next === undefined) {
      drafts.delete(key);
      setClash(undefined);
      setError(undefined);
    } else drafts.set(key, next);
    window.onbeforeunload = drafts.size === 0 ? null : event => event.preventDefault();
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
    write,
    async send(label) {
      if (draft === undefined) return undefined;
      const { text, base } = draft;
      const edited = base === undefined ? {} : { base };
      const reply = await attempt(() => publish({ label, text, ...edited }));
      setClash(reply?.kind === "clash" ? reply : undefined);
      if (reply === undefined || reply.kind === "clash") return undefined;
      write(undefined);
      return reply;
    },
    async goOnFrom(version) {
      const found = await attempt(() => read<TextShape>("version", { label: key, number: version }));
      if (found === undefined || draft === undefined) return;
      if (found.editable) write({ text: found.text, base: version, before: draft.text });
      else setError(notHere(shownId(key)));
    },
  };
}
