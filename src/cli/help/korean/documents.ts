import type { DOCUMENTS as ENGLISH } from "../english/documents.ts";
import type { HelpOf } from "../shapes.ts";

/** Commands around documents, as help describes them in Korean. */
export const DOCUMENTS: HelpOf<typeof ENGLISH> = {
  delta: {
    about: "Markdown 문서의 정확한 차이를 업데이트 메시지로 다룹니다. -는 표준 입력을 읽습니다",
  },
  "delta diff": {
    about: "OLD를 NEW로 만드는 업데이트 메시지를 출력합니다",
    "--label": "메시지에 쓸 문서 이름",
    "--from": "OLD의 버전. 지정하지 않으면 1",
    "--to": "NEW의 버전. 지정하지 않으면 그다음 버전",
  },
  "delta apply": { about: "메시지를 적용한 OLD를 바이트까지 그대로 출력합니다" },
  "delta verify": { about: "DELTA가 OLD를 정확히 NEW로 만드는지 확인합니다. 아니면 종료 코드 1" },
  "delta invert": { about: "OLD로 되돌리는 메시지를 출력합니다" },
  "delta squash": { about: "연속된 여러 메시지와 같은 효과를 내는 메시지 하나를 출력합니다" },
  "delta show": { about: "메시지를 색으로 구분해 보여 줍니다. OLD를 주면 바뀌는 줄도 보여 줍니다" },
  "delta replay": {
    about:
      "델타로 얼마나 절약되는지 계산합니다. 파일의 git 기록 또는 0001.md, 0002.md, … 폴더의 모든 단계에서",
    "--git": "파일의 git 기록을 따라감. PATH가 폴더가 아니면 기본값",
    "--policy": "cost: 가장 적은 토큰의 형식, spec: 문서의 절반을 넘으면 전체",
  },
  checkpoint: {
    about: "작업의 전체 상태와 그 사이의 검증된 델타를 보고, 비교하고, 재현하고, 정리합니다",
  },
  "checkpoint list": { about: "모든 체크포인트와 만들어진 이유" },
  "checkpoint show": {
    about: "자리를 비웠던 사람을 위해 작업이 어디까지 왔는지 보여 줍니다",
    "[checkpoint]": "id 또는 파일. 지정하지 않으면 현재 체크포인트",
    "--raw": "문서 자체를 출력",
  },
  "checkpoint delta": {
    about: "한 체크포인트에서 다른 체크포인트로 가는 델타 문서를 출력합니다",
    "<from>": "id 또는 파일",
    "<to>": "id 또는 파일",
  },
  "checkpoint validate": {
    about: "명세와 다른 점을 줄 번호와 함께 모두 알려 줍니다. 오류가 있으면 종료 코드 1",
    "[files]": "체크포인트 또는 델타의 id나 파일. 지정하지 않으면 모든 체크포인트",
  },
  "checkpoint apply": {
    about: "델타를 적용한 체크포인트를 바이트까지 그대로 출력합니다",
    "<delta>": "파일, 또는 delta-001-002 같은 이름",
    "[checkpoint]": "id 또는 파일. 지정하지 않으면 델타에 적힌 체크포인트",
    "--anyway": "델타의 설명이 적용되는 블록과 달라도 적용",
  },
  "checkpoint replay": {
    about: "델타를 따라 앞으로 또는 뒤로 상태를 다시 만들어 비교합니다",
    "<from>": "id",
    "<to>": "id",
  },
  "checkpoint create": {
    about: "실행의 현재 상태를 이전 체크포인트에서 오는 델타와 함께 기록합니다",
    "--why": "무엇을 위한 것인지. 델타 요약의 첫머리가 됨",
    "--shift": "방향이 바뀌었음을 선언",
  },
  "checkpoint merge": {
    about: "새 작업을 체크포인트에 섹션별로 병합합니다. 충돌은 표시됩니다 (종료 코드 5)",
    "<work>": "체크포인트 섹션이 하나 이상 있는 파일",
    "--into": "id 또는 파일. 지정하지 않으면 현재 체크포인트",
    "--save": "결과를 다음 체크포인트로 저장",
    "--shift": "방향이 바뀌었음을 선언: 새 Session Intent가 이전 것을 대신함",
    "--why": "무엇을 위한 것인지",
  },
  "checkpoint prune": {
    about: "대상이 전체로 보관된 오래된 델타나, 델타로 다시 만들 수 있는 오래된 전체 상태를 지웁니다",
    "--keep": "그대로 둘 최근 체크포인트 수",
    "--states": "전체 상태를 지움. 먼저 하나씩 다시 만들어 비교",
    "--dry-run": "지울 것만 알려 줌",
  },
  "checkpoint archive": {
    about: "마지막 체크포인트로 기록을 마감하고 archive/로 옮깁니다",
    "--learnings": "배운 것. Completion 섹션이 됨",
  },
  "checkpoint doctor": {
    about: "모든 것이 서로 맞는지 확인합니다. 맞지 않으면 종료 코드 1",
    "--deep": "모든 델타를 적용해 비교",
    "--fix": "다시 만들 수 있는 것을 복구: 빠진 델타, INDEX.md",
  },
  context: {
    about: "팀이 공유하는 문서: 버전을 게시하고, 팀원에게 전달하고, 누가 무엇을 가졌는지 봅니다",
  },
  "context explain": {
    about:
      "누가 무엇을 언제부터 가졌고 그 증거는 무엇인지, 무엇이 왜 기다리는지. 하위 명령 없이 불러도 됩니다",
  },
  "context publish": {
    about: "FILE의 내용을 LABEL의 새 버전으로 게시합니다. FILE이 없으면 지난 버전의 파일을 씁니다",
    "[label]": "메시지에 쓰는 문서 이름. 지정하지 않으면 GC",
    "[file]": "일반 파일, 또는 표준 입력은 -",
    "--base": "편집을 시작한 버전. 그 뒤에 다른 사람이 게시한 것과 섹션별로 병합됨",
    "--impact": "영향을 받는 팀원(쉼표로 구분)",
    "--action": "팀원이 할 일. 여러 번 쓸 수 있음",
    "--all": "영향과 관계없이 팀 전체에 알림",
    "--by": "게시하는 사람. 지정하지 않으면 파일 이름",
    "--watch": "파일이 바뀔 때마다 다시 게시",
  },
  "context show": {
    about: "버전의 내용을 출력합니다. LABEL이 없으면 문서 목록을 보여 줍니다",
    "[label]": "GC, 또는 이전 버전은 GC@3",
  },
  "context log": { about: "게시하고, 보내고, 답한 것을 최근 것이 아래로 오게", "--limit": "줄 수" },
  "context update": {
    about: "팀원에게 지금 필요한 메시지를 출력합니다: 델타인지 전체인지, 그 이유까지",
    "--to": "받을 팀원. 새 이름은 팀에 추가됨",
    "--session": "팀원이 속한 에이전트 세션. 다른 세션이면 처음부터 시작",
    "--proof": "가진 것을 증명하는 방법",
    "--role": "팀원의 역할. 그 이름이 나오는 변경이 영향을 줌",
    "--interests": "관심 있는 섹션 제목(쉼표로 구분)",
    "--lost": "압축이나 재시작으로 컨텍스트를 잃음",
  },
  "context ack": {
    about: "팀원의 답을 표준 입력에서 받습니다",
    "[teammate]": "답한 팀원. 업데이트를 받은 팀원이 하나뿐이면 필요 없음",
    "--session": "팀원이 속한 에이전트 세션",
  },
  "context teammates": {
    about: "누가 무엇을 가졌는지. 답하지 않는 팀원은 표시됩니다",
    "--all": "끝난 팀원까지",
  },
  "context tree": { about: "컨텍스트 트리: 문서의 버전과 토큰, 노드마다 누가 채우고 누가 읽는지" },
  "context receipt": {
    about: "시도에 제공된 것을 부분별로, 빠진 것과 함께 보여 줍니다",
    "<attempt>": "최근 시도는 T1.2, 첫 시도는 T1.2#1",
  },
  "context get": {
    about: "문서나 태스크 결과를 이름으로 찾아 전체를 출력합니다. 이름이 없으면 목록",
    "[name]": "라벨, 문서 경로 또는 태스크 id",
  },
  "context revert": { about: "시도가 컨텍스트 트리에 남긴 것을 되돌립니다", "<attempt>": "T1.2#1" },
  "context node": {
    about: "컨텍스트 트리의 가지를 직접 끝냅니다. 태스크가 모두 끝난 가지는 저절로 완료됩니다",
    "<action>": "가지를 어떻게 할지",
    "<node>": "ctx-api",
    "--into": "앞으로 문서를 함께 둘 곳 (merge)",
  },
  "context leave": { about: "팀원이 끝났습니다. 더는 기다리지 않습니다" },
  "context resume": { about: "일시 중지를 요청한 팀원에게 답했습니다" },
  summarize: {
    about: "출력을 요약 수준에 맞춰 보여 줍니다. 모델이 필요 없습니다. -는 표준 입력을 읽습니다",
    "--level": "0 전체, 1 상세(3000 토큰), 2 간략(1000), 3 핵심(300)",
    "--why": "그 수준에서 빠진 것, 계약의 문제, 평가, 산출물 색인까지",
    "--id": "누구의 출력인지. 지정하지 않으면 계약이나 파일 이름을 따름",
    "--model": "모델이 먼저 압축하게 함. 이름이 없으면 budget.model",
    "--base-url": "모델의 주소(OpenAI 호환). 예: http://127.0.0.1:11434/v1",
    "--key-env": "모델의 키가 든 환경 변수",
    "--yes": "espalier.yaml에 적힌 모델을 승인",
  },
  import: {
    about:
      "GitHub, beads, spec-kit, Kiro, Task Master의 태스크를 태스크 파일로 보여 줍니다. -는 표준 입력을 읽습니다",
    "<source>": "다른 도구가 쓰는 파일",
    "--from": "내용만으로 알 수 없을 때 원본의 종류",
    "--out": "--write가 쓸 곳. 이미 있는 파일은 덮어쓰지 않음",
    "--write": "파일로 씀",
  },
  export: {
    about: "태스크 상태로 가져온 원본이 어떻게 바뀌는지 보여 줍니다. GitHub라면 명령을 출력합니다",
    "<source>": "가져온 파일. -는 표준 입력을 읽음",
    "[file]": "태스크 파일. 지정하지 않으면 정해진 곳에서 찾음",
    "--from": "내용만으로 알 수 없을 때 원본의 종류",
    "--write": "원본을 바꿈. 태스크 상태 말고는 아무것도 바뀌지 않음",
  },
  budget: {
    about: "에이전트 출력이 컨텍스트 창을 얼마나 차지하고 실행에 얼마나 들었는지 보여 줍니다",
    "--watch": "실행이 끝날 때까지 계속 표시",
  },
  "budget cache": { about: "다음 실행을 위해 보관된, 완료된 태스크의 출력" },
  "budget cache list": { about: "무엇이 어느 수준으로 보관되었고 아직 쓸 수 있는지" },
  "budget cache clear": { about: "보관된 것을 지웁니다", "[tier]": "이 계층만" },
  "budget lint": {
    about: "이어지는 두 패키지나 프롬프트가 갈라지는 곳. 거기서부터는 캐시가 소용없습니다",
    "<before>": "파일",
    "<after>": "파일",
  },
  "budget why": {
    about: "시도가 무엇을 왜 알았거나 몰랐는지: 누가 말했고 전달되는 동안 어떻게 되었는지",
    "<task>": "T5.4, 시도 하나는 T5.4#2",
    "<text>": "찾을 말. 이름, 숫자, 경로 등",
  },
  "budget plan": {
    about: "아무것도 쓰기 전에, 워크플로에서 누가 얼마나 넘길 수 있는지 보여 줍니다",
    "<workflow>": "설정에 있는 이름. 예: full_research_cycle",
    "--file": "예산과 워크플로를 이 파일에서 읽음",
  },
};
