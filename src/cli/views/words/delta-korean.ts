import { notCarriedOut, notMade } from "../../../delta/index.ts";
import { toldText, withParticle } from "../../../text/index.ts";
import type { DeltaWords } from "./delta-words.ts";

/** What the delta commands say, in Korean. */
export const KOREAN_DELTA: DeltaWords = {
  exact: (from, to, hash) => `정확함: ${from} → ${to} ${hash}`,
  places: count => `${count}곳`,
  lines: (added, removed) => `추가 ${added}줄, 삭제 ${removed}줄`,
  changedLines: (added, removed) => `+${added} −${removed}줄`,
  tokensFor: (message, document) => `문서 ${document} 토큰에 메시지 ${message} 토큰`,
  instead: (message, document) => `${document} 토큰 대신 ${message} 토큰`,
  unproven: name => `${name}에 결과 해시가 없습니다: 모든 작업은 찾았지만 결과는 증명되지 않습니다`,
  appliesExactly: "정확히 적용됨",
  appliesUnproven: "적용됨, 증명 없음",
  line: number => `${number}번째 줄`,
  category: { structural: "구조", value: "값", artifact: "산출물", progress: "진행" },

  doesNotApply: (name, why) =>
    `${withParticle(name, "을/를")} 적용할 수 없습니다, 아무것도 바뀌지 않았습니다: ${why}`,
  why: failure => toldText(notCarriedOut(failure), "ko"),
  expectedFound: (expected, found) => `기대 ${expected}, 실제 ${found}`,
  theMessage: versions => `메시지: ${versions}`,
  advice: {
    base: "메시지가 말하는 버전의 문서를 주세요",
    result: "메시지를 다시 받거나 전체 문서를 받으세요",
    prose: "전체 문서를 요청하세요",
    "needs-section": "섹션 내용이나 전체 문서를 요청하세요",
    "not-an-update": "메시지는 [CONTEXT-UPDATE] LABEL-v1→2 로 시작합니다",
  },
  notExact: (name, led, wanted, is) =>
    `${name}의 결과는 ${led}, ${withParticle(wanted, "은/는")} ${is}입니다`,
  notMade: failure => `메시지를 만들 수 없습니다: ${toldText(notMade(failure), "ko")}`,
  chain: (name, expected, found) => ({
    message: `${withParticle(name, "이/가")} 앞의 메시지와 이어지지 않습니다: 기대 ${expected}, 실제 ${found}`,
    hint: "만들어진 순서대로 메시지를 주세요",
  }),
  notUtf8: (name, offset) => ({
    message: `${name}: 올바른 UTF-8이 아닙니다`,
    hint: `첫 번째 잘못된 바이트의 위치: ${offset}`,
  }),
  twice: "표준 입력(-)은 한 번만 읽을 수 있습니다",
  standardInput: "표준 입력",

  columns: { step: "단계", form: "형식", sent: "보냄", full: "전체", saved: "절약" },
  sameVersions: path => `${path}: 버전 사이에 차이가 없습니다`,
  stepsExact: (exact, steps) => `${steps}단계 중 ${exact}단계 정확함`,
  share: (mean, median) => [`; 평균적으로 문서의 ${mean} %를 보냄`, ` (중앙값 ${median} %)`],
  sum: (sent, full, saved) =>
    `${full} 토큰 대신 ${sent} 토큰${saved === undefined ? "" : `: ${saved} % 절약`}`,
  plainDiff: (tokens, among, factor) =>
    `기준도 증명도 없는 git diff -U0: ${tokens} 토큰${among === undefined ? "" : ` (${among}단계)`}${factor === undefined ? "" : `, 우리는 ${factor} ×`}`,
  noPlainDiff: "git diff -U0: git이 없어 비교하지 않음",
  forms: list => `형식: ${list}`,
  progress: (seen, count) => `${count}개 버전 중 ${seen}개`,
  leftOutLarge: (commit, size, most) => `${commit} 제외: ${size}바이트, 최대 ${most}바이트까지 읽습니다`,
  leftOut: (commit, why) => `${commit} 제외: ${why}`,
  ofFolder: path => ({
    message: `${withParticle(path, "은/는")} 폴더입니다; --git은 파일 하나의 이력을 따라갑니다`,
    hint: "파일을 지정하세요; 0001.md, 0002.md, … 폴더에는 --git을 쓰지 마세요",
  }),
  emptyFolder: path => ({
    message: `${path}에 번호가 붙은 파일이 없습니다: 0001.md, 0002.md, …`,
    hint: "파일의 git 이력은 그 파일을 지정하세요",
  }),
  noFolder: "폴더가 없습니다",
  noGit: "git을 찾을 수 없습니다",
  noVersions: "git에 이 파일의 버전이 없습니다",
  noContent: (blob, commit) => `git에 ${blob}의 내용이 없습니다 (커밋 ${commit})`,
  historyHint: "git이 관리하는 파일이나 0001.md, 0002.md, … 폴더를 주세요",
};
