import { z } from "zod";

const text = z.string();

/** One version of a document. Its text may be gone when nobody needs it any more. */
export const VersionShape = z.strictObject({
  number: z.int(),
  at: z.int(),
  by: text,
  bytes: z.int(),
});
export type VersionShape = z.infer<typeof VersionShape>;

export const LabelShape = z.strictObject({
  label: text,
  /** A phase gate holds its updates back. */
  gated: z.boolean(),
  /** Newest first. */
  versions: z.array(VersionShape),
  older: z.int(),
});
export type LabelShape = z.infer<typeof LabelShape>;

export const DocumentShape = z.strictObject({
  label: text,
  place: z.enum(["shared", "own"]),
  withdrawn: z.boolean(),
  /** Where it comes from: `file`, `fill`, `added`, `published`, and the words for it. */
  kind: text,
  from: text,
  /** The attempt that handed it in; it can be taken back. */
  task: text.optional(),
  attempt: z.int().optional(),
});
export type DocumentShape = z.infer<typeof DocumentShape>;

export const NodeShape = z.strictObject({
  id: text,
  parent: text.optional(),
  status: z.enum(["active", "completed", "abandoned", "merged"]),
  by: text,
  documents: z.array(DocumentShape),
});
export type NodeShape = z.infer<typeof NodeShape>;

/** What one teammate holds of one document. */
export const HolderShape = z.strictObject({
  label: text,
  teammate: text,
  standing: z.enum(["ended", "unanswering", "new", "lost", "stale", "updating", "behind", "current"]),
  role: text,
  confirmed: z.int().optional(),
  proof: z.enum(["hash", "read", "word", "none"]).optional(),
  flight: z
    .strictObject({
      version: z.int(),
      form: z.enum(["delta", "sections", "full", "restated", "version"]),
      tokens: z.int(),
    })
    .optional(),
  messages: z.int(),
  tokens: z.int(),
});
export type HolderShape = z.infer<typeof HolderShape>;

/** `GET /api/context`: the tree, the documents, and who holds what. */
export const ContextShape = z.strictObject({
  nodes: z.array(NodeShape),
  labels: z.array(LabelShape),
  holders: z.array(HolderShape),
});
export type ContextShape = z.infer<typeof ContextShape>;

/** `GET /api/version?label=&number=`: one version's text; it can be edited on a page that shows all of it as it is. */
export const TextShape = z.strictObject({
  text,
  editable: z.boolean(),
  tokens: z.int(),
  bytes: z.int(),
  /** Of the whole; `text` may be cut. */
  characters: z.int(),
});
export type TextShape = z.infer<typeof TextShape>;

/** A stretch of a comparison: equal lines, or lines that gave way to others. Line numbers are 1-based. */
export const Stretch = z.strictObject({
  kind: z.enum(["same", "changed", "skipped"]),
  left: z.int(),
  right: z.int(),
  removed: z.array(text),
  added: z.array(text),
  /** Lines of a skipped stretch. */
  lines: z.int(),
});
export type Stretch = z.infer<typeof Stretch>;

/** `GET /api/compare`, `GET /api/checkpoints/compare`: two texts side by side, and what the change costs to send. */
export const CompareShape = z.strictObject({
  stretches: z.array(Stretch),
  /** More changes than are shown. */
  cut: z.boolean(),
  added: z.int(),
  removed: z.int(),
  /** Tokens of the new text in full, and of the update message that carries the change. */
  full: z.int(),
  sent: z.int(),
  form: text,
  message: text,
  /** For checkpoints: what validating their delta found; empty when it is exact. */
  verdict: z.strictObject({ ok: z.boolean(), text }).optional(),
});
export type CompareShape = z.infer<typeof CompareShape>;

export const CheckpointShape = z.strictObject({
  id: text,
  created: text.optional(),
  parent: text.optional(),
  standing: text,
  bytes: z.int(),
  /** What the delta from its parent says, and whether it can be applied. */
  delta: z.strictObject({ name: text, summary: text, appliable: z.boolean(), bytes: z.int() }).optional(),
});
export type CheckpointShape = z.infer<typeof CheckpointShape>;

/** `GET /api/checkpoints`: oldest first, with everything that is amiss. */
export const CheckpointsShape = z.strictObject({
  checkpoints: z.array(CheckpointShape),
  older: z.int(),
  current: text.optional(),
  problems: z.array(z.strictObject({ weight: z.enum(["note", "repair", "person"]), text })),
});
export type CheckpointsShape = z.infer<typeof CheckpointsShape>;

/** `GET /api/checkpoint?id=`: one checkpoint's text and where it departs from the specification. */
export const CheckpointText = z.strictObject({
  text,
  departures: z.array(z.strictObject({ severity: z.enum(["error", "warning"]), line: z.int(), text })),
});
export type CheckpointText = z.infer<typeof CheckpointText>;
