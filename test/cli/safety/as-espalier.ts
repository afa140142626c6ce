import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { projectHome } from "../../../src/adapters/home/index.ts";
import { disputes, sealAll } from "../../../src/adapters/store/believe.ts";
import { openDatabase } from "../../../src/adapters/store/database.ts";
import { createSeal } from "../../../src/adapters/store/index.ts";
import type { Lab } from "../lab.ts";

/** Puts the state of a lab where a process of ours could have left it: what is written is sealed with the project's key. */
export function asEspalier(lab: Pick<Lab, "env" | "path">, sql: string): void {
  const home = projectHome(lab.env, lab.path(".espalier"));
  const key = createSeal(Buffer.from(readFileSync(join(home, "key"), "utf8").trim(), "hex"));
  const database = openDatabase(lab.path(".espalier/espalier.db"), "write");
  try {
    if (disputes(database, key) === undefined) throw new Error("there is no run yet");
    database.exec(sql);
    sealAll(database, key);
  } finally {
    database.close();
  }
  // It may lag behind, or be gone.
  rmSync(join(home, "head"), { force: true });
}
