import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { sampleOf } from "../../sample.ts";
import { openLab } from "../lab.ts";

const PUPPET = fileURLToPath(new URL("../../adapters/agents/acp-puppet.ts", import.meta.url));

it.each(
  sampleOf(
    [
      [
        "en",
        "",
        "p: Authentication required (of your environment p is not given OTHER_TOKEN, VENDOR_API_KEY: agents.p.env names",
      ],
      ["ko", "", "p: Authentication required (환경 변수 OTHER_TOKEN, VENDOR_API_KEY: p에 넘기지 않음;"],
      [
        "en",
        "VENDOR_API_KEY",
        "p: Authentication required (of your environment p is not given OTHER_TOKEN: agents.p.env names",
      ],
    ],
    0,
    1,
  ),
)(
  "[AC22] an agent without a login is told with the keys it was not given: %s %s",
  async (locale, given, said) => {
    const acp = JSON.stringify(`${process.execPath} ${PUPPET} auth notes.txt`);
    await using lab = openLab({
      "TASKS.md": "# Asked\n## Phase 1: Ask\n### [ ] T1.1: Make it\n",
      "espalier.yaml": `locale: ${locale}\nagent: p\nagents: { p: { acp: ${acp}, env: [${given}] } }\n`,
    });
    const run = lab.start(["run", "--yes"], { env: { VENDOR_API_KEY: "one", OTHER_TOKEN: "two" } });
    const { code, stdout } = await run.ended;
    expect(code).toBe(5);
    expect(stdout).toContain(`[PAUSED] T1.1: ${said}`);
    expect(stdout).not.toMatch(/=one|=two/);
  },
);
