import fc from "fast-check";

// A context document as a team keeps it, and the edits that happen to one: each takes the whole text and gives the next.

/** The first version of a living document. */
export const FIRST: string = `---
version: 1
feature: orders
---

# Orders

## Status

- Phase 1: COMPLETE
- Phase 2: IN_PROGRESS
- [ ] T2.1: Form
- [ ] T2.2: Mail
- [ ] T2.3: Receipt

## Decisions

- **D-1:** Prices are integers in cents
- **D-2:** One row per line of an order

## Contracts

| id | path | answers |
|----|------|---------|
| C-1 | POST /orders | 202 |
| C-2 | GET /orders/:id | the order |

\`\`\`ts
interface Order {
  id: string;
  lines: number;
}
\`\`\`

## Questions

- Q-1: Do we keep cancelled orders?

## Next

1. Form
2. Mail
`;

/** One edit; \`pick\` is any number and chooses among the places where it can happen. */
type Edit = (text: string, pick: number, serial: number) => string;

function lineEdit(
  matches: (line: string) => boolean,
  change: (line: string, serial: number) => string[],
): Edit {
  return (text, pick, serial) => {
    const lines = text.split("\n");
    const places = lines.flatMap((line, at) => (matches(line) ? [at] : []));
    const at = places[pick % Math.max(1, places.length)];
    if (at === undefined) return text;
    return lines.toSpliced(at, 1, ...change(lines[at]!, serial)).join("\n");
  };
}

const STATUSES = ["PENDING", "IN_PROGRESS", "REVIEW → QA", "COMPLETE (4/4)", "FAILED: flaky test"];

/** What happens to a living document, by name. */
export const EDITS: Readonly<Record<string, Edit>> = {
  status: lineEdit(
    line => line.startsWith("- Phase "),
    (line, serial) => [`${line.slice(0, line.indexOf(":"))}: ${STATUSES[serial % STATUSES.length]}`],
  ),
  tick: lineEdit(
    line => line.includes("- [ ]"),
    line => [line.replace("[ ]", "[x]")],
  ),
  untick: lineEdit(
    line => line.includes("- [x]"),
    line => [line.replace("[x]", "[ ]")],
  ),
  decide: lineEdit(
    line => line.startsWith("- **D-"),
    (line, serial) => [line, `- **D-${100 + serial}:** Orders older than ${serial} days are archived`],
  ),
  reword: lineEdit(
    line => line.includes(" are "),
    line => [line.replace(" are ", " will be ")],
  ),
  answer: lineEdit(
    line => line.startsWith("- Q-"),
    () => [],
  ),
  ask: lineEdit(
    line => line === "## Questions",
    (line, serial) => [line, "", `- Q-${100 + serial}: Who pays "${serial} → ${serial + 1}" | nobody?`],
  ),
  row: lineEdit(
    line => line.startsWith("| C-"),
    (line, serial) => [line, `| C-${100 + serial} | PUT /orders/${serial} | 204 |`],
  ),
  cell: lineEdit(
    line => line.startsWith("| C-"),
    (line, serial) => [line.replace(/\| [^|]+ \|$/, `| ${serial} |`)],
  ),
  code: lineEdit(
    line => line.startsWith("  lines:"),
    (line, serial) => [line, `  field${serial}?: string;`],
  ),
  twin: lineEdit(
    line => line.startsWith("- "),
    line => [line, line],
  ),
  section: lineEdit(
    line => line.startsWith("## "),
    (line, serial) => [`## Added ${serial % 3}`, "", `What ${serial} brought.`, "", line],
  ),
  rename: lineEdit(
    line => line.startsWith("## "),
    (line, serial) => [`${line} (v${serial % 4})`],
  ),
  drop: (text, pick) => {
    const heads = text.split("\n").flatMap((line, at) => (line.startsWith("## ") ? [at] : []));
    if (heads.length < 3) return text;
    const at = pick % (heads.length - 1);
    return text
      .split("\n")
      .toSpliced(heads[at]!, heads[at + 1]! - heads[at]!)
      .join("\n");
  },
  swap: (text, pick) => {
    const parts = text.split(/^(?=## )/mu);
    if (parts.length < 4) return text;
    const at = 1 + (pick % (parts.length - 2));
    return parts.toSpliced(at, 2, parts[at + 1]!, parts[at]!).join("");
  },
  windows: text => (text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\n", "\r\n")),
  cut: text => (text.endsWith("\n") ? text.trimEnd() : `${text}\n`),
  version: lineEdit(
    line => line.startsWith("version:"),
    (_, serial) => [`version: ${serial + 2}`],
  ),
  empty: () => "",
  again: () => FIRST,
};

/** A document's life: all its versions, each different from the one before it. */
export const LIFE: fc.Arbitrary<readonly string[]> = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        ...Object.keys(EDITS).flatMap(name =>
          name === "empty" || name === "again" ? [name] : [name, name, name],
        ),
      ),
      fc.nat(40),
    ),
    { minLength: 1, maxLength: 10 },
  )
  .map(steps => {
    const versions = [FIRST];
    for (const [serial, [name, pick]] of steps.entries()) {
      const next = EDITS[name]!(versions.at(-1)!, pick, serial);
      if (next !== versions.at(-1)) versions.push(next);
    }
    return versions;
  });
