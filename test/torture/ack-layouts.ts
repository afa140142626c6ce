import type { Random } from "./random.ts";

/** What the fields of an acknowledgement are called. */
const NAMES = {
  items: [
    "Delta items applied",
    "Items",
    "Items applied",
    "Applied",
    "delta_items_applied",
    "적용된 항목",
    "델타 항목 적용",
  ],
  impact: ["Impact on my work", "Impact", "impact", "My impact", "영향", "내 작업에 미치는 영향"],
  action: ["Action taken", "Action", "ACTION", "action_taken", "조치", "취한 조치"],
  unclear: ["Unclear items", "Unclear", "unclear_items", "불명확한 항목"],
} as const;
type Name = keyof typeof NAMES;

/** A field and what is said in it. */
export type Entry = readonly [Name, string];

export function listed(random: Random, head: string, fields: readonly Entry[]): string {
  const mark = random.pick(["- ", "- ", "* ", "+ ", "• ", "", "  - ", "- [x] ", "1. "]);
  const gap = random.pick(["\n", "\n", "\n\n", "\n\n\n"]);
  const between = random.chance(0.2) ? "\n\n" : "\n";
  const named = random.below(6);
  const separator = random.pick([": ", ": ", ":", "：", " = ", " — ", ": \n    "]);
  const lines = fields.map(([field, value]) => {
    const name = random.pick(NAMES[field]);
    const broken = value.length > 30 && random.chance(0.5) ? value.replace(" of ", " of\n  ") : value;
    if (named === 0) return `${mark}**${name}:** ${broken}`;
    if (named === 1) return `${mark}**${name}**: ${broken}`;
    if (named === 2) return `${mark}\`${name}\`: ${broken}`;
    return `${mark}${name}${separator}${broken}`;
  });
  return head + gap + lines.join(between);
}

export function oneLine(random: Random, head: string, fields: readonly Entry[]): string {
  const parted = random.pick([". ", ". ", " | ", "; ", ", "]);
  const parts = fields.map(([field, value]) => `${random.pick(NAMES[field])}: ${value}`);
  const first = head.endsWith(".") ? " " : parted;
  return `${head}${first}${parts.join(parted)}`;
}

export function table(random: Random, head: string, fields: readonly Entry[]): string {
  const rows = fields.map(([field, value]) => `| ${random.pick(NAMES[field])} | ${value} |`);
  const header = random.chance(0.7) ? "| Field | Value |\n|---|---|\n" : "";
  return `${head}\n\n${header}${rows.join("\n")}`;
}

export function wideTable(random: Random, head: string, fields: readonly Entry[]): string {
  const names = fields.map(([field]) => random.pick(NAMES[field])).join(" | ");
  const rule = fields.map(() => "---").join("|");
  return `${head}\n\n| ${names} |\n|${rule}|\n| ${fields.map(([, value]) => value).join(" | ")} |`;
}

export function json(random: Random, head: string, fields: readonly Entry[]): string {
  const entries = fields.map(
    ([field, value]) => `${JSON.stringify(random.pick(NAMES[field]))}: ${JSON.stringify(value)}`,
  );
  return random.chance(0.5)
    ? `${head}\n{\n  ${entries.join(",\n  ")}\n}`
    : `${head}\n{ ${entries.join(", ")} }`;
}

export function dress(random: Random, body: string): string {
  const lines = body.split("\n");
  const fence = random.pick(["```", "```text", "~~~"]);
  switch (random.below(12)) {
    case 0:
      return lines.map(line => `> ${line}`).join("\n");
    case 1:
      return `${fence}\n${body}\n${fence.slice(0, 3)}`;
    case 2:
      return lines.map(line => `  ${line}`).join("\n");
    case 3:
      return [`**${lines[0]!.replaceAll("**", "")}**`, ...lines.slice(1)].join("\n");
    case 4:
      return [`### ${lines[0]!}`, ...lines.slice(1)].join("\n");
    case 5:
      return `- ${body}`;
    default:
      return body;
  }
}
