import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { type Lab, openLab } from "../lab.ts";

interface Heard {
  readonly authorization: string | undefined;
  readonly body: {
    readonly text: string;
    readonly notices: readonly Record<string, unknown>[];
    readonly more: number;
  };
}

/** Somebody who listens at an address of this machine. */
async function listen(status = 204) {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      heard.push({ authorization: request.headers.authorization, body: JSON.parse(body) });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  return {
    heard,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/very-secret`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const FAILS = (ids: readonly string[]) =>
  `# Tasks: demo\n\n## Phase 1: work\n\n${ids.map(id => `### [ ] ${id}: fails\n- run: exit 3\n`).join("\n")}`;
const QUIET = "sameError: 1\nbackoff: { first: 1ms, max: 1ms }\ngit: { worktrees: off }\n";
const COMMAND = 'cat > "$PWD/told.txt"; printf "%s" "$ESPALIER_NOTICE" > "$PWD/told.json"';

function labOf(notify: string, ids = ["T1.1"]): Lab {
  return openLab({ "TASKS.md": FAILS(ids), "espalier.yaml": `${QUIET}notify: ${notify}\n` });
}

describe("notices of a run", () => {
  it("[HO50] go to an address and a command, which a person has approved, in one message at the end", async () => {
    await using hook = await listen();
    await using lab = labOf(
      `{ webhookEnv: TEAM_WEBHOOK, tokenEnv: TEAM_TOKEN, command: '${COMMAND}' }`,
      Array.from({ length: 12 }, (_, at) => `T1.${at + 1}`),
    );
    const env = { TEAM_WEBHOOK: hook.url, TEAM_TOKEN: "tok_0123456789abcdef" };
    const done = await lab.cli(["run", "--yes"], { env });
    expect(done.code).toBe(5);
    const told = hook.heard.map(({ body }) => body);
    expect(told.length).toBeLessThanOrEqual(2);
    expect(told.at(-1)?.notices[0]).toMatchObject({ kind: "run-ended", outcome: "waiting" });
    expect(hook.heard[0]?.authorization).toBe(`Bearer ${env.TEAM_TOKEN}`);
    expect(lab.read("told.txt")).toContain("⏸");
    expect(JSON.parse(lab.read("told.json"))).toMatchObject({ version: 2 });
    const kept = globSync("**/*", { cwd: lab.path(".espalier"), withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), "latin1"));
    expect(kept.length).toBeGreaterThan(3);
    const said = [done.stdout, done.stderr, ...kept].join("\n");
    expect(said).not.toContain("very-secret");
    expect(said).not.toContain(env.TEAM_TOKEN);
  });

  it("[HO53] name what is to be approved by its variables, and nothing is told before", async () => {
    await using hook = await listen();
    await using lab = labOf("{ webhookEnv: TEAM_WEBHOOK, tokenEnv: TEAM_TOKEN }");
    const env = { TEAM_WEBHOOK: hook.url, TEAM_TOKEN: "tok_0123456789abcdef" };
    const done = await lab.cli(["run"], { env });
    expect([done.code, hook.heard.length]).toEqual([5, 0]);
    expect(done.stderr).toContain(
      "tell the address in TEAM_WEBHOOK what happens with the token in TEAM_TOKEN",
    );
    expect(done.stderr).not.toContain("very-secret");
  });

  it("[HO50] say that something waits to be approved, to whom was approved before", async () => {
    await using hook = await listen();
    await using lab = labOf(`{ webhook: '${hook.url}' }`);
    await lab.ask("notify", "test", "--yes");
    const done = await lab.cli(["run"]);
    expect(done.code).toBe(5);
    expect(hook.heard.map(({ body }) => body.notices[0])).toMatchObject([
      { kind: "test" },
      { kind: "approval", wanted: 1, command: "espalier run" },
    ]);
  });

  itWhole("[HO52] that do not arrive are one warning without the address, and the run goes on", async () => {
    await using hook = await listen(404);
    await using lab = labOf("{ webhookEnv: TEAM_WEBHOOK }");
    const done = await lab.cli(["run", "--yes"], { env: { TEAM_WEBHOOK: hook.url } });
    expect(done.code).toBe(5);
    const said = done.stdout + done.stderr;
    expect(said.split("NOT_TOLD")).toHaveLength(2);
    expect(said).not.toContain("very-secret");
  });

  it("[HO81] that do not arrive are told in the person's language, why as well", async () => {
    await using hook = await listen(302);
    await using lab = labOf(`{ webhook: '${hook.url}' }`);
    const { host } = new URL(hook.url);
    const told = await lab.ask("notify", "test", "--yes", "--locale", "ko");
    expect(told.stdout).toBe(`webhook: 알림 전송 실패, ${host}: 다른 주소로 넘깁니다\n`);
    expect((await lab.ask("notify", "test")).stdout).toBe(
      `webhook: not told, ${host}: it redirects elsewhere\n`,
    );
    await using failing = labOf("{ command: 'echo no room >&2; exit 3' }");
    const korean = await failing.ask("notify", "test", "--yes", "--locale", "ko");
    expect(korean.stdout).toBe("command: 알림 전송 실패, notify.command 종료 코드 3: no room\n");
    lab.write("espalier.yaml", `locale: ko\n${lab.read("espalier.yaml")}`);
    const done = await lab.cli(["run", "--yes"]);
    expect(done.stdout + done.stderr).toContain(`알리지 못함 (${host}: 다른 주소로 넘깁니다)`);
  });
});

describe("espalier notify test", () => {
  it("[HO54] tells everybody and what came of it", async () => {
    await using hook = await listen();
    await using lab = labOf(`{ webhook: '${hook.url}', command: 'exit 7' }`);
    const asked = await lab.ask("notify", "test", "--yes");
    expect([asked.code, asked.stdout]).toEqual([
      6,
      "webhook: told\ncommand: not told, notify.command exit 7\n",
    ]);
    expect(hook.heard).toMatchObject([{ body: { notices: [{ kind: "test" }] } }]);
    const json = await lab.ask("notify", "test", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      notifiers: [{ name: "webhook", told: true }, { told: false }],
    });
  });

  it("[HO54] needs somebody to tell, and a variable that is set", async () => {
    await using nobody = labOf("{}");
    const none = await nobody.ask("notify", "test");
    expect([none.code, none.stderr.split("\n")[0]]).toEqual([2, "NOBODY_TOLD: nobody would be told"]);
    await using lab = labOf("{ webhookEnv: TEAM_WEBHOOK }");
    const unset = await lab.ask("notify", "test", "--yes");
    expect([unset.code, unset.stdout]).toEqual([6, "webhook: not told, TEAM_WEBHOOK is not set\n"]);
  });

  it("[HO53] a variable that would not be masked is refused", async () => {
    await using lab = labOf("{ webhookEnv: ADDRESS }");
    const refused = await lab.ask("plan");
    expect(refused.stderr).toContain("expected a name with TOKEN, KEY, SECRET or WEBHOOK in it");
  });
});
