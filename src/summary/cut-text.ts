/** The first `most` characters of a text that has more, with a mark behind them; no character is cut in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const isInside = (text.charCodeAt(most - 1) & 0xfc00) === 0xd800;
  return `${text.slice(0, isInside ? most - 1 : most).toWellFormed()}…`;
}
