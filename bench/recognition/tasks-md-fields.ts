import type { Random } from "./random.ts";
import type { Meant } from "./tasks-md-plan.ts";

/** How a file writes its fields; drawn once per file. */
export interface FieldStyle {
  readonly korean: boolean;
  readonly depends: string;
  readonly specialist: string;
  /** Dresses fields as lines. */
  readonly write: (fields: readonly (readonly [name: string, value: string])[]) => string[];
  /** Dresses the name of a role. */
  readonly role: (name: string) => [spelled: string, value: string];
  /** Puts remarks, brackets or markup on a list of ids. */
  readonly dress: (spelled: string, ids: readonly string[]) => string;
  /** Ways of saying that nothing is waited for. */
  readonly none: (other: string) => string;
}

const FORMS = {
  "bold, colon outside": (name, value) => `- **${name}**: ${value}`,
  "bold, colon inside": (name, value) => `- **${name}:** ${value}`,
  plain: (name, value) => `- ${name}: ${value}`,
  "bold, wide colon": (name, value) => `- **${name}**：${value}`,
  "star bullet": (name, value) => `* **${name}**: ${value}`,
  "no bullet": (name, value) => `**${name}**: ${value}`,
} as const satisfies Record<string, (name: string, value: string) => string>;

/** Draws a style; its spellings go to `tags`. */
export function drawFieldStyle(random: Random, tags: Set<string>): FieldStyle {
  const draw = (aspect: string, usual: readonly string[], unseen: readonly string[]): string => {
    const daring = random.dare(0.2);
    const value = random.pick(daring ? unseen : usual);
    tags.add(`${daring ? "beyond:" : ""}${aspect}:${value}`);
    return value;
  };
  const korean = random.chance(0.6);
  const common = "bold, colon outside";
  const form = draw(
    "form",
    [common, common, common, ...Object.keys(FORMS)],
    ["blank before colon", "quoted", "all on one line", "table"],
  );
  const depends = korean
    ? draw("depends", ["의존성", "의존", "depends_on"], ["선행 태스크", "선행", "의존 태스크"])
    : draw(
        "depends",
        ["Depends", "Depends on", "depends_on", "depends", "Blocked-by", "deps"],
        ["Dependencies", "Blocked by", "blocked_by", "Prerequisites"],
      );
  const specialist = korean
    ? draw("specialist", ["담당"], ["담당자", "담당 에이전트"])
    : draw("specialist", ["Specialist", "specialist", "owner", "Owner"], ["Role", "Assignee", "Assigned to"]);
  const list = draw("list", ["bare", "bare", "bare", "brackets", "code", "bold"], ["and"]);
  const roleForm = draw("role", ["bare", "bare", "bare", "code", "remark", "bold"], ["at"]);

  return {
    korean,
    depends,
    specialist,
    write: said => writeFields(said, form),
    role: name => [dressRole(name, roleForm, korean), name],
    dress: (spelled, ids) =>
      spelled === ids.join(", ")
        ? dressList(random, ids, list, korean, tags)
        : remark(random, spelled, korean, tags),
    none: other => {
      const [tag, value] = random.pick(noneForms(korean, other));
      tags.add(`none:${tag}`);
      return value;
    },
  };
}

function writeFields(said: readonly (readonly [name: string, value: string])[], form: string): string[] {
  if (said.length === 0) return [];
  if (form === "all on one line")
    return [`- ${said.map(([name, value]) => `**${name}**: ${value}`).join(" | ")}`];
  if (form === "table")
    return [
      "",
      "| 항목 | 값 |",
      "|------|----|",
      ...said.map(([name, value]) => `| ${name} | ${value} |`),
      "",
    ];
  const write =
    form in FORMS
      ? FORMS[form as keyof typeof FORMS]
      : form === "quoted"
        ? (name: string, value: string) => `> **${name}**: ${value}`
        : (name: string, value: string) => `- **${name}** : ${value}`;
  return said.map(([name, value]) => write(name, value));
}

function dressRole(name: string, form: string, korean: boolean): string {
  if (form === "code") return `\`${name}\``;
  if (form === "bold") return `**${name}**`;
  if (form === "at") return `@${name}`;
  return form === "remark" ? `${name} (${korean ? "리뷰: 테스트 담당" : "pairs with QA"})` : name;
}

