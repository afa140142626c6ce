import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createGitService } from "../../src/hub/index.ts";

/** What a hub serves of git, to anybody who has its port, until it is killed. */
const [folder = "", git = ""] = process.argv.slice(2);
const who = { role: "run", pool: "main", name: "me", hash: "", expires: Number.POSITIVE_INFINITY } as const;
const service = createGitService(
  { holder: async () => undefined, pass: async () => {}, isOver: async () => false },
  folder,
  git,
);
const server = createServer((request, response) => void service.serve(request, response, who));
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
