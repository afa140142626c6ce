/** A flag with its value, as two arguments; nothing when it has none. */
export function flag(name: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [name, `${value}`];
}
