import type { HelpWords } from "../shapes.ts";
import { DOCUMENTS } from "./documents.ts";
import { MACHINES } from "./machines.ts";
import { SHARED, USAGE } from "./usage.ts";
import { WORK } from "./work.ts";

/** Help in Korean. */
export const KOREAN_HELP: HelpWords = {
  about: "태스크 목록을 코딩 에이전트 팀으로 실행합니다.",
  commands: { ...WORK, ...DOCUMENTS, ...MACHINES },
  shared: SHARED,
  usage: USAGE,
};
