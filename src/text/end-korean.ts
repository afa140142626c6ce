/** How a run's end is told in its record, and the same in Korean; what follows an opening are ids. */
const OPENINGS: readonly (readonly [english: string, korean: string])[] = [
  ["paused, waiting for a person: ", "일시 중단: "],
  ["failed: ", "실패: "],
  ["blocked: ", "차단: "],
  ["nothing left to start, but these never became ready: ", "시작할 태스크가 없음. 준비되지 않은 태스크: "],
  ["stopped before all tasks had ended", "모든 태스크가 끝나기 전에 중지됨"],
];

/** Why a run ended, in Korean as far as the words are the run's own: reasons of agents and git stay as they are. */
export function endInKorean(reason: string): string {
  return reason
    .split("; ")
    .map(part => {
      const [english, korean] = OPENINGS.find(([opening]) => part.startsWith(opening)) ?? ["", ""];
      return korean + part.slice(english.length);
    })
    .join("; ");
}
