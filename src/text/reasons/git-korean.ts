import type { GitReasonArgs } from "../../ports/index.ts";
import { withParticle } from "../particle.ts";
import { type CatalogueOf, listing, parts } from "./catalogue.ts";
import { KOREAN_REFS } from "./refs-korean.ts";

const some = listing(more => ` 외 ${more}개`);

/** What stands against work in a repository, in Korean. */
export const KOREAN_GIT: CatalogueOf<GitReasonArgs> = {
  ...KOREAN_REFS,
  "git-config-changed": ({ keys }) => `GIT_CONFIG_CHANGED: git 설정이 바뀜: ${some(keys)}`,
  "repository-gone": ({ path }) =>
    `REPOSITORY_GONE: ${withParticle(path, "은/는")} 더는 저장소가 아닙니다. 전체나 일부가 삭제되었습니다`,
  "git-config-include": ({ path }) =>
    `git 설정이 ${withParticle(path, "을/를")} 포함하는데 일반 파일이 아닙니다`,
  "git-config-includes": ({ most }) => `git 설정이 포함하는 파일이 ${most}개를 넘습니다`,
  "git-config-unsteady": () => "git 설정이 계속 다시 쓰이고 있습니다",
  "clone-shallow": () =>
    "얕은 클론(shallow clone)이라 작업을 옮길 수 없습니다. git fetch --unshallow로 전체를 받으세요",

  "branch-unnameable": ({ branch }) => `"${branch}": 브랜치 이름으로 쓸 수 없습니다`,
  "branch-gone": ({ branch }) => `${branch} 브랜치가 없습니다`,
  "target-missing": ({ branch }) =>
    `끝난 단계가 들어갈 ${branch} 브랜치가 없습니다. 브랜치를 만들거나 espalier.yaml의 git: { target: … }에 다른 브랜치를 적으세요. 지워진 브랜치의 커밋은 git reflog에 나옵니다`,
  "phase-begins-at-former": ({ branch, former }) =>
    `${withParticle(branch, "은/는")} ${former}에서 시작합니다. 태스크 파일에 더는 없는 단계의 작업이 이 실행에서 그곳에 합쳐졌습니다`,
  "ref-gone": ({ ref }) => `${withParticle(ref, "이/가")} 없습니다`,
  "commit-unnamed": ({ name }) => `${withParticle(name, "은/는")} 커밋의 이름이 아닙니다`,
  "branch-not-ours": ({ branch }) =>
    `${branch} 브랜치가 이미 있고 Espalier가 만든 것이 아닙니다. 이름을 바꾸거나 지우세요`,
  "branch-in-the-way": ({ branch, wanted }) =>
    `${branch} 브랜치 때문에 ${withParticle(wanted, "을/를")} 만들 수 없습니다. 이름을 바꾸거나 git.branch를 설정하세요`,
  "branch-checked-out": ({ branch, path, way, move }) => {
    const free = way === "merge" ? "거기서 병합하세요" : way && "그쪽을 다른 브랜치로 바꾸세요";
    const there = move && `제자리에 두려면: ${move}`;
    return parts(". ", `${branch} 브랜치는 ${path}에 체크아웃되어 있습니다`, free, there);
  },
  "merge-not-held": ({ branch, into }) => `병합했는데도 ${into}에 ${branch}의 작업이 없습니다`,
  "merging-elsewhere": ({ path, pid }) =>
    `${pid === undefined ? "다른 프로세스가" : `프로세스 ${withParticle(`${pid}`, "이/가")}`} ${path}에서 병합하고 있습니다`,
  "histories-unrelated": ({ ours, theirs, root }) =>
    `${withParticle(ours, "과/와")} ${theirs}에 공통 커밋이 없습니다: 앞의 것의 이력이 새로 만들어졌습니다. ` +
    `${ours}의 브랜치에서 git merge --allow-unrelated-histories -s ours ${withParticle(root, "을/를")} 실행하면 시작이 다시 같아지고 파일은 바뀌지 않습니다`,

  "place-taken": ({ path }) =>
    `${withParticle(path, "이/가")} 이미 있습니다. 그것을 옮기거나 워크트리를 다른 곳에 두세요(espalier.yaml의 git.folder)`,
  "worktree-missing": ({ path }) => `${path}: 워크트리가 더는 없습니다`,
  "worktree-not-made": ({ path }) => `git이 ${path}에 워크트리를 만들지 않았습니다`,
  "operation-unfinished": ({ operation, path, end, undo }) =>
    `${path}에서 시작한 ${withParticle(operation, "이/가")} 끝나지 않았습니다. 거기서 "git ${end}"로 끝내거나 "git ${undo}"로 취소하세요`,
  "checkout-elsewhere": ({ path, branch, now, back }) =>
    `${path}에는 ${branch} 대신 ${withParticle(now ?? "브랜치 없는 커밋", "이/가")} 체크아웃되어 있습니다. 거기서 ${withParticle(`"${back}"`, "을/를")} 실행한 뒤 이어서 진행하세요`,
  "checkout-has-files": ({ paths }) =>
    `새 파일이 들어갈 자리에 체크아웃의 다른 파일이 이미 있습니다: ${some(paths)}`,
  "checkout-has-changes": ({ paths }) =>
    `체크아웃에 커밋하지 않은 변경이 있어 덮어쓰게 됩니다: ${some(paths)}. 커밋하거나 되돌리세요`,
  "ignored-in-the-way": ({ said }) => `무시되는 파일이 자리를 차지하고 있습니다: ${said}`,

  "setup-cache": ({ said }) => `worktree.setup: 캐시를 복사할 수 없습니다: ${said}`,
  "not-brought": ({ how, path, said }) => `worktree.${how}: ${path}: ${said}`,
  "leads-out": ({ how, path, of }) =>
    `worktree.${how}: ${path}: ${of === "project" ? "프로젝트 밖을 가리킵니다" : "워크트리 밖으로 나갑니다"}`,

  "branch-left": ({ branch, now }) =>
    `에이전트가 자기 브랜치 ${withParticle(branch, "을/를")} 떠나 ${now ?? "브랜치 없는 커밋(detached HEAD)"}에 있습니다`,
  "branch-deleted": ({ branch }) => `에이전트가 자기 브랜치 ${withParticle(branch, "을/를")} 지웠습니다`,
  "history-rewritten": () => "에이전트가 자기 브랜치의 시작 이전 이력을 바꿨습니다",
  "worktree-removed": ({ path }) => `에이전트가 자기 워크트리 ${withParticle(path, "을/를")} 지웠습니다`,
  "submodule-unpushed": ({ path }) =>
    `새 서브모듈 ${withParticle(path, "이/가")} 원격의 브랜치나 태그에 없는 커밋에 있습니다. 원격에 있는 커밋으로 옮기세요`,
  "repository-within": ({ path }) =>
    `${withParticle(path, "이/가")} 별도의 저장소라서 그 안의 파일을 잃게 됩니다. ${path}/.git이 없으면 작업에 포함됩니다(서브모듈은 git submodule add로 추가)`,
  "not-on-top": () => "돌아온 작업이 보낸 것 위에 있지 않습니다",
  "message-nul": () => "커밋 메시지에는 NUL 문자를 쓸 수 없습니다",
};
