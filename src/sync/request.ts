/** A teammate asks for the document, or for some of its sections. */
export interface ContextRequest {
  readonly label: string;
  /** Absent: the whole document. Without `§`. */
  readonly sections?: readonly string[];
  /** The message it could not use. */
  readonly serial?: number;
  /** What stood against it. */
  readonly reason: string;
}

const TAG = "[CONTEXT-REQUEST] ";
const HEAD = /^([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})(?: #(\d{1,9}))?$/u;
/** Sections one request may name. */
const MOST = 50;

/** `[CONTEXT-REQUEST] GC #7: need full context (base)` or `…: need ["Decisions Log"] (needs-section)`. */
export function writeRequest({ label, sections, serial, reason }: ContextRequest): string {
  const number = serial === undefined ? "" : ` #${serial}`;
  const what = sections === undefined ? "full context" : JSON.stringify(sections);
  return `${TAG}${label}${number}: need ${what}${reason === "" ? "" : ` (${reason})`}`;
}

/** Reads a line as a request; undefined when it is none. */
export function readRequest(line: string): ContextRequest | undefined {
  if (!line.startsWith(TAG) || line.length > 16_384) return undefined;
  const colon = line.indexOf(": need ");
  const [, label, serial] = HEAD.exec(line.slice(TAG.length, colon)) ?? [];
  if (label === undefined) return undefined;
  const open = line.endsWith(")") ? line.lastIndexOf(" (") : -1;
  const reason = open < 0 ? "" : line.slice(open + 2, -1);
  const what = line.slice(colon + 7, open < 0 ? line.length : open).trim();
  const sections = sectionsOf(what);
  if (what !== "full context" && sections === undefined) return undefined;
  return {
    label,
    ...(sections === undefined ? {} : { sections }),
    ...(serial === undefined ? {} : { serial: Number(serial) }),
    reason,
  };
}

function sectionsOf(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const named = Array.isArray(value) && value.length > 0 && value.length <= MOST;
    return named && value.every(one => typeof one === "string") ? value : undefined;
  } catch {
    return undefined;
  }
}
