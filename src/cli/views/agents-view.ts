import type { AgentAbilities, AgentProbe } from "../../ports/index.ts";
import { type Locale, reasonText, visible, withParticle } from "../../text/index.ts";

/** What is known about one agent of the project. */
export interface AgentFacts {
  readonly name: string;
  readonly title: string;
  /** `cli`: its own command line; `acp`: the Agent Client Protocol; `command`: any program; `shell`: a task's `run:`. */
  readonly driven: "cli" | "acp" | "command" | "shell";
  readonly probe: AgentProbe;
  readonly abilities?: AgentAbilities | undefined;
  /** Those of which only its work shows whether it has them; in `abilities` they are false. */
  readonly unseen?: readonly (keyof AgentAbilities)[] | undefined;
  /** How people get it. */
  readonly install?: string | undefined;
}

interface AgentWords {
  readonly login: Readonly<Record<NonNullable<AgentProbe["login"]>, string>>;
  readonly driven: Readonly<Record<AgentFacts["driven"], string>>;
  readonly ability: Readonly<Record<Exclude<keyof AgentAbilities, "resumesThere">, string>>;
  readonly unseen: string;
  readonly missing: string;
  readonly notUsable: string;
  readonly tooOld: (needs: string) => string;
  readonly auto: (name: string) => string;
  readonly noAuto: string;
}

const ENGLISH: AgentWords = {
  login: { in: "logged in", out: "not logged in", unseen: "no login seen", unknown: "" },
  driven: { cli: "its command line", acp: "ACP", command: "a command", shell: "run: blocks" },
  ability: {
    followUp: "follow-up",
    resume: "resume",
    usage: "usage",
    cost: "cost",
    budget: "budget cap",
    sandbox: "sandbox",
    asks: "asks permission",
    mcp: "MCP",
    hook: "updates in its turn",
  },
  unseen: "not known",
  missing: "Not installed:",
  notUsable: "not usable",
  tooOld: needs => `too old, needs ${needs}`,
  auto: name => `--agent auto takes ${name}.`,
  noAuto: "--agent auto finds none to take.",
};

const KOREAN: AgentWords = {
  login: { in: "로그인됨", out: "로그인 안 됨", unseen: "로그인 흔적 없음", unknown: "" },
  driven: { cli: "자체 명령줄", acp: "ACP", command: "명령", shell: "run: 블록" },
  ability: {
    followUp: "후속 메시지",
    resume: "재개",
    usage: "사용량",
    cost: "비용",
    budget: "예산 상한",
    sandbox: "샌드박스",
    asks: "권한 요청",
    mcp: "MCP",
    hook: "차례 중 업데이트",
  },
  unseen: "알 수 없음",
  missing: "설치되지 않음:",
  notUsable: "사용할 수 없음",
  tooOld: needs => `버전이 오래됨, ${needs} 이상 필요`,
  auto: name => `--agent auto는 ${withParticle(name, "을/를")} 선택합니다.`,
  noAuto: "--agent auto가 선택할 에이전트가 없습니다.",
};

/** The agents of a project as lines: those that are there, those that are not, and what `auto` would take. */
export function agentLines(
  agents: readonly AgentFacts[],
  auto: string | undefined,
  locale: Locale,
): readonly string[] {
  const words = locale === "ko" ? KOREAN : ENGLISH;
  const here = agents.filter(({ probe }) => probe.found);
  const missing = agents.filter(({ probe, install }) => !probe.found && install !== undefined);
  const broken = agents.filter(({ probe, install }) => !probe.found && install === undefined);
  const rows = here.map(({ name, title, driven, probe, abilities, unseen }) => [
    name,
    visible([title, probe.version ?? ""].join(" ").trim(), 60),
    [words.driven[driven], ageWords(probe, words), words.login[probe.login ?? "unknown"]]
      .filter(part => part !== "")
      .join(", "),
    abilityWords(abilities, unseen, words),
  ]);
  const widths = [0, 1, 2].map(column => Math.max(0, ...rows.map(row => (row[column] ?? "").length)));
  return [
    ...rows.map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    ),
    ...broken.map(({ name, probe: { reason, problem = "" } }) => {
      const why = reason === undefined ? problem : reasonText(reason, locale);
      return `${name}  ${words.notUsable}: ${visible(why, 300)}`;
    }),
    ...(missing.length === 0 ? [] : ["", words.missing]),
    ...missing.map(({ name, title, install }) => `  ${name.padEnd(12)}  ${title}: ${install}`),
    "",
    auto === undefined ? words.noAuto : words.auto(auto),
  ];
}

function ageWords({ needs }: AgentProbe, words: AgentWords): string {
  return needs === undefined ? "" : words.tooOld(needs);
}

function abilityWords(
  abilities: AgentFacts["abilities"],
  unseen: AgentFacts["unseen"],
  words: AgentWords,
): string {
  if (abilities === undefined) return "";
  const names = Object.keys(words.ability) as (keyof typeof words.ability)[];
  const told = (those: typeof names) => those.map(name => words.ability[name]).join(", ");
  const open = told(names.filter(name => unseen?.includes(name)));
  return [told(names.filter(name => abilities[name])), open === "" ? "" : `${words.unseen}: ${open}`]
    .filter(part => part !== "")
    .join("; ");
}