function dressList(
  random: Random,
  ids: readonly string[],
  form: string,
  korean: boolean,
  tags: Set<string>,
): string {
  if (form === "brackets") return `[${ids.join(", ")}]`;
  if (form === "code") return ids.map(id => `\`${id}\``).join(", ");
  if (form === "bold") return ids.map(id => `**${id}**`).join(", ");
  if (form === "and") return ids.join(korean ? " + " : " and ");
  if (random.chance(0.2)) {
    tags.add("deps:remark-each");
    return ids.map(id => `${id} (${korean ? "사용자 API" : "user API"})`).join(", ");
  }
  return remark(random, ids.join(", "), korean, tags);
}

function remark(random: Random, spelled: string, korean: boolean, tags: Set<string>): string {
  if (random.chance(0.12)) {
    tags.add("deps:remark-after");
    return `${spelled} ${korean ? "(스키마) - **Mock 사용 가능**" : "(schema) - **mock until ready**"}`;
  }
  if (korean && random.chance(0.08)) {
    tags.add("deps:완료 후");
    return `${spelled} 완료 후`;
  }
  return spelled;
}

function noneForms(korean: boolean, other: string): [tag: string, value: string][] {
  const shared: [string, string][] = [
    ["dash", "-"],
    ["brackets", "[]"],
  ];
  return korean
    ? [
        ["없음", "없음"],
        ["없음", "없음"],
        ["없음, other id", `없음 (${other}과 병렬 가능)`],
        ["없음, remark", "없음 (첫 태스크)"],
        ...shared,
      ]
    : [
        ["none", "none"],
        ["None", "None"],
        ["none, other id", `none (parallel with ${other})`],
        ["N/A", "N/A"],
        ...shared,
      ];
}

/** Lines of a task that are no fields of interest, traps among them: each looks like something it is not. */
export function bodyLines(random: Random, korean: boolean, other: Meant, tags: Set<string>): string[] {
  const lines: string[] = [];
  if (random.chance(0.3))
    lines.push(korean ? "- **TDD**: RED → GREEN → REFACTOR" : "- **TDD**: RED → GREEN → REFACTOR");
  if (random.chance(0.3)) lines.push("- **Worktree**: `worktree/phase-1-core`");
  if (random.chance(0.3))
    lines.push(
      korean ? "- **파일**: `tests/a.test.ts` → `src/a.ts`" : "- **Files**: `tests/a.test.ts` → `src/a.ts`",
    );
  if (random.chance(0.15)) {
    tags.add("trap:dependency-word");
    lines.push(korean ? "- **세부**:" : "- **Details**:");
    lines.push(korean ? "  - npm 의존성 설치: express, zod" : "  - Install dependencies: express, zod");
    lines.push(
      korean ? "  - 담당 화면: 로그인, 회원가입" : "  - Owner of the record: the account that made it",
    );
  }
  if (random.chance(0.12)) {
    tags.add("trap:other-id");
    lines.push(
      korean
        ? `- **참고**: ${other.id}에서 만든 스키마 사용`
        : `- **Note**: uses the schema made in ${other.id}`,
    );
  }
  if (random.chance(0.08)) {
    tags.add("trap:fence");
    lines.push(
      "- **예시**:",
      "  ```markdown",
      "  ### [ ] T9.9: not a task",
      "  - **의존성**: T9.8",
      "  - [ ] nor this",
      "  ```",
    );
  }
  if (random.chance(0.06)) {
    tags.add("trap:table");
    lines.push("- **시나리오**:", "  | When | Then |", "  |------|------|", "  | load | [x] shown |");
  }
  if (random.dare(0.05)) {
    tags.add("beyond:html-comment");
    lines.push("<!--", "### [ ] T9.7: dropped", "- **의존성**: T9.6", "-->");
  }
  return lines;
}

/** Acceptance criteria: boxes that are not tasks, below a field or, `direct`, right below the heading. */
export function criteria(
  random: Random,
  korean: boolean,
  states: readonly boolean[],
  direct: boolean,
): string[] {
  const texts = korean
    ? ["`npm test` 통과", "빈 파일 처리", "응답 500ms 이내", "Field Coverage: users.[id, name] 존재"]
    : [
        "`npm test` passes",
        "empty file handled",
        "answers within 500 ms",
        "Field Coverage: users.[id, name] present",
      ];
  const head = korean
    ? random.pick(["- **완료 조건**:", "- **검증 항목**:", "- **인수 조건**:"])
    : random.pick(["- **Acceptance**:", "- **Done when**:"]);
  const boxes = states.map((state, k) => `- [${state ? "x" : " "}] ${texts[k % texts.length]}`);
  return direct ? boxes : [head, ...boxes.map(box => `  ${box}`)];
}
