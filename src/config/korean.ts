import type { z } from "zod";

/** What the schema says of values, in Korean, by the English sentence. */
const SENTENCES: Readonly<Record<string, string>> = {
  "expected something like 30s, 10m or 1h": "30s, 10m, 1h 같은 기간을 적으세요",
  "expected something like 64KB, 200MB or 1GB": "64KB, 200MB, 1GB 같은 크기를 적으세요",
  "expected a number from 1 to 1000: how many tasks may use it at once":
    "1에서 1000까지의 수, 곧 동시에 쓸 수 있는 태스크 수를 적으세요",
  "expected ask, allow-edits, deny, allow, or decisions such as { execute: allow } or { execute: [npm test*] } (edit, execute, fetch, other)":
    "ask, allow-edits, deny, allow, 또는 { execute: allow }나 { execute: [npm test*] } 같은 결정을 적으세요 (edit, execute, fetch, other)",
  "expected four characters or more besides *": "* 말고 네 글자 이상이어야 합니다",
  "expected the name of a variable": "변수 이름을 적으세요",
  "expected the name of a variable, or its beginning with *": "변수 이름이나 *로 끝나는 그 앞부분을 적으세요",
  'expected a number from 1 to 1000, or "any"': '1에서 1000까지의 수 또는 "any"를 적으세요',
  'expected a number from 1 to 1000, or "declared"': '1에서 1000까지의 수 또는 "declared"를 적으세요',
  'expected a path with {phase}, e.g. "../{project}-phase{phase}-{feature}"':
    '{phase}가 든 경로를 적으세요. 예: "../{project}-phase{phase}-{feature}"',
  'expected letters, digits, . _ / - and {phase}, e.g. "phase/{phase}-{feature}"':
    '글자, 숫자, . _ / -와 {phase}로 적으세요. 예: "phase/{phase}-{feature}"',
  "agent and command exclude each other": "agent와 command는 함께 쓸 수 없습니다",
  "begins or ends with a blank": "공백으로 시작하거나 끝납니다",
  "expected IP-001 to IP-010": "IP-001부터 IP-010까지 가운데 하나를 적으세요",
  "expected a name with TOKEN, KEY, SECRET or WEBHOOK in it: its value is masked by that":
    "TOKEN, KEY, SECRET, WEBHOOK 가운데 하나가 든 이름을 적으세요: 그래야 값을 가립니다",
  "expected a path inside the project": "프로젝트 안의 경로를 적으세요",
  "expected a path of the repository, with *, ? and ** for any of them, e.g. docs/changes/*.md":
    "저장소의 경로를 적으세요. *, ?, **를 쓸 수 있습니다. 예: docs/changes/*.md",
  "expected a place below the home, such as .config/my-agent":
    "홈 아래의 위치를 적으세요. 예: .config/my-agent",
  "expected names and values, such as { MODE: fast }, or a list of names that are handed on":
    "{ MODE: fast } 같은 이름과 값, 또는 전달할 이름의 목록을 적으세요",
  "holds an operator of the shell: the commands of a line are held against it one by one":
    "셸 연산자가 있습니다: 한 줄의 명령은 하나씩 견줍니다",
  "required: true needs an agent: or a command: that reviews":
    "required: true에는 검토할 agent: 또는 command:가 필요합니다",
};

const UNITS: Readonly<Record<string, string>> = { string: "자", array: "개", set: "개" };

/** What is wrong with a value, in Korean; what only English tells stays so. */
export function issueInKorean(issue: z.core.$ZodIssue): string {
  const told = SENTENCES[issue.message];
  if (told !== undefined) return told;
  switch (issue.code) {
    case "custom": {
      const { expected, found } = issue.params ?? {};
      const sentence = SENTENCES[String(expected)];
      return sentence === undefined ? issue.message : `${sentence}. 적힌 값: "${String(found)}"`;
    }
    case "too_big":
      return `${issue.maximum}${UNITS[issue.origin] ?? ""} 이하여야 합니다`;
    case "too_small":
      return issue.inclusive === false
        ? `${issue.minimum}보다 커야 합니다`
        : `${issue.minimum}${UNITS[issue.origin] ?? ""} 이상이어야 합니다`;
    case "invalid_value":
      return `${issue.values.map(String).join(", ")} 가운데 하나를 적으세요`;
    case "invalid_type":
    case "invalid_format":
    case "invalid_key":
    case "invalid_element":
    case "invalid_union":
    case "not_multiple_of":
    case "unrecognized_keys":
      return issue.message;
  }
}

/** What is said around it. */
export const KOREAN = {
  unknownKey: (key: string) => `모르는 키 "${key}"`,
  knownKeys: (keys: string) => `아는 키: ${keys}`,
  didYouMean: (key: string) => `혹시 "${key}"인가요?`,
  hint: "쓸 수 있는 값은 espalier help configuration에 있습니다",
} as const;
