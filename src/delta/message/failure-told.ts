import { asSaid, type Told, told } from "../../text/index.ts";
import type { DecodeFailure } from "./decode.ts";
import type { EncodeFailure } from "./encoded.ts";

const NOT_CARRIED_OUT: Readonly<Record<DecodeFailure["kind"], Told>> = {
  "not-an-update": told`not an update message`,
  limit: told`too large`,
  prose: told`an older form that only describes the change`,
  "no-base": told`the document that it is for is needed`,
  base: told`an update for another document`,
  syntax: told`an operation that cannot be read`,
  unresolved: told`an operation whose place cannot be found`,
  "needs-section": told`a section's new text is missing`,
  "claimed-twice": told`two operations change the same place`,
  result: told`the result is not what the message says: it was cut off or changed`,
};

const NOT_MADE: Readonly<Record<EncodeFailure["kind"], Told>> = {
  label: told`not a label`,
  name: told`a name that cannot stand in a list`,
  version: told`not a version`,
  delta: told`the delta is not between these documents`,
  limit: told`a document is too large`,
  inexact: told`a document is not valid Unicode`,
};

/** Why a message was not carried out, for other languages than that of its `message`: which kind of fault, and at what. */
export function notCarriedOut({ kind, operation, line, section }: DecodeFailure): Told {
  const place =
    line !== undefined
      ? told`line ${line}`
      : section !== undefined
        ? asSaid(`§${section}`)
        : operation === undefined
          ? undefined
          : asSaid(operation);
  return place === undefined ? NOT_CARRIED_OUT[kind] : told`${NOT_CARRIED_OUT[kind]}: ${place}`;
}

/** Why no message was made, for other languages than that of its `message`. */
export function notMade({ kind, found }: EncodeFailure): Told {
  return found === undefined ? NOT_MADE[kind] : told`${NOT_MADE[kind]}: ${found}`;
}
