const two = (value: number): string => String(value).padStart(2, "0");

/** A moment as the wall clock of this machine shows it: `14:05:09`. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** A moment that may be on another day: `2026-01-05 14:05`. */
export function dateAndTime(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${timeOfDay(at).slice(0, 5)}`;
}
