import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { dashboardWords } from "../../../src/cli/views/words/dashboard-words.ts";
import { deciderWords } from "../../../src/host/approval/decider-words.ts";
import { itWhole, sampleOf } from "../../sample.ts";
import { type Lab, openLab, type Running } from "../lab.ts";

const TASKS = "# Tasks: demo\n\n## Phase 1: work\n\n### [ ] T1.1: one\n- run: true\n";

/** A dashboard that says as JSON where it is. */
async function begin(lab: Lab, ...flags: readonly string[]) {
  const running: Running = lab.start(["dashboard", "--json", ...flags]);
  const said = await new Promise<string>(resolve => {
    running.child.stdout?.once("data", chunk => resolve(String(chunk)));
  });
  return { running, told: JSON.parse(said) as Record<string, string> };
}

/** A request as the person's proxy hands it on. */
function through(origin: string, path: string, headers: Record<string, string>, body?: string) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const sent = request(new URL(path, origin), { method, headers }, answer => {
      let text = "";
      answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("espalier dashboard away from the desk", () => {
  it("[W121] tells a code that lets one device in at the public address, and that it did", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const { running, told } = await begin(lab, "--public", "https://dash.example.org");
    expect(told).toMatchObject({ address: "https://dash.example.org" });
    const elsewhere = { host: "dash.example.org", origin: "https://dash.example.org" };
    const body = JSON.stringify({ code: told["code"], name: "phone" });
    const paired = await through(
      told["origin"]!,
      "/api/pair",
      { ...elsewhere, "content-type": "application/json" },
      body,
    );
    expect(paired.status).toBe(200);
    const { token } = JSON.parse(paired.text) as { token: string };
    const read = await through(told["origin"]!, "/api/run", {
      ...elsewhere,
      authorization: `Bearer ${token}`,
    });
    expect(read.status).toBe(200);
    await running.seen("a device was let in by the code");
    running.signal("SIGTERM");
    const done = await running.ended;
    expect(done.code).toBe(0);
    expect(done.stdout + done.stderr).not.toContain(token);
  });

  itWhole("[W121] with --pair shows it to people, in words; without either there is none", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const pairs = lab.start(["dashboard", "--pair"]);
    await pairs.seen("enter the code");
    pairs.signal("SIGTERM");
    expect((await pairs.ended).stdout).toMatch(
      /ssh -L (\d+):127\.0\.0\.1:\1 HOST .*open http:\/\/127\.0\.0\.1:\1 and enter the code\n {2}[\dA-Z]{4}-[\dA-Z]{4}\n/,
    );
    for (const [address, tunnel] of [
      ["https://dash.example.org", ""],
      ["http://127.0.0.1:8080", "ssh -L 8080:127.0.0.1:4747 HOST"],
      ["http://localhost", "ssh -L 80:127.0.0.1:4747 HOST"],
    ] as const) {
      for (const locale of ["en", "ko"] as const) {
        const text = dashboardWords(locale).pair({ origin: "http://127.0.0.1:4747", address }, "ABCD-EFGH");
        expect(text).toContain(address);
        expect(text.includes("ssh -L")).toBe(tunnel !== "");
        expect(text).toContain(tunnel);
      }
    }
    const { running, told } = await begin(lab);
    expect(Object.keys(told)).toEqual(["origin", "link"]);
    running.signal("SIGTERM");
    await running.ended;
  });

  it.each(
    sampleOf(
      [
        [
          ["--public", "https://dash.example.org"],
          "en_US.UTF-8",
          "open https://dash.example.org and enter",
          "Devices",
        ],
        [["--dashboard", "--pair"], "ko_KR.UTF-8", "다음 코드를 입력하세요", "‘기기’"],
      ] as const,
      1,
    ),
  )(
    "[W128] run %j serves a page that lets a device in, and says so in %s",
    async (flags, LANG, says, where) => {
      await using lab = openLab({ "TASKS.md": TASKS });
      const run = lab.start(["run", "--yes", ...flags], { env: { LANG } });
      let said = "";
      run.child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
      await run.seen(where);
      expect(said).toContain(says);
      const [origin, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      const code = /^ {2}([\dA-Z]{4}-[\dA-Z]{4})$/m.exec(said)?.[1];
      const headers = { host: `127.0.0.1:${port}`, "content-type": "application/json" };
      const paired = await through(origin!, "/api/pair", headers, JSON.stringify({ code, name: "phone" }));
      expect(paired.status).toBe(200);
      run.signal("SIGINT");
      await run.ended;
    },
  );

  it.each([
    "http://dash.example.org",
    "https://dash.example.org/path",
    "dash.example.org",
    "https://a:b@dash.example.org",
  ])("[W120] --public %s is refused", async address => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const refused = await lab.ask("dashboard", "--public", address);
    expect([refused.code, refused.stderr.includes("https address without a path")]).toEqual([2, true]);
  });
});

describe("espalier dashboard on whose page nobody could decide", () => {
  const TOLD = "decisions on this page are refused while no run goes on: only a person decides";

  it("[W153] says so when it begins, with why and what to do instead", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const within = lab.start(["dashboard"], { env: { CLAUDECODE: "1" } });
    await within.seen(
      `${TOLD}, and this was asked in the shell of an agent (CLAUDECODE is set); a person asks in a`,
    );
    within.signal("SIGTERM");
    expect((await within.ended).code).toBe(0);
  });

  it.each(["en", "ko"] as const)("[W153] advises nothing about a run that does not go on (%s)", locale => {
    const { hint } = deciderWords(locale);
    expect(hint({ kind: "unproven" }, true)).toContain("Ctrl+C");
    expect(hint({ kind: "unproven" }, false)).not.toContain("Ctrl+C");
    expect(hint({ kind: "lead" }, false)).toBe(hint({ kind: "lead" }, true));
  });
});
