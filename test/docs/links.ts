/** A text without its fenced blocks and code spans: what a link is read in. */
function proseOf(text: string): string {
  let open = "";
  const lines = text.split("\n").filter(line => {
    const fence = /^ {0,3}`{3,}/.exec(line)?.[0].trim() ?? "";
    if (open === "") {
      open = fence;
      return fence === "";
    }
    if (line.trim() === open) open = "";
    return false;
  });
  return lines.join("\n").replace(/`[^`\n]*`/g, "");
}

/** The targets of a page's links: `[words](target)`, `[words]: target`. */
export function linksIn(text: string): string[] {
  const prose = proseOf(text);
  const inline = [...prose.matchAll(/\]\(([^()\s]+)\)/g)];
  const named = [...prose.matchAll(/^\[[^\]\n]+\]:\s*(\S+)/gm)];
  return [...inline, ...named].map(([, target]) => target ?? "");
}

/** The anchor that a heading makes: lower case, punctuation gone, blanks as hyphens. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
