import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agentEnv,
  attemptEnv,
  attemptMarker,
  instanceMarker,
  markedEnv,
} from "../../src/adapters/process/index.ts";

const ALWAYS = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "TERM",
  "TMPDIR",
  "TZ",
  "LC_ALL",
  "XDG_RUNTIME_DIR",
];
const SECRETS = [
  "AWS_SECRET_ACCESS_KEY",
  "GITHUB_TOKEN",
  "SLACK_WEBHOOK_URL",
  "NODE_OPTIONS",
  "LD_PRELOAD",
  "BASH_ENV",
];

describe("the environment of an agent", () => {
  it("holds what every program needs and nothing else", () => {
    const base = Object.fromEntries(
      [...ALWAYS, ...SECRETS, "PATHX", "XPATH", "path", "LC", "XDG"].map(name => [name, "v"]),
    );
    expect(Object.keys(agentEnv(base)).sort()).toEqual([...ALWAYS].sort());
  });

  it("adds names and prefixes the config allows, exactly those", () => {
    const base = {
      ANTHROPIC_API_KEY: "a",
      ANTHROPIC_BASE: "b",
      ANTHROPI: "c",
      OPENAI_API_KEY: "d",
      OPENAI_API_KEY2: "e",
    };
    expect({ ...agentEnv(base, ["ANTHROPIC_*", "OPENAI_API_KEY"]) }).toEqual({
      ANTHROPIC_API_KEY: "a",
      ANTHROPIC_BASE: "b",
      OPENAI_API_KEY: "d",
    });
  });

  it("never opens everything", () => {
    expect({ ...agentEnv({ SECRET: "s" }, ["*", "", "**"]) }).toEqual({});
  });

  it("never hands on the marks of a run that surrounds this one", () => {
    const base = { ESPALIER_INSTANCE: "outer", ESPALIER_ATTEMPT: "t", ESPALIER_X: "y" };
    expect({ ...agentEnv(base, ["ESPALIER_*", "ESPALIER_ATTEMPT"]) }).toEqual({});
  });

  it("leaves out what is not set and keeps odd names and empty values", () => {
    expect({ ...agentEnv({ PATH: undefined, LC_X: "", constructor: "c" }, ["constructor"]) }).toEqual({
      LC_X: "",
      constructor: "c",
    });
    const env = agentEnv(JSON.parse('{"__proto__": "polluted"}'), ["__proto__"]);
    expect(Object.keys(env)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("is a part of the base, the same for every order, and stable when applied twice", () => {
    const name = fc.oneof(fc.constantFrom(...ALWAYS, ...SECRETS), fc.stringMatching(/^[A-Z_]{1,12}$/));
    const base = fc.dictionary(name, fc.string());
    const allow = fc.array(
      fc.oneof(
        name,
        name.map(each => `${each.slice(0, 4)}*`),
      ),
    );
    fc.assert(
      fc.property(base, allow, (variables, allowed) => {
        const env = agentEnv(variables, allowed);
        for (const [key, value] of Object.entries(env)) {
          expect(variables[key]).toBe(value);
          expect(
            ALWAYS.slice(0, 9).includes(key) ||
              key.startsWith("LC_") ||
              key.startsWith("XDG_") ||
              allowed.some(each => each === key || (each.endsWith("*") && key.startsWith(each.slice(0, -1)))),
          ).toBe(true);
        }
        expect({ ...agentEnv(env, allowed) }).toEqual({ ...env });
        expect({ ...agentEnv(variables, [...allowed].reverse()) }).toEqual({ ...env });
      }),
    );
  });
});

describe("the marks of an attempt", () => {
  it("win over what the environment says and change nothing else", () => {
    const env = { PATH: "/bin", ESPALIER_TASK: "forged", ESPALIER_ATTEMPT: "forged" };
    expect({ ...markedEnv(env, { task: "T1", token: "tok", instance: "ins" }) }).toEqual({
      PATH: "/bin",
      ESPALIER_TASK: "T1",
      ESPALIER_ATTEMPT: "tok",
      ESPALIER_INSTANCE: "ins",
    });
    expect(env.ESPALIER_TASK).toBe("forged");
  });

  it("keep an instance that is already there when nobody watches", () => {
    const env = markedEnv({ ESPALIER_INSTANCE: "given" }, { task: "T1", token: "t", instance: undefined });
    expect(env["ESPALIER_INSTANCE"]).toBe("given");
    expect("ESPALIER_INSTANCE" in markedEnv({}, { task: "T1", token: "t", instance: undefined })).toBe(false);
  });

  it("come with a git that waits for the disk, behind the settings that are there", () => {
    const marks = { task: "T1", token: "tok", instance: undefined };
    const theirs = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "a.b", GIT_CONFIG_VALUE_0: "c" };
    expect(attemptEnv(theirs, marks)).toMatchObject({
      GIT_CONFIG_KEY_0: "a.b",
      GIT_CONFIG_VALUE_0: "c",
      GIT_CONFIG_KEY_1: "core.fsync",
      GIT_CONFIG_COUNT: "3",
    });
    expect(attemptEnv({ GIT_CONFIG_COUNT: "many" }, marks)).toMatchObject({
      GIT_CONFIG_KEY_0: "core.fsync",
      GIT_CONFIG_COUNT: "2",
    });
  });

  it("are looked for under the same names", () => {
    const env = markedEnv({}, { task: "T1", token: "tok=1", instance: "ins" });
    const entries = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    expect(entries).toContain(attemptMarker("tok=1"));
    expect(entries).toContain(instanceMarker("ins"));
  });
});
