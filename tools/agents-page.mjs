// The page docs/agents-seen.md, from what was seen of real agents: the files below test/agents/seen. As a program it writes the page.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const SEEN = fileURLToPath(new URL("../test/agents/seen", import.meta.url));
const PAGE = fileURLToPath(new URL("../docs/agents-seen.md", import.meta.url));

const COLUMNS = [
  ["works", "edit, shell"],
  ["asks", "asks"],
  ["deny", "`deny`"],
  ["usage", "usage"],
  ["quota", "tells quota"],
  ["login", "tells login"],
  ["resume", "resume after kill"],
  ["update", "update between turns"],
  ["cancel", "cancel, no orphans"],
];

/** What a folder holds of agents that were tried, by name. */
export function readSeen(folder = SEEN) {
  return globSync(`${folder}/*.json`)
    .sort()
    .map(file => ({ name: basename(file, ".json"), ...JSON.parse(readFileSync(file, "utf8")) }));
}

const row = cells => `| ${cells.join(" | ")} |`;

/** The page of what was seen of agents. */
export function seenPage(all = readSeen()) {
  const tried = all.filter(({ needs }) => needs === undefined);
  const table = [
    row(["agent", "version", ...COLUMNS.map(([, title]) => title), "on"]),
    row(["agent", "version", ...COLUMNS, "on"].map(() => "---")),
    ...tried.map(({ line, version = "–", date, ...seen }) =>
      row([`\`${line}\``, version, ...COLUMNS.map(([key]) => seen[key] ?? "failed"), date]),
    ),
  ];
  const shut = all.filter(({ needs }) => needs !== undefined);
  const logins = shut.map(
    ({ line, version, needs, date }) => `- \`${line}\` ${version} (${date}): “${needs}”`,
  );
  return `# Agents that were tried

Agents of which Espalier is told nothing but their command (\`acp:\` in [\`espalier.yaml\`](agents.md#settings-of-an-agent)), in one
suite against the scripted model. \`npm run test:agents -- --all --keep\` wrote this page. \`deny\` says whether an agent was held
to a policy that allows nothing, or did something and was stopped at once. An estimate is a multiple of what the model served. What is out of
quota and silent is ended as idle.

${table.join("\n")}

These could be tried up to their login, and said:

${logins.join("\n")}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === "--print") process.stdout.write(seenPage());
  else writeFileSync(PAGE, seenPage());
}
