/**
 * Canaries: secrets in every form, said by agents and checks in every way they can say something, and looked for in
 * everything that this program writes.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { attemptName } from "../../src/adapters/local/state-files.ts";
import { HARD, LINES, NARROW, PLAIN, secretForms, tellingPart } from "../text/secret-forms.ts";
import { type Lab, openLab } from "./lab.ts";

const FROM_FILE = "dotenv0value1of2the3project";
const IN_URL = "urlPass0word/of+it";
const SECRETS = [HARD, NARROW, PLAIN, LINES, FROM_FILE, IN_URL];
const ENV = {
  FIRST_TOKEN: HARD,
  SECOND_SECRET: NARROW,
  THIRD_PASSWORD: PLAIN,
  FOURTH_KEY: LINES,
  DATABASE_URL: `postgres://me:${encodeURIComponent(IN_URL)}@db/x`,
};
const FORMS = SECRETS.flatMap(secret =>
  [...secretForms(secret)].map(([name, form]) => ({
    name,
    secret,
    form,
    telling: tellingPart(name, form, secret),
  })),
);
/** Each form on a line of its own: what an agent prints. */
const ALL = Buffer.concat(
  FORMS.flatMap(({ name, form }) => [Buffer.from(`${name}: `), form, Buffer.from("\n")]),
);
/** Those that may stand within a line of UTF-8. */
const ONE_LINE = FORMS.filter(({ name, form }) => name !== "latin-1" && !form.includes(0x0a))
  .map(({ form }) => Buffer.from(form).toString())
  .join(" ");

/** Every file below a folder, and every text in a database. */
function written(folder: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    found.set(path, readFileSync(path));
    if (entry.name === "espalier.db") found.set(`${path} (rows)`, Buffer.from(rowsOf(path)));
  }
  return found;
}

function rowsOf(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const rows = tables.flatMap(({ name }) => database.prepare(`select * from "${String(name)}"`).all());
  database.close();
  return rows
    .flatMap(row =>
      Object.values(row).map(value =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : String(value),
      ),
    )
    .join("\n");
}

function leaks(places: ReadonlyMap<string, Uint8Array>): string[] {
  return [...places].flatMap(([place, bytes]) =>
    FORMS.filter(({ telling }) => Buffer.from(bytes).includes(Buffer.from(telling))).map(
      ({ name, secret }) => `${place}: ${name} of ${JSON.stringify(secret.slice(0, 12))}`,
    ),
  );
}

/** Writes a file in pieces of seven bytes, each a write of its own, to the stream that is named. */
const SPLIT = `import { openSync, readFileSync, writeSync } from "node:fs";
const bytes = readFileSync(new URL("forms.bin", import.meta.url));
const to = process.argv[2] === "stderr" ? 2 : 1;
for (let at = 0; at < bytes.length; at += 7) writeSync(to, bytes.subarray(at, at + 7));
`;

function planted(files: Record<string, string>): Lab {
  return openLab({
    ...files,
    "agent/forms.bin": ALL,
    "agent/line.txt": ONE_LINE,
    "agent/split.mjs": SPLIT,
    ".env": `DB_PASSWORD="${FROM_FILE}"\n`,
  });
}

/** What a lab has written, the agents' own files apart. */
function told(lab: Lab, ...outputs: readonly { stdout: string; stderr: string }[]): Map<string, Buffer> {
  const found = new Map([...written(lab.path(".espalier")), ...written(lab.home)]);
  for (const [index, { stdout, stderr }] of outputs.entries())
    found.set(`terminal ${index}`, Buffer.from(stdout + stderr));
  return found;
}

const CONFIG =
  "maxAttempts: 2\nbackoff: { first: 0s }\nenv: [FIRST_*, SECOND_*, THIRD_*, FOURTH_*, DATABASE_*]\n";
const lessons = `.espalier/memory/attempts/${attemptName("T1.1", 1)}.md`;

describe("canaries", () => {
  it("[E41] no form of any secret is in anything that is written, shown or handed on", async () => {
    await using lab = planted({
      "espalier.yaml": CONFIG,
      "TASKS.md": `# S
## Phase 1: p

### [ ] T1.1: says it in pieces, fails with it, and leaves lessons
- run: |
    node agent/split.mjs stdout
    node agent/split.mjs stderr
    [ -e agent/told ] || { echo "- lesson: "; cat agent/line.txt; } > ${lessons}
    touch agent/told
    cat agent/line.txt >&2
    exit 1

### [ ] T1.2: completes with it as its answer
- run: |
    cat agent/line.txt; node agent/split.mjs stdout

### [ ] T1.3: is checked by what says it
- run: true
- verify: node agent/split.mjs stdout; cat agent/line.txt >&2; exit 1

### [ ] T1.4: reads what the other said
- depends_on: [T1.2]
- run: |
    cat "$ESPALIER_CONTEXT" > agent/heard.txt
`,
    });
    const run = await lab.cli(["run", "--yes"], { env: ENV });
    expect([run.code, run.stderr]).toEqual([1, ""]);
    const views = [];
    for (const args of [
      ["status"],
      ["status", "--json"],
      ["task", "show", "T1.1"],
      ["task", "show", "T1.1", "--json"],
      ["task", "show", "T1.3", "--json"],
    ])
      views.push(await lab.cli(args, { env: ENV }));
    const found = told(lab, run, ...views);
    found.set("what the next agent reads", readFileSync(lab.path("agent/heard.txt")));
    expect(leaks(found)).toEqual([]);
    // It was there to be masked.
    const log = found.get(lab.path(`.espalier/attempts/${attemptName("T1.1", 1)}.log`));
    expect(log?.toString()).toContain("plain: [redacted]\n");
    expect(log?.toString().split("[redacted]").length).toBeGreaterThan(2 * FORMS.length);
    expect(lab.read(".espalier/memory/learnings.md")).toContain("[redacted]");
    expect(run.stdout).toContain("[redacted]");
    expect(lab.read("agent/heard.txt")).toContain("[redacted]");
    expect(statSync(lab.path(".espalier/espalier.db")).size).toBeGreaterThan(0);
  });
});
