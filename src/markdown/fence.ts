import { BACKTICK, runEnd, skipBlanks, TILDE } from "./chars.ts";

/** An open code fence: its mark, how many of them a closing line needs at least, and the words behind. */
export interface Fence {
  readonly mark: number;
  readonly length: number;
  readonly info: string;
}

/** The fence that begins at `at`, if one does: three or more tildes, or backticks with no further one behind. */
export function opensFence(text: string, at: number, end: number): Fence | undefined {
  const mark = text.charCodeAt(at);
  if (mark !== BACKTICK && mark !== TILDE) return undefined;
  const behind = runEnd(text, at, end);
  if (behind - at < 3) return undefined;
  const info = text.slice(behind, end).trim();
  return mark === BACKTICK && info.includes("`") ? undefined : { mark, length: behind - at, info };
}

/** Whether the fence ends with the marks at `at`. */
export function closesFence(text: string, at: number, end: number, fence: Fence): boolean {
  if (text.charCodeAt(at) !== fence.mark) return false;
  const behind = runEnd(text, at, end);
  return behind - at >= fence.length && skipBlanks(text, behind, end) === end;
}

/** Whether the fence shows Markdown. */
export function isExample(fence: Fence): boolean {
  return /^(?:markdown|md)\b/i.test(fence.info);
}

/** Whether a fence begins at `at` that another one shows; shorter ones neither open nor end anything in it. */
export function opensInside(text: string, at: number, end: number, outer: Fence): boolean {
  if (text.charCodeAt(at) !== outer.mark) return false;
  const inner = opensFence(text, at, end);
  return inner !== undefined && inner.info !== "" && inner.length >= outer.length;
}
