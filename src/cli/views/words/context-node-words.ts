import type { NodeRefusal, NodeWish } from "../../../context/library/index.ts";
import { type Locale, visible, withParticle } from "../../../text/index.ts";

/** What `espalier context node` says, in one language. */
export interface NodeWords {
  readonly done: (wish: NodeWish, labels: readonly string[]) => string;
  readonly refused: (why: NodeRefusal, near: string | undefined) => { message: string; hint?: string };
  readonly noInto: string;
}

const name = (id: string): string => visible(id, 100);
const list = (ids: readonly string[]): string => ids.map(name).join(", ");

const ENGLISH: NodeWords = {
  done(wish, labels) {
    switch (wish.action) {
      case "complete":
        return `${name(wish.node)} is completed: it is still read, and takes nothing more`;
      case "abandon":
        return `${name(wish.node)} is abandoned: it is still read, and takes nothing more`;
      case "merge": {
        const also = labels.length === 0 ? "it had nothing of its own" : `there hang now ${list(labels)}`;
        return `${name(wish.node)} is merged into ${name(wish.into)}: ${also}`;
      }
    }
  },
  refused(why, near) {
    switch (why.kind) {
      case "unknown-node": {
        const hint = near === undefined ? "espalier context tree lists the nodes" : `did you mean ${near}?`;
        return { message: `there is no context node ${name(why.node)}`, hint };
      }
      case "bad-id":
      case "twin":
        return { message: `${name(why.node)} names no context node` };
      case "not-active":
        return {
          message: `${name(why.node)} is ${why.status} already`,
          hint: "espalier context tree shows what became of each node",
        };
      case "root":
        return { message: "the root is read by every task: it is never completed, abandoned or merged" };
      case "below-itself":
        return {
          message: `${name(why.node)} cannot be merged into ${name(why.into)}, which is itself or below it`,
        };
      case "unfinished":
        return {
          message: `${name(why.node)} still has tasks that have not ended: ${list(why.tasks)}`,
          hint: "a node completes by itself when they are done; espalier context node abandon gives it up",
        };
      case "damaged":
        return { message: "the stored context tree cannot be read", hint: "espalier doctor tells more" };
    }
  },
  noInto: "say which node it is merged into: --into NODE",
};

const KOREAN: NodeWords = {
  done(wish, labels) {
    switch (wish.action) {
      case "complete":
        return `${name(wish.node)} 완료: 계속 참조되지만 문서를 더 받지 않습니다`;
      case "abandon":
        return `${name(wish.node)} 포기: 계속 참조되지만 문서를 더 받지 않습니다`;
      case "merge": {
        const also = labels.length === 0 ? "자체 문서 없음" : `추가된 문서 ${list(labels)}`;
        return `${name(wish.node)} → ${name(wish.into)} 병합: ${also}`;
      }
    }
  },
  refused(why, near) {
    switch (why.kind) {
      case "unknown-node": {
        const hint = near === undefined ? "espalier context tree로 노드를 확인하세요" : `혹시 ${near}인가요?`;
        return { message: `컨텍스트 노드 ${withParticle(name(why.node), "이/가")} 없습니다`, hint };
      }
      case "bad-id":
      case "twin":
        return { message: `${withParticle(name(why.node), "은/는")} 컨텍스트 노드의 이름이 아닙니다` };
      case "not-active": {
        const status = { active: "활성", completed: "완료", abandoned: "포기", merged: "병합" }[why.status];
        return {
          message: `${withParticle(name(why.node), "은/는")} 이미 ${status} 상태입니다`,
          hint: "espalier context tree로 각 노드의 상태를 확인하세요",
        };
      }
      case "root":
        return { message: "루트는 모든 태스크가 참조하므로 완료·포기·병합할 수 없습니다" };
      case "below-itself":
        return {
          message: `${withParticle(name(why.node), "을/를")} 자기 자신이나 하위 노드인 ${name(why.into)}에 병합할 수 없습니다`,
        };
      case "unfinished":
        return {
          message: `${name(why.node)}에 끝나지 않은 태스크가 있습니다: ${list(why.tasks)}`,
          hint: "모두 끝나면 자동으로 완료됩니다. 포기하려면 espalier context node abandon을 쓰세요",
        };
      case "damaged":
        return { message: "저장된 컨텍스트 트리를 읽을 수 없습니다", hint: "espalier doctor를 실행하세요" };
    }
  },
  noInto: "병합할 대상 노드를 지정하세요: --into 노드",
};

/** The words of a language. */
export function nodeWords(locale: Locale): NodeWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
