import { DECODE_LIMITS, decode, notCarriedOut, shortHash, type Update } from "../delta/index.ts";
import type { Result } from "../ports/index.ts";
import { type Told, told } from "../text/index.ts";
import { checkDate, checkFront, checkId, type Departure, error, noFront, shown, warning } from "./check.ts";
import { changesSection, ROOMS, type Room } from "./delta-body.ts";
import { BLOCK_INFO, type DeltaDocument, readDelta } from "./delta-read.ts";
import { instructions } from "./delta-steps.ts";
import { type Differences, differences } from "./differences.ts";
import { failed, type ToldFailure } from "./failure.ts";
import { deltaId } from "./names.ts";
import { sealOf } from "./seal.ts";
import { type DeltaWords, deltaWords } from "./words.ts";

/**
 * Why a delta document was not carried out; nothing of it was. `prose`: it only describes the change; `base`: it is for another
 * checkpoint; `block`: its machine block cannot be carried out, told in English by the reader of its operations and elsewhere by its
 * kind of fault; `result`: it leads elsewhere than its header says.
 */
export type DeltaRefusal = ToldFailure<"prose" | "base" | "block" | "result">;

/** Carries a delta document out on its checkpoint, whole or not at all; `baseHash` spares hashing it again. */
export function applyDelta(
  delta: string | DeltaDocument,
  base: string,
  baseHash: string = shortHash(base),
): Result<Update, DeltaRefusal> {
  const { block, fromHash, toHash } = typeof delta === "string" ? readDelta(delta) : delta;
  if (block === undefined)
    return failed(
      "prose",
      told`The delta only describes the change: it has no machine block, so it cannot be applied`,
    );
  const update = decode(block, base, DECODE_LIMITS, baseHash);
  if (!update.ok) {
    const { kind, message, expected, found } = update.failure;
    if (kind === "base") return failed(kind, told`The delta is for ${expected}, this checkpoint is ${found}`);
    const known = kind === "result" ? kind : "block";
    return failed(known, notCarriedOut(update.failure), message);
  }
  // The message shows only the beginnings of both hashes; the header has more of them.
  if (fromHash !== undefined && fromHash !== baseHash)
    return failed("base", told`The delta is for ${fromHash}, this checkpoint is ${baseHash}`);
  const { hash } = update.value;
  if (toHash === undefined || hash === toHash) return update;
  return failed("result", told`The delta leads to ${hash}, not to the ${toHash} its header names`);
}

/** Everything in which a delta document departs from the specification, by line; its checkpoints are not needed. */
export function checkDelta(text: string): Departure[] {
  const delta = readDelta(text);
  const found: Departure[] = [];
  if (delta.front.lines === 0) {
    found.push(noFront(delta.front, told`the delta does not say which checkpoints it bridges`));
  } else {
    found.push(
      ...checkFront(delta.front, ["delta", "created", "from", "to"]),
      ...checkDate(delta.front, "created"),
    );
    found.push(...checkId(delta.front, "from"), ...checkId(delta.front, "to"), ...checkName(delta));
  }
  const has = (part: Parameters<typeof delta.headings.has>[0]) => delta.headings.has(part);
  if (delta.summary === "")
    found.push(error("MISSING_SECTION", 0, told`No Summary: one sentence on what changed`));
  if (!has("changes")) found.push(error("MISSING_SECTION", 0, told`No section "${"## Changes"}"`));
  if (!has("added") && !has("modified") && !has("removed"))
    found.push(
      error("MISSING_SECTION", 0, told`None of Added, Modified and Removed: one of them must stand`),
    );
  if (delta.block === undefined) {
    const message = told`It only describes the change: without a machine block it cannot be applied`;
    found.push(warning("NOT_APPLIABLE", delta.headings.get("instructions") ?? 0, message));
  }
  if (delta.seal !== undefined && delta.seal !== sealOf(text))
    found.push(
      error("EDITED", 0, told`The delta was edited after it was made: its seal does not fit its text`),
    );
  return found.sort((a, b) => a.line - b.line);
}

function checkName({ front, delta, from, to }: DeltaDocument): Departure[] {
  if (delta === undefined || from === undefined || to === undefined || delta === deltaId(from, to)) return [];
  const line = front.fields.find(({ key }) => key === "delta")?.line ?? 1;
  return [
    error(
      "BAD_ID",
      line,
      told`\`delta:\` is ${shown(delta)}, but it leads from ${shown(from)} to ${shown(to)}`,
    ),
  ];
}

/** Whether a delta leads from one checkpoint to exactly another, and whether what it tells people is true. */
export function proveDelta(text: string, from: string, to: string): Departure[] {
  const delta = readDelta(text);
  const found = checkDelta(text);
  if (delta.block !== undefined) {
    const applied = applyDelta(delta, from);
    if (!applied.ok) found.push(doesNotApply(applied.failure));
    else if (applied.value.text !== to)
      found.push(
        error(
          "WRONG_RESULT",
          0,
          told`It leads to ${shortHash(applied.value.text)}, the target is ${shortHash(to)}`,
        ),
      );
    else if (!tellsTheTruth(text, delta, from, to))
      found.push(
        warning(
          "TABLES_DIFFER",
          delta.headings.get("changes") ?? 0,
          told`Its Changes or Merge Instructions are not those of the two checkpoints`,
        ),
      );
  }
  return found;
}

function doesNotApply({ message, said }: DeltaRefusal): Departure {
  return { ...error("DOES_NOT_APPLY", 0, said), message };
}

/** Whether everything from `## Changes` to the end, the machine block aside, is what would be written of the two. */
function tellsTheTruth(text: string, delta: DeltaDocument, from: string, to: string): boolean {
  // An editor's line ends are no words.
  const plain = (half: string): string => half.replaceAll(/\r(?=\n|$)/g, "");
  const [whole, block] = [plain(text), plain(delta.block!)];
  const start = whole.indexOf("\n## Changes");
  const end = whole.lastIndexOf(`\n${block}\n`);
  if (start < 0 || end < start) return false;
  const written = whole.slice(start + 1, end).split("\n");
  const fence = written.pop()!;
  const found = differences(from, to);
  const closing = whole.slice(end + block.length + 2).trim();
  return (
    fence === `${closing}${BLOCK_INFO}` &&
    (["en", "ko"] as const).some(locale =>
      ROOMS.some(
        room => changesAndSteps(found, delta, deltaWords(locale), room) === written.join("\n").trim(),
      ),
    )
  );
}

function changesAndSteps(
  found: Differences,
  { from = "", to = "" }: DeltaDocument,
  words: DeltaWords,
  room: Room,
): string {
  return [
    ...changesSection(found, words, room),
    "## Merge Instructions",
    "",
    ...instructions(found, from, to, words, room),
  ].join("\n");
}

/**
 * What a delta tells people that its machine block does not do, once it was carried out. `refuse`: it was edited, or never
 * sealed; one that is sealed may only be told in the words of an earlier version.
 */
export function misTold(
  text: string,
  from: string,
  to: string,
): { message: string; said: Told; refuse: boolean } | undefined {
  const found = proveDelta(text, from, to).find(({ code }) => code === "EDITED" || code === "TABLES_DIFFER");
  if (found === undefined) return undefined;
  return {
    message: found.message,
    said: found.said,
    refuse: found.code === "EDITED" || readDelta(text).seal === undefined,
  };
}
