import { withParticle } from "../../../text/index.ts";
import type { ContextWords } from "./context-words.ts";

/** What the commands of the shared context say, in Korean. */
export const KOREAN_CONTEXT: ContextWords = {
  standing: {
    ended: "종료",
    unanswering: "응답 불가",
    new: "신규",
    lost: "컨텍스트 상실",
    stale: "응답 없음",
    updating: "갱신 중",
    behind: "뒤처짐",
    current: "최신",
  },
  published: (version, hash, by) => `${version} ${hash}, 출처 ${by}`,
  merged: (base, show) => `v${base} 이후 다른 게시 내용과 병합됨; 전체 내용: ${show}`,
  unchanged: version => `변경 없음, 그대로 ${version}`,
  unchangedSince: (since, current, number) =>
    `v${since} 이후 변경 없음: 그 뒤 다른 게시자가 쓴 ${withParticle(current, "을/를")} 그대로 둡니다 (되돌리려면: --base ${number})`,
  tellNow: names => `영향을 받는 팀원: ${names}`,
  tellLater: names => `다음 태스크에서 알게 될 팀원: ${names}`,
  bring: command => `전달: ${command}`,
  toldByRun: names => `실행이 다음 도구 호출 때나 차례가 끝날 때 전달합니다: ${names}`,
  withTask: teammate => `${teammate}에게 태스크도 함께 전달하세요`,
  goesOn: teammate => `${teammate} 계속 진행`,
  answer: command => `응답은 여기로: ${command}`,
  watching: file => `${file} 감시 중; Ctrl+C로 종료`,
  nobody: "아직 팀원이 없습니다",
  nothing: "아직 게시된 문서가 없습니다",
  columns: {
    label: "라벨",
    teammate: "팀원",
    standing: "상태",
    holds: "보유",
    proof: "증명",
    current: "최신",
    onItsWay: "전송 중",
    tokens: "보낸 토큰",
  },
  proof: { hash: "해시", read: "읽음", word: "말", none: "없음" },
  holds: (version, proof, since) => `${since}부터 ${version} 보유 (${proof})`,
  holdsNothing: "아직 증명한 것이 없음",
  sent: (messages, tokens, last) => `메시지 ${messages}개에 ${tokens} 토큰, 마지막 ${last} 토큰`,
  since: (version, hash, by, at) => `${version} ${hash}, ${by} 게시, ${at}`,
  waits: (version, why) => `${version} 대기: ${why}`,
  why: {
    paused: ({ resume }) => `사용자 확인 요청 중; 답한 뒤: ${resume}`,
    unanswered: ({ sentAt, serial }) => `${sentAt}에 전송(#${serial}), 아직 응답 없음`,
    gate: ({ gate }) => `게이트 ${gate} 진행 중; 끝난 뒤 전송`,
    silent: ({ times }) => `메시지 ${times}개에 응답 없음; 소식이 있으면 전송`,
    begins: ({ isAtWork, update }) => (isAtWork ? "첫 메시지로 전달" : `방금 시작함; 전달: ${update}`),
    lost: ({ update }) => `컨텍스트를 잃음; 다음 메시지에 전체 문서를 보내며, 직접 받으려면 ${update}`,
    fetches: ({ isAtWork, update }) =>
      isAtWork ? "다음 도구 호출 때나 차례가 끝날 때 전달" : `전달: ${update}`,
    unconcerned: () => "이 팀원과 관련이 없음; 다음 태스크와 함께 전달",
  },
  paused: "사용자 확인 요청",
  removed: "(삭제됨)",

  noContext: {
    message: "이 프로젝트에는 아직 게시된 문서가 없습니다",
    hint: "첫 버전 게시: espalier context publish GC FILE",
  },
  unknownLabel: (label, known, guess) => ({
    message: `${withParticle(label, "이/")}라는 문서가 없습니다`,
    hint:
      known === ""
        ? "첫 버전 게시: espalier context publish LABEL FILE"
        : `문서: ${known}${guess === undefined ? "" : `; 혹시 ${guess}?`}`,
  }),
  badLabel: label => ({
    message: `${withParticle(label, "은/는")} 문서 이름으로 쓸 수 없습니다`,
    hint: "라벨은 1~64자의 문자, 숫자, _, ., - 이며 문자, 숫자, _ 로 시작합니다",
  }),
  unknownTeammate: (teammate, known) => ({
    message: `${withParticle(teammate, "은/는")} 팀에 없습니다`,
    hint: known === "" ? "첫 팀원 추가: espalier context update LABEL --to NAME" : `팀원: ${known}`,
  }),
  whose: candidates => ({
    message: "누가 한 말인지 알 수 없습니다",
    hint:
      candidates === ""
        ? "팀원이 없습니다"
        : `팀원을 지정하세요: espalier context ack NAME; 팀원: ${candidates}`,
  }),
  noWords: {
    message: "리드에게 하는 말이 없습니다",
    hint: "예: [ACK-UPDATE] GC-v4 received. Items: 3/3. Impact: NONE. Action: CONTINUE",
  },
  noFile: label => ({
    message: `${withParticle(label, "을/를")} 어느 파일에서 게시하는지 알 수 없습니다`,
    hint: `espalier context publish ${label} FILE`,
  }),
  noVersion: (label, version, newest) => ({
    message: `${label}-v${withParticle(version, "이/가")} 없습니다; 최신은 ${label}-v${newest}입니다`,
    hint: `espalier context show ${label}`,
  }),
  noSuchName: (name, names) => ({
    message: `${withParticle(name, "이/")}라는 문서나 태스크가 없습니다`,
    hint: names,
  }),
  noResult: task => ({
    message: `${withParticle(task, "은/는")} 아직 답변을 남기지 않았습니다`,
    hint: `espalier task show ${withParticle(task, "으로/로")} 상태를 확인하세요`,
  }),
  notKept: (label, version) => ({
    message: `${label}-v${version}의 내용은 더 이상 보관되지 않습니다`,
    hint: "보관 개수는 espalier.yaml의 context.keepVersions; 팀원이 보유한 버전은 따로 보관됩니다",
  }),
  clash: (label, base, current) => ({
    message: `v${base} 이후 ${label}-v${withParticle(current, "과/와")} 게시하려는 문서가 같은 섹션을 바꿨습니다; 게시되지 않았습니다`,
    hint: `${label}-v${current} 위에서 둘을 합친 뒤 --base ${withParticle(current, "으로/로")} 게시하세요`,
  }),
  unknownBase: (label, base) => ({
    message: `${label}-v${base}의 내용이 보관되지 않아 병합할 수 없습니다`,
    hint: `최신 버전에서 시작하세요: espalier context show ${label}`,
  }),
  notUnicode: { message: "서로게이트 반쪽이 있어 UTF-8로 표현할 수 없습니다" },
  tooLarge: { message: "문서가 32,000,000자를 넘습니다" },
  badName: message => ({ message, hint: "이름은 보이는 문자 1~80자이며 쉼표 뒤에 공백이 올 수 없습니다" }),
  store: message => ({ message: `상태를 읽을 수 없습니다: ${message}`, hint: "확인: espalier doctor" }),
  noAnswer: message => ({ message, hint: "실행 중인 것 확인: espalier status" }),
  theirs: version => version,
  yours: "게시하려는 문서",
};
