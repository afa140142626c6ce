import type { MACHINES as ENGLISH } from "../english/machines.ts";
import type { HelpOf } from "../shapes.ts";

/** Commands for clients and machines, as help describes them in Korean. */
export const MACHINES: HelpOf<typeof ENGLISH> = {
  mcp: {
    about: "리드의 도구를 표준 입출력으로 제공합니다. 시도 안에서는 작업 에이전트의 도구를 제공합니다",
    "--setup": "제공하는 대신, 클라이언트를 연결하는 방법을 보여 줌",
    "--write": "--setup과 함께: 아직 없는 파일을 작성",
    "--approve": "제공하는 대신, 태스크를 검증하는 명령을 보여 주고 실행해도 되는지 물음",
    "--yes": "--approve와 함께: 묻지 않고 승인",
  },
  hub: { about: "실행과 다른 머신이 만나는 곳" },
  "hub start": {
    about: "머신과 실행을 받아들입니다. 대기열은 직접 설치한 Restate에 보관합니다",
    "--listen": "접속을 받을 주소",
    "--cert": "인증서(PEM). 없어도 되는 것은 루프백뿐",
    "--key": "인증서의 키(PEM)",
  },
  "hub token": { about: "허브에 들어올 수 있는 사람과 머신" },
  "hub token add": {
    about: "머신이나 계획을 실행하는 사람의 토큰을 만듭니다. 한 번만 표시됩니다",
    "<name>": "머신 또는 사람의 이름. 같은 이름의 이전 토큰은 회수됨",
    "--pool": "속할 머신 묶음",
    "--run": "머신이 아니라 실행을 위한 토큰",
    "--expires": "만료까지의 일수",
  },
  "hub token list": { about: "누구의 토큰이 언제까지 유효한지 보여 줍니다" },
  "hub token revoke": { about: "이름에 딸린 토큰을 모두 회수합니다" },
  worker: { about: "허브를 위해 일하는 머신" },
  "worker start": {
    about: "허브의 작업을 맡습니다. 밖으로만 연결하고 에이전트를 격리해 실행합니다",
    "--slots": "동시에 맡을 작업 수",
    "--label": "태스크가 machine:으로 요구하는 이 머신의 특징(gpu, arch=arm64). 여러 번 쓸 수 있습니다",
    "--resource":
      "태스크가 uses:로 요구하며 이 머신에서 동시에 쓸 수 있는 수가 정해진 것(gpu=2). 여러 번 쓸 수 있습니다",
    "--spawn":
      "맡은 작업마다 시작할 명령. 그 안의 espalier worker attempt가 작업을 수행(컨테이너, 가상 머신)",
    "--spawn-within": "그것이 응답해야 하는 시간(초)",
    "--rules": "이 머신의 주인이 허용한 것(worker.yaml)",
    "--folder": "저장소와 작업을 두는 곳. 지정하지 않으면 홈 폴더 아래",
    "--no-jail": "에이전트를 격리하지 않고 실행",
  },
  "worker attempt": {
    about: "작업 하나를 수행합니다. 무엇을 할지는 --spawn으로 이것을 시작한 쪽이 표준 입력으로 알려 줍니다",
    "--rules": "이 머신의 주인이 허용한 것(worker.yaml)",
    "--folder": "필요한 것을 두는 곳. 지정하지 않으면 임시 폴더",
    "--no-jail": "에이전트를 격리하지 않고 실행. 이 머신 자체가 격리된 곳일 때",
  },
  "worker list": { about: "허브의 머신과 하고 있는 일을 보여 줍니다" },
  "worker drain": {
    about: "머신에 새 작업을 주지 않습니다. 맡은 작업은 계속됩니다",
    "--off": "다시 작업을 줌",
  },
  "worker forget": { about: "머신을 포기합니다. 맡았던 작업은 다른 머신에서 새로 시작합니다" },
};
