/** Words that say nothing by themselves. */
const STOP: ReadonlySet<string> = new Set(
  (
    "the a an and or but if then else when while of in on at by for to from with without into over under is are was were be been being " +
    "it its this that these those there here as not no do does did done can could should would will may might must have has had we you " +
    "they he she i our your their his her all any each every some such same so than too very just only also more most other which who " +
    "whom what how why where up down out off again once both few own because about after before between through during one two use used " +
    "using new per via yes see set get make made " +
    "그리고 그러나 하지만 또는 및 등 것 수 때 때문 위해 통해 대한 대해 있는 있다 없는 없다 하는 한다 된다 되는 이 그 저 더 각 또 후 전 중 모든 다른 같은"
  ).split(" "),
);

/** Endings that a Korean noun carries for its part in the sentence, longest first. */
const PARTICLES = [
  "에서는",
  "으로는",
  "에서",
  "으로",
  "까지",
  "부터",
  "에게",
  "에는",
  "을",
  "를",
  "이",
  "가",
  "은",
  "는",
  "에",
  "의",
  "로",
  "와",
  "과",
  "도",
  "만",
];

/** Calls back for every word of a text that carries meaning, without its ending. */
export function scanWords(text: string, found: (word: string) => void): void {
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}_]{2,40}/gu)) {
    const stem = stemOf(word);
    if (stem.length > 1 && !STOP.has(stem) && !isNumber(stem)) found(stem);
  }
}

function isNumber(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 48 && code <= 57;
}

function stemOf(word: string): string {
  const last = word.charCodeAt(word.length - 1);
  if (last >= 0xac00 && last <= 0xd7a3) {
    const particle = PARTICLES.find(one => word.length - one.length >= 2 && word.endsWith(one));
    return particle === undefined ? word : word.slice(0, -particle.length);
  }
  if (word.length > 5 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && word.endsWith("s") && !word.endsWith("ss")) return word.slice(0, -1);
  return word;
}
