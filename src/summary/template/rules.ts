import type { Locale } from "../../text/index.ts";
import type { SummaryLevel } from "../types.ts";

/** How one level looks and how large it may be. */
export interface LevelRule {
  /** Text with `{placeholders}`; a line whose placeholders all lack a value is left out. */
  readonly format: string;
  /** Tokens it never exceeds. */
  readonly tokens: number;
}

export type LevelRules = Readonly<Record<SummaryLevel, LevelRule>>;

const KOREAN: LevelRules = {
  1: {
    format: `## Agent {id} 요약 (상세)

**최종 결정**: {decision}
**T-Score**: {t_score}
**신뢰도**: {confidence}/100

### 핵심 근거
1. {reason_1}
2. {reason_2}
3. {reason_3}

### 주요 대안
- {alternative_1} (T={t1})
- {alternative_2} (T={t2})

### Self-Critique 요점
- 강점: {strength}
- 약점: {weakness}
- 개선: {improvement}

### 후속 에이전트 권고
- {next_agent}: {reason}
`,
    tokens: 3000,
  },
  2: {
    format: `## Agent {id} 요약

**결정**: {decision} (T={t_score}, 신뢰도={confidence})
**근거**: {key_reasons}
**대안**: {alternatives}
**후속**: {next_agents}
`,
    tokens: 1000,
  },
  3: { format: "[{id}] {decision} | T={t_score} | {confidence}/100", tokens: 300 },
};

const ENGLISH: LevelRules = {
  1: {
    format: `## Agent {id}, detailed summary

**Final decision**: {decision}
**T-Score**: {t_score}
**Confidence**: {confidence}/100

### Key reasons
1. {reason_1}
2. {reason_2}
3. {reason_3}

### Alternatives
- {alternative_1} (T={t1})
- {alternative_2} (T={t2})

### Self-critique
- Strengths: {strength}
- Weaknesses: {weakness}
- Improvements: {improvement}

### Next agents
- {next_agent}: {reason}
`,
    tokens: 3000,
  },
  2: {
    format: `## Agent {id}, summary

**Decision**: {decision} (T={t_score}, confidence={confidence})
**Reasons**: {key_reasons}
**Alternatives**: {alternatives}
**Next**: {next_agents}
`,
    tokens: 1000,
  },
  3: KOREAN[3],
};

/** Templates of a configuration, by the document's names: `level_1_detailed: {format, target_tokens}`. */
export type ConfiguredTemplates = Readonly<
  Record<string, { readonly format: string; readonly target_tokens?: number | undefined }>
>;

/** The level that a configured template is of, by its name; undefined for none. */
export function templateLevel(name: string): SummaryLevel | undefined {
  const level = /^level_([123])(?:_|$)/.exec(name)?.[1];
  return level === undefined ? undefined : (Number(level) as SummaryLevel);
}

/** Rules with what a configuration puts in their place; names that mean no level are left alone. */
export function configuredRules(rules: LevelRules, templates: ConfiguredTemplates): LevelRules {
  const changed: Partial<Record<SummaryLevel, LevelRule>> = {};
  for (const [name, { format, target_tokens }] of Object.entries(templates)) {
    const own = templateLevel(name);
    if (own === undefined) continue;
    changed[own] = { format, tokens: target_tokens ?? rules[own].tokens };
  }
  return { ...rules, ...changed };
}

/** The document's templates and ceilings, in a language. */
export function defaultRules(locale: Locale): LevelRules {
  return locale === "ko" ? KOREAN : ENGLISH;
}
