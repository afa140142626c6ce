import type { Standing } from "../../../checkpoint/index.ts";
import type { Locale } from "../../../text/index.ts";
import { withParticle } from "../../../text/index.ts";

/** What the checkpoint commands say, in one language. Arguments are already safe to show. */
export interface CheckpointWords {
  readonly standing: Readonly<Record<Standing, string>>;
  readonly titles: {
    readonly problem: string;
    readonly state: string;
    readonly waiting: string;
    readonly next: string;
    readonly decisions: string;
    readonly files: string;
    readonly steps: string;
    readonly since: string;
  };
  /** What documents call standings of phases, tasks and files, in the words of this language. */
  readonly statuses: ReadonlyMap<string, string>;
  readonly none: string;
  more(count: number): string;
  /** How many tasks have each status. */
  tasks(done: number, total: number): string;
  moved(count: number): string;
  created(id: string, delta: string | undefined): string;
  proved(file: string, what: string): string;
  departures(errors: number, warnings: number): string;
  readonly error: string;
  readonly warning: string;
  line(file: string, line: number): string;
  conflict(section: string, why: string): string;
  readonly kept: string;
  readonly refused: string;
  notSaved(count: number): string;
  replayed(from: string, to: string, steps: number, hash: string): string;
  pruned(files: number, bytes: string, dry: boolean): string;
  readonly nothingToPrune: string;
  archived(count: number, id: string): string;
  readonly healthy: string;
  checked(states: number, links: number): string;
  readonly weight: { readonly note: string; readonly repair: string; readonly person: string };
  readonly fixHint: string;
  /** How the exact text of an edited checkpoint is had again. */
  original(id: string, command: string): string;
}

const ENGLISH: CheckpointWords = {
  standing: {
    current: "current",
    superseded: "superseded",
    archived: "archived",
    rebuilt: "in deltas only",
    open: "open end",
  },
  titles: {
    problem: "What it is about",
    state: "Where it stands",
    waiting: "Waits for a person",
    next: "Next",
    decisions: "Latest decisions",
    files: "Latest files",
    steps: "Latest steps",
    since: "Since the one before",
  },
  statuses: new Map(),
  none: "there is no checkpoint yet: espalier checkpoint create writes one",
  more: count => `… and ${count} more`,
  tasks: (done, total) => `${done} of ${total} tasks completed`,
  moved: count => `${count} ${count === 1 ? "status" : "statuses"} moved`,
  created: (id, delta) =>
    `${id} written${delta === undefined ? "" : `, with ${delta}, which was applied and compared`}`,
  proved: (file, what) => `${file}: ${what}, no departures`,
  departures: (errors, warnings) =>
    `${errors} ${errors === 1 ? "error" : "errors"}, ${warnings} ${warnings === 1 ? "warning" : "warnings"}`,
  error: "error",
  warning: "warning",
  line: (file, line) => (line > 0 ? `${file}:${line}` : file),
  conflict: (section, why) => `§${section} stays as it is: ${why}`,
  kept: "kept",
  refused: "not taken",
  notSaved: count =>
    `${count} ${count === 1 ? "conflict" : "conflicts"}: nothing was saved; settle them in the work, or in a checkpoint of your own`,
  replayed: (from, to, steps, hash) =>
    `${from} → ${to}: ${steps} ${steps === 1 ? "delta" : "deltas"} applied, ${hash}`,
  pruned: (files, bytes, dry) =>
    `${dry ? "would remove" : "removed"} ${files} ${files === 1 ? "file" : "files"} (${bytes})`,
  nothingToPrune: "nothing to prune",
  archived: (count, id) =>
    `${id} closes the history; ${count} ${count === 1 ? "file is" : "files are"} in archive/`,
  healthy: "everything fits together",
  checked: (states, links) =>
    `${states} ${states === 1 ? "checkpoint" : "checkpoints"} and ${links} ${links === 1 ? "delta" : "deltas"} checked`,
  weight: { note: "note", repair: "can be mended", person: "needs you" },
  fixHint: "espalier checkpoint doctor --fix mends what can be derived",
  original: (id, command) => `the original of ${id}, byte for byte: ${command}`,
};

const KOREAN: CheckpointWords = {
  standing: {
    current: "현재",
    superseded: "이전",
    archived: "보관됨",
    rebuilt: "델타로만 있음",
    open: "열린 끝",
  },
  titles: {
    problem: "무엇을 하는가",
    state: "현재 상태",
    waiting: "사람을 기다림",
    next: "다음 작업",
    decisions: "최근 결정",
    files: "최근 파일",
    steps: "최근 진행",
    since: "이전 체크포인트 이후",
  },
  statuses: new Map([
    ["open", "진행 중"],
    ["ended", "종료"],
    ["pending", "대기"],
    ["paused", "일시 중지"],
    ["failed", "실패"],
    ["blocked", "차단됨"],
    ["created", "생성"],
    ["modified", "수정"],
    ["deleted", "삭제"],
    ["read", "읽음"],
  ]),
  none: "아직 체크포인트가 없습니다: espalier checkpoint create로 만듭니다",
  more: count => `… 외 ${count}개`,
  tasks: (done, total) => `태스크 ${total}개 중 ${done}개 완료`,
  moved: count => `상태 ${count}개 변경`,
  created: (id, delta) =>
    `${id} 기록됨${delta === undefined ? "" : `, ${withParticle(delta, "은/는")} 적용해 비교했습니다`}`,
  proved: (file, what) => `${file}: ${what}, 벗어난 점 없음`,
  departures: (errors, warnings) => `오류 ${errors}개, 경고 ${warnings}개`,
  error: "오류",
  warning: "경고",
  line: (file, line) => (line > 0 ? `${file}:${line}` : file),
  conflict: (section, why) => `§${section} 그대로 둠: ${why}`,
  kept: "유지",
  refused: "받지 않음",
  notSaved: count => `충돌 ${count}개: 저장하지 않았습니다`,
  replayed: (from, to, steps, hash) => `${from} → ${to}: 델타 ${steps}개 적용, ${hash}`,
  pruned: (files, bytes, dry) => `파일 ${files}개 ${dry ? "삭제 예정" : "삭제함"} (${bytes})`,
  nothingToPrune: "정리할 것이 없습니다",
  archived: (count, id) =>
    `${withParticle(id, "으로/로")} 마무리했습니다. 파일 ${count}개가 archive/에 있습니다`,
  healthy: "모두 맞습니다",
  checked: (states, links) => `체크포인트 ${states}개와 델타 ${links}개를 확인했습니다`,
  weight: { note: "참고", repair: "고칠 수 있음", person: "결정 필요" },
  fixHint: "espalier checkpoint doctor --fix가 다시 만들 수 있는 것을 고칩니다",
  original: (id, command) => `${id}의 원본(바이트까지 똑같음): ${command}`,
};

/** The checkpoint commands' words in a language. */
export function checkpointWords(locale: Locale): CheckpointWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
