/** Values of one place of three documents, and of what joins them; undefined where one has no such place. */
interface Place {
  readonly base: unknown;
  readonly ours: unknown;
  readonly theirs: unknown;
  readonly joined: unknown;
}

/** The object or array that a text is as JSON; undefined where it is none. */
export function readJson(text: string): unknown {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function valueAt(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Whether two values are one, in whatever order their keys stand. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  if (!isObject(one) || !isObject(other)) return one === other;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every(key => Object.hasOwn(other, key) && isSame(one[key], other[key]));
}

/** Whether a place holds what its sides make of it: what one changed, what both changed alike, or both sides' keys or items. */
function agrees({ base, ours, theirs, joined }: Place): boolean {
  if (isSame(ours, base) || isSame(ours, theirs)) return isSame(joined, theirs);
  if (isSame(theirs, base)) return isSame(joined, ours);
  if (Array.isArray(ours) && Array.isArray(theirs) && Array.isArray(joined)) {
    const old = Array.isArray(base) ? base.length : 0;
    return joined.length === ours.length + theirs.length - old;
  }
  if (!isObject(ours) || !isObject(theirs) || !isObject(joined)) return false;
  return [...new Set([ours, theirs, joined].flatMap(Object.keys))].every(key =>
    agrees({
      base: valueAt(base, key),
      ours: valueAt(ours, key),
      theirs: valueAt(theirs, key),
      joined: valueAt(joined, key),
    }),
  );
}

/** How many keys the objects of a JSON text say. */
function keysSaid(text: string): number {
  let said = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    at++;
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    do at++;
    while (at < text.length && " \t\r\n".includes(text[at]!));
    if (text[at] === ":") said++;
  }
  return said;
}

/** Whether an object of a JSON text says a key twice: its value has fewer keys then. */
function saysAKeyTwice(text: string): boolean {
  let known = 0;
  JSON.parse(text, function (this: unknown, key: string, value: unknown) {
    if (isObject(this) && !(key === "" && Object.keys(this).length === 1)) known++;
    return value;
  });
  return keysSaid(text) !== known;
}

/** Whether a text is JSON that holds, under the same keys, what both sides made of a JSON document, and no key twice. */
export function joinsJson(place: Omit<Place, "joined">, text: string): boolean {
  const joined = readJson(text);
  try {
    return joined !== undefined && agrees({ ...place, joined }) && !saysAKeyTwice(text);
  } catch {
    // Nested more deeply than can be compared.
    return false;
  }
}
