import { z } from "zod";

const text = z.string();

/** Lines of a file beside each other in both versions. */
export const Hunk = z.strictObject({
  /** Numbers of the first line before and after; 0 where that side is empty. */
  old: z.int(),
  new: z.int(),
  /** What git names the place by. */
  heading: text,
  /** Each behind its sign: a space, `+`, `-`, or `\` for what git says of the line before. */
  lines: z.array(text),
});
export type Hunk = z.infer<typeof Hunk>;

/** One file that differs. */
export const DiffFile = z.strictObject({
  path: text,
  /** Its path before, where it was moved. */
  from: text.optional(),
  status: z.enum(["added", "deleted", "modified", "renamed", "retyped"]),
  kind: z.enum(["text", "binary", "submodule", "link"]),
  /** Where these differ: what is run, and what is not. */
  modes: z.tuple([text, text]).optional(),
  added: z.int().optional(),
  removed: z.int().optional(),
  /** Absent where the file is folded: it is asked for by its place. */
  hunks: z.array(Hunk).optional(),
  /** Changed lines beside those in the hunks. */
  more: z.int(),
  /** Every line shown ends in CR and LF. */
  crlf: z.boolean(),
});
export type DiffFile = z.infer<typeof DiffFile>;

/** `GET /api/diff?task=` with or without `&attempt=`, or `?phase=`; `&file=` unfolds the file at that place. */
export const DiffShape = z.strictObject({
  state: z.enum(["landed", "proved", "standing", "nothing", "apart"]),
  attempt: z.int().optional(),
  commit: text.optional(),
  commits: z.int(),
  /** Commits of nobody's task between them. */
  others: z.int(),
  /** Lines of all files. */
  added: z.int(),
  removed: z.int(),
  files: z.array(DiffFile),
  /** Files beside these. */
  more: z.int(),
  /** Of a task: the commands that prove it, or the paths that it has to leave. */
  proof: z.array(text),
});
export type DiffShape = z.infer<typeof DiffShape>;
