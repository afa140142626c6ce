import { GEMINI as DIALECT } from "../cli/gemini.ts";
import type { LoginSigns } from "../look.ts";
import type { PresetFacts } from "./facts.ts";

/** The first that knows `--skip-trust`. */
const OLDEST = "0.39.1";
const ENV = ["GEMINI_*", "GOOGLE_*"];
const KEEPS: PresetFacts["keeps"] = [".gemini", ".cache"];
const SIGNS: LoginSigns = {
  variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_APPLICATION_CREDENTIALS"],
  files: [".gemini/oauth_creds.json"],
  without: "unseen",
};

export const GEMINI: PresetFacts = {
  name: "gemini",
  title: "Gemini CLI",
  from: "@google/gemini-cli",
  oldest: OLDEST,
  env: ENV,
  keeps: KEEPS,
  signs: SIGNS,
  heeds: [".gemini"],
  how: { by: "cli", dialect: DIALECT },
};

export const GEMINI_ACP: PresetFacts = {
  name: "gemini-acp",
  title: "Gemini CLI over ACP",
  from: "@google/gemini-cli",
  oldest: OLDEST,
  env: ENV,
  keeps: KEEPS,
  signs: SIGNS,
  heeds: [".gemini"],
  how: {
    by: "acp",
    command: ["gemini", "--acp", "--skip-trust"],
    // It says that it loads sessions, and does not find those of an earlier process.
    abilities: { resume: false },
    titlesCommands: true,
    more: () => ({ rules: { GEMINI_CLI_TRUST_WORKSPACE: "false" } }),
  },
};
