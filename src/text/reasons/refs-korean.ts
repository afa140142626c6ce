import type { RefReasonArgs } from "../../ports/index.ts";
import { withParticle } from "../particle.ts";
import { shellWord } from "../shell-word.ts";
import { type CatalogueOf, listing } from "./catalogue.ts";

const some = listing(more => ` 외 ${more}개`);

/** What others do in the repository, in Korean. */
export const KOREAN_REFS: CatalogueOf<RefReasonArgs> = {
  "target-moved": ({ branch, from, to, task }) => {
    const now = to === undefined ? "없어짐" : `${from}에서 ${withParticle(to, "으로/로")} 옮겨짐`;
    const look =
      to === undefined ? `되돌리려면 git branch ${branch} ${from}` : `들어온 것 보기: git log ${from}..${to}`;
    const during = task === undefined ? "" : ` (${task} 작업 중)`;
    return `${withParticle(branch, "이/가")} 이 실행이 아닌 쪽에 의해 ${now}${during}; 합쳐진 것으로 세지 않음; ${look}`;
  },
  "landed-lost": ({ branch, tasks, kept }) => {
    const rewritten = `${branch}의 이력이 바뀜`;
    if (tasks.names.length === 0) return `${rewritten}; 바뀌기 전의 것은 ${kept}에 보관함`;
    if (kept === undefined) return `${rewritten}: 합쳐진 ${some(tasks)}의 작업이 빠져 있어 병합으로 되돌림`;
    return `${rewritten}: 합쳐진 ${some(tasks)}의 작업이 빠짐; 되돌리려면 메인 체크아웃에서 git merge ${kept}`;
  },
  "landed-gone": ({ branch, tasks, kept }) =>
    `${branch}: 합쳐진 ${some(tasks)}의 작업이 더는 없음. 되돌리려면 ${branch} 체크아웃에서 ${kept.map(one => `git merge ${one}`).join("; ")}, 다시 하려면 espalier task retry ${tasks.names.join(" ")}, 일부러 빼냈다면 git branch -D ${kept.join(" ")}`,
  "target-put-back": ({ branch, at }) =>
    `${withParticle(branch, "이/가")} 삭제되어 있어 이전처럼 ${at}에 다시 둠`,
  "work-ignored": ({ task, paths, first }) =>
    `${withParticle(task, "이/가")} git이 무시하는 파일을 만듦: 거기서 무엇을 증명했든 어느 커밋에도 없음: ${some(paths)}; 규칙 보기: git check-ignore -v --no-index ${shellWord(first)}`,
  "changed-elsewhere": ({ task, paths, top }) =>
    `${withParticle(task, "은/는")} 자기 폴더에서 아무것도 바꾸지 않았고, 그동안 메인 체크아웃의 파일이 바뀜: ${some(paths)}. 에이전트가 절대 경로로 썼거나 사람이 바꾼 것일 수 있으며, 어느 것도 반영되지 않음. 확인: git -C ${shellWord(top)} status`,
  "entry-replaced": ({ entry }) =>
    `git init 등으로 워크트리의 .git이 바뀌어 있어 되돌림; 거기 있던 것은 ${entry}에 보관함`,
  "checkout-busy": ({ pid, cwd }) =>
    `다른 프로젝트의 태스크가 이 체크아웃에서 작업 중임(프로세스 ${pid}, ${cwd}에서 시작함); 그것이 끝나면 시작함`,
  "refs-gone": ({ refs, back, task }) => {
    const during = task === undefined ? "" : ` (${task} 작업 중)`;
    return `Espalier가 아닌 쪽에 의해 없어짐${during}: ${some(refs)}; 되돌리려면: ${back.join(" && ")}`;
  },
};
