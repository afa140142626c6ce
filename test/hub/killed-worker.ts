import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { type Order, ok } from "../../src/ports/index.ts";
import { createCells } from "../../src/worker/cell.ts";
import { createWorkerGit } from "../../src/worker/worker-git.ts";

/** A worker that opens one order, changes its folder as it is told, says so, and waits to be killed. */
const { url, token, folder, git, order, change } = JSON.parse(process.argv[2] ?? "") as {
  readonly url: string;
  readonly token: string;
  readonly folder: string;
  readonly git: string;
  readonly order: Order;
  readonly change: string;
};
const client = openHub(url, token);
const cells = createCells({
  client,
  folder,
  git: createWorkerGit({ client, folder, git, env: process.env }),
  admit: () => ok({}),
  prepare: async () => undefined,
  kept: () => {},
});
const opened = await cells.open(order);
if (!opened.ok) throw new Error(opened.failure.message);
if (change !== "") writeFileSync(join(opened.value.cwd, "new.txt"), change);
process.stdout.write("ready\n");
process.stdin.resume();
