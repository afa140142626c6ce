import { closestFirst } from "./nearest.ts";
import { asSaid, type Told, told } from "./told.ts";
import { visible } from "./visible.ts";

/** Names that are told. */
const NAMED = 20;

/** Which names there are, those first that are closest to what was asked for. */
export function thereAre(asked: string, known: readonly string[]): Told {
  if (known.length === 0) return told`there are none`;
  const named = closestFirst(asked, known).slice(0, NAMED);
  const list = named.map(one => visible(one, 80)).join(", ");
  const more = known.length - named.length;
  return told`there are ${asSaid(more > 0 ? `${list} +${more}` : list)}`;
}
