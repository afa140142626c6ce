import type { ErrorCode } from "yaml";

interface Words {
  readonly message: string;
  readonly hint: string;
}

/** What is wrong in a YAML file, and what to do, in English and for readers of Korean. */
interface Said extends Words {
  readonly korean: Words;
}

function said(english: readonly [string, string], korean: readonly [string, string]): Said {
  const words = ([message, hint]: readonly [string, string]): Words => ({ message, hint });
  return { ...words(english), korean: words(korean) };
}

/** The errors of the parser that people meet, in words for who does not know YAML by heart. */
const WORDS: Partial<Record<ErrorCode, Said>> = {
  BLOCK_AS_IMPLICIT_KEY: said(
    [
      'a second ": " in one value, or a line that is indented as a part of the one before',
      'put a value that holds ": " in quotes, or on lines of its own below a "|"',
    ],
    [
      '값 하나에 ": "이 또 있거나, 앞줄의 일부처럼 들여 쓴 줄이 있습니다',
      '": "이 든 값은 따옴표로 감싸거나 "|" 아래 줄에 따로 적으세요',
    ],
  ),
  BAD_SCALAR_START: said(
    ["a value begins with a character that YAML keeps for itself (@, ` or %)", "put it in quotes"],
    ["값이 YAML의 예약 문자(@, `, %)로 시작합니다", "따옴표로 감싸세요"],
  ),
  TAB_AS_INDENT: said(
    ["a line is indented with a tab", "indent with blanks"],
    ["줄을 탭으로 들여 썼습니다", "빈칸으로 들여 쓰세요"],
  ),
  BAD_INDENT: said(
    [
      "a line stands too far left or right, or a bracket is not closed",
      "indent it as its neighbours, or close the bracket",
    ],
    [
      "줄의 들여쓰기가 맞지 않거나 괄호가 닫히지 않았습니다",
      "이웃한 줄에 맞추어 들여 쓰거나 괄호를 닫으세요",
    ],
  ),
  MISSING_CHAR: said(
    ["a quote or bracket is not closed, or a key has no colon behind it", "add what is missing"],
    ["따옴표나 괄호가 닫히지 않았거나 키 뒤에 콜론이 없습니다", "빠진 글자를 넣으세요"],
  ),
  MULTILINE_IMPLICIT_KEY: said(
    ["a key goes over several lines", "write it on one line, with a colon behind it"],
    ["키가 여러 줄에 걸쳐 있습니다", "한 줄에 적고 뒤에 콜론을 붙이세요"],
  ),
  BAD_DQ_ESCAPE: said(
    ["a backslash in double quotes that YAML has no meaning for", "use single quotes, or write it twice"],
    ["큰따옴표 안에 YAML이 모르는 역슬래시가 있습니다", "작은따옴표를 쓰거나 역슬래시를 두 번 적으세요"],
  ),
  DUPLICATE_KEY: said(
    ["a key stands here twice", "keep one of the two"],
    ["같은 키가 두 번 있습니다", "둘 중 하나만 남기세요"],
  ),
  MULTIPLE_DOCS: said(
    ["more than one YAML document", "take out the line ---"],
    ["YAML 문서가 둘 이상입니다", "--- 줄을 지우세요"],
  ),
};

/** An error of the parser in both languages; `sentence` is its own, for those that nobody should meet. */
export function yamlWords(code: ErrorCode, sentence: string): Said {
  const hint = "fix the YAML syntax";
  return WORDS[code] ?? said([sentence, hint], ["YAML 문법에 맞지 않습니다", "이 줄의 YAML 문법을 고치세요"]);
}

/** What is refused before a value is made of it. */
export const REFUSED = {
  long: said(
    ["longer than 256 KiB", "this is a configuration, not a data file"],
    ["256 KiB보다 깁니다", "설정 파일에는 데이터를 넣지 마세요"],
  ),
  deep: said(
    ["nested too deeply", "the configuration needs a few levels at most"],
    ["너무 깊이 겹쳐 있습니다", "설정에는 몇 단계면 충분합니다"],
  ),
  cut: said(
    [
      "a # behind a blank cuts this value in the middle of its quotes",
      'put the whole value in quotes, or on lines of its own below a "|"',
    ],
    [
      "빈칸 뒤의 #이 따옴표 가운데에서 이 값을 자릅니다",
      '값 전체를 따옴표로 감싸거나 "|" 아래 줄에 따로 적으세요',
    ],
  ),
  alias: said(
    ["YAML aliases are not allowed", "write the value out"],
    ["YAML 별칭은 쓸 수 없습니다", "값을 그대로 적으세요"],
  ),
} as const;
