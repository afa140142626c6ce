import { createInterface } from "node:readline";
import type { Running } from "../cli/lab.ts";

/** Waits for the link a dashboard prints. */
export async function linkOf(running: Running): Promise<string> {
  for (const stream of [running.child.stderr, running.child.stdout]) stream?.setEncoding("utf8");
  return new Promise((resolve, reject) => {
    const look = (line: string) => {
      const link = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/.exec(line)?.[0];
      if (link !== undefined) resolve(link);
    };
    for (const input of [running.child.stderr, running.child.stdout])
      if (input !== null) createInterface({ input }).on("line", look);
    void running.ended.then(done =>
      reject(new Error(`it ended without a link: ${done.stdout}${done.stderr}`)),
    );
  });
}
