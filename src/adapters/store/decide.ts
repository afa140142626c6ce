import type { StateDamage } from "../../ports/state-news.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { isAhead } from "./forward.ts";
import type { Inspection } from "./inspect.ts";
import type { ThinReading, ThinState } from "./thin-json.ts";

/** A database as it was found. */
export type Found = { readonly sound: Inspection } | { readonly damaged: StateDamage } | "missing";

/** Everything that was found in a state directory. */
export interface Findings {
  readonly main: Found;
  readonly backup: Found;
  readonly thin: ThinReading;
  readonly thinBackup: ThinReading;
}

/** What the state is made from. */
export interface Decision {
  /** The database taken as it is or copied; `none` begins a new one. */
  readonly base: "main" | "backup" | "none";
  /** Whether the base takes the main database's place as a copy, whatever stood there being kept aside. */
  readonly rebuild: boolean;
  /** The thin state that knows more about the base's run. */
  readonly forward?: ThinState;
  /** The thin state of a run that no database holds. */
  readonly orphan?: ThinState;
  /** The state of another orchestrator, where we have none. */
  readonly legacy?: ThinReading & { readonly kind: "legacy" };
  /** Which of the two thin states was taken. */
  readonly thinFrom: "thin" | "thinBackup";
  /** At least this epoch has been claimed. */
  readonly epoch: number;
}

/** Why the state may not be opened at all. */
export type Refusal = Extract<StoreFailure, { kind: "newer" }> | Foreign;

/** The state is that of another project. */
export interface Foreign {
  readonly kind: "foreign";
  readonly found: string;
  readonly expected: string;
}

/** The project a sound copy belongs to when it is not the expected one. */
export function foreignIn(found: Findings, expected: string): Foreign | undefined {
  for (const copy of [found.main, found.backup]) {
    const sound = soundOf(copy);
    if (sound !== undefined && sound.project !== expected) {
      return { kind: "foreign", found: sound.project, expected };
    }
  }
  return undefined;
}

/** Chooses the copy that has come furthest: database, then backup, each brought forward by the thin state. */
export function decide(found: Findings): Decision {
  const main = soundOf(found.main);
  const backup = soundOf(found.backup);
  const thinFrom = found.thin.kind === "thin" ? "thin" : "thinBackup";
  const thin = thinOf(found[thinFrom]);
  const base = baseOf(main, backup);
  const sound = base === "main" ? main : base === "backup" ? backup : undefined;
  const epoch = Math.max(main?.epoch ?? 0, backup?.epoch ?? 0, thin?.epoch ?? 0);
  const common = { base, epoch, thinFrom } as const;

  if (thin !== undefined && (sound === undefined || isAhead(thin, sound))) {
    return sound?.runs.has(thin.run)
      ? { ...common, rebuild: true, forward: thin }
      : { ...common, rebuild: base === "backup", orphan: thin };
  }
  const begun = sound !== undefined && sound.runs.size > 0;
  const legacy = !begun && found.thin.kind === "legacy" ? { legacy: found.thin } : {};
  return { ...common, rebuild: base === "backup", ...legacy };
}

function baseOf(main: Inspection | undefined, backup: Inspection | undefined): Decision["base"] {
  if (main === undefined) return backup === undefined ? "none" : "backup";
  return backup !== undefined && isAhead(backup, main) ? "backup" : "main";
}

function soundOf(found: Found): Inspection | undefined {
  return found !== "missing" && "sound" in found ? found.sound : undefined;
}

function thinOf(reading: ThinReading): ThinState | undefined {
  return reading.kind === "thin" ? reading.state : undefined;
}
