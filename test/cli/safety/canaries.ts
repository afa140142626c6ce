/** Secrets in every form, and a look for them in whatever is written. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HARD, LINES, NARROW, PLAIN, secretForms, tellingPart } from "../../text/secret-forms.ts";
import type { Lab } from "../lab.ts";

const FROM_FILE = "dotenv0value1of2the3project";
const IN_URL = "urlPass0word/of+it";

/** Where secrets stand: in variables by name, in an address, and in a file of settings. */
export const SECRET_ENV = {
  FIRST_TOKEN: HARD,
  SECOND_SECRET: NARROW,
  THIRD_PASSWORD: PLAIN,
  FOURTH_KEY: LINES,
  DATABASE_URL: `postgres://me:${encodeURIComponent(IN_URL)}@db/x`,
};
const SETTINGS = `DB_PASSWORD="${FROM_FILE}"\n`;

export const FORMS = [HARD, NARROW, PLAIN, LINES, FROM_FILE, IN_URL].flatMap(secret =>
  [...secretForms(secret)].map(([name, form]) => ({
    name,
    secret,
    form,
    telling: Buffer.from(tellingPart(name, form, secret)),
  })),
);
/** Each form on a line of its own: what an agent prints. */
const ALL = Buffer.concat(
  FORMS.flatMap(({ name, form }) => [Buffer.from(`${name}: `), form, Buffer.from("\n")]),
);
/** Those that may stand within a line of UTF-8. */
const IN_LINE = FORMS.filter(({ name, form }) => name !== "latin-1" && !form.includes(0x0a)).map(({ form }) =>
  Buffer.from(form).toString(),
);
export const ONE_LINE = IN_LINE.join(" ");

/** Writes a file in pieces of seven bytes, each a write of its own, to the stream that is named. */
const SPLIT = `import { openSync, readFileSync, writeSync } from "node:fs";
const bytes = readFileSync(new URL("forms.bin", import.meta.url));
const to = process.argv[2] === "stderr" ? 2 : 1;
for (let at = 0; at < bytes.length; at += 7) writeSync(to, bytes.subarray(at, at + 7));
`;

/** What agents of a lab say it with, in a folder of their own. */
export function plantCanaries(lab: Lab): void {
  lab.write("agent/forms.bin", ALL);
  lab.write("agent/line.txt", ONE_LINE);
  lab.write("agent/lines.json", JSON.stringify(IN_LINE));
  lab.write("agent/split.mjs", SPLIT);
  lab.write(".env", SETTINGS);
}

/** Every file below a folder, and every text in a database. */
export function written(folder: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    found.set(path, readFileSync(path));
    if (/\.db(?:\.bak)?$/.test(entry.name)) found.set(`${path} (rows)`, Buffer.from(rowsOf(path)));
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

/** Which form of which secret stands where. */
export function leaks(places: ReadonlyMap<string, Uint8Array>): string[] {
  return [...places].flatMap(([place, bytes]) => {
    const buffer = Buffer.from(bytes);
    return FORMS.filter(({ telling }) => buffer.includes(telling)).map(
      ({ name, secret }) => `${place}: ${name} of ${JSON.stringify(secret.slice(0, 12))}`,
    );
  });
}
