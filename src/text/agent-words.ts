import type { RunEvent } from "../ports/index.ts";
import { visible } from "./visible.ts";

type Found = Extract<RunEvent, { type: "agent-found" }>;

/** Characters of permissions that are shown: they may list many patterns. */
const MOST = 300;

/** An agent that is about to work, in English: which, what shows of its login, and by what it works. */
export function agentEnglish({ agent, version, login, terms }: Found): string {
  const { model, effort, permissions = "", jailed } = terms ?? {};
  const logins = { in: "logged in", out: "not logged in", unseen: "no login seen", unknown: "" };
  const parts = [
    logins[login],
    model === undefined ? "" : `model ${visible(model, 100)}`,
    effort === undefined ? "" : `effort ${visible(effort, 100)}`,
    permissions === "" ? "" : `permissions ${visible(permissions, MOST)}`,
    jailed === undefined ? "" : jailed ? "in the jail" : "no jail",
  ];
  return `${named(agent, version)}: ${parts.filter(Boolean).join(", ") || "a command line"}`;
}

/** The same in Korean. */
export function agentKorean({ agent, version, login, terms }: Found): string {
  const { model, effort, permissions = "", jailed } = terms ?? {};
  const logins = { in: "로그인됨", out: "로그인 안 됨", unseen: "로그인 흔적 없음", unknown: "" };
  const parts = [
    logins[login],
    model === undefined ? "" : `모델 ${visible(model, 100)}`,
    effort === undefined ? "" : `추론 강도 ${visible(effort, 100)}`,
    permissions === "" ? "" : `권한 ${visible(permissions, MOST)}`,
    jailed === undefined ? "" : jailed ? "격리됨" : "격리 없음",
  ];
  return `${named(agent, version)}: ${parts.filter(Boolean).join(", ") || "명령줄"}`;
}

function named(agent: string, version: string | undefined): string {
  return [visible(agent, 100), visible(version ?? "", 60)].filter(Boolean).join(" ");
}
