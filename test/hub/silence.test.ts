import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { because, type HubSaid } from "../../src/ports/index.ts";
import { reasonText } from "../../src/text/index.ts";

/** What stands where a hub was looked for, until the function that comes with its port is called. */
async function standIn(answer: RequestListener): Promise<{ readonly port: number; close(): void }> {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What is told of a hub that was asked at an address. */
async function saidAt(url: string, patience?: number): Promise<HubSaid> {
  const client = openHub(url, "t");
  const heard = await client.ask("machines", z.strictObject({}), {}, z.null(), patience);
  client.close();
  if (heard.ok) throw new Error("it was answered");
  return heard.failure.said;
}

async function saidBy(answer: RequestListener, scheme = "http", patience?: number): Promise<HubSaid> {
  const { port, close } = await standIn(answer);
  try {
    return await saidAt(`${scheme}://127.0.0.1:${port}`, patience);
  } finally {
    close();
  }
}

describe("a hub that does not answer", () => {
  it.each([
    ["closed", () => saidAt("http://127.0.0.1:1"), "nothing answers at http://127.0.0.1:1"],
    ["nowhere", () => saidAt("https://no-such-host.invalid"), "there is no such host: https://no-such"],
    ["cut", () => saidBy(request => request.destroy()), "was cut"],
    ["silent", () => saidBy(() => {}, "http", 50), "has not answered in time"],
    ["plain", () => saidBy(() => {}, "https"), "speaks no HTTPS"],
    [
      undefined,
      () => saidBy((_, response) => void response.writeHead(404).end("no")),
      "is no hub: it answers with 404",
    ],
    [undefined, () => saidBy((_, response) => void response.end("{}")), "is no hub of this version"],
    [
      undefined,
      () => saidBy((_, response) => void response.writeHead(400).end('{"code":"bad-request","message":"x"}')),
      "x",
    ],
  ] as const)("[HB26] is told of in the reader's language: %s %#", async (how, ask, english) => {
    const said = await ask();
    expect(said.how).toBe(how);
    for (const reason of [because("hub-refused", said), because("hub-away", said)]) {
      expect(reasonText(reason, "en")).toContain(english);
      // Besides the address nothing of it is English.
      expect(reasonText(reason, "ko").replaceAll(/https?:\S+|HTTPS?/g, "")).not.toMatch(/[a-z]{2}/i);
    }
    const { code = "" } = said;
    const then = because("hub-refused-then", { code, ...(how === undefined ? {} : { how }) });
    expect(reasonText(then, "ko")).toMatch(/[가-힣]/);
  });

  it("[HB26] is told of as an earlier version has written it down", () => {
    expect(reasonText(because("hub-away", { said: "http://hub: gone" }), "ko")).toContain("http://hub: gone");
  });
});

describe("a machine that is lost", () => {
  it.each([
    "anew",
    "silent",
    "token",
    "given-up",
    "full",
    "coordinator",
    "taken",
    "unknown",
    "unread",
  ] as const)("[HB26] is told of in the reader's language: %s", how => {
    const lost = because("machine-lost", { said: "in English", how, machine: "m1" });
    expect(reasonText(lost, "en")).toContain("in English");
    expect(reasonText(lost, "ko")).not.toContain("in English");
  });
});

describe("a machine that does not carry an order out", () => {
  it.each(["agent", "repository", "bare", "setup"] as const)("[HB26] says why: %s", how => {
    const why = because("machine-refuses", { said: "in English", how, of: "x7" });
    expect(reasonText(why, "en")).toContain("in English");
    expect(reasonText(why, "ko")).not.toContain("in English");
    expect(reasonText(why, "ko").includes("x7")).toBe(how !== "bare");
    const by = because("machine-refuses", { said: "in English", how, of: "x7", machine: "build9" });
    expect([reasonText(by, "en"), reasonText(by, "ko")].every(told => told.includes("build9"))).toBe(true);
  });
});
