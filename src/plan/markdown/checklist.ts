import { type Draft, findSection, type Section } from "./document.ts";

/** Words of headings below which boxes are no work of their own. */
const CHECKLIST = [
  "체크리스트",
  "checklist",
  "완료 기준",
  "완료 조건",
  "완료조건",
  "criteria",
  "definition of done",
  "dod",
  "품질",
  "quality",
  "요약",
  "summary",
  "notes",
  "참고",
  "검증 항목",
  "acceptance",
  "성공 지표",
  "coverage",
  "prerequisite",
  "사전 준비",
  "overview",
  "개요",
  "리스크",
  "risk",
  "受け入れ",
  "完了条件",
  "チェックリスト",
  "验收",
  "检查",
];

/** Whether a heading is one of a checklist, of criteria or of a summary. */
export function isChecklist(section: Section): boolean {
  const title = section.title.toLowerCase();
  return CHECKLIST.some(word => title.includes(word));
}

/** Whether a draft stands below such a heading; the title of the file is none. */
export function isOfChecklist(draft: Draft): boolean {
  return findSection(draft.section, section => section.level > 1 && isChecklist(section)) !== undefined;
}

const REQUIREMENTS = /requirement|요구\s?사항|要件|需求/i;

/** Whether a draft whose id only its surroundings make one stands in a checklist or in requirements: what counts there is to hold of the work. */
export function isNoWork(draft: Draft): boolean {
  const isRequired = findSection(draft.section, ({ level, title }) => level > 1 && REQUIREMENTS.test(title));
  return isRequired !== undefined || isOfChecklist(draft);
}
