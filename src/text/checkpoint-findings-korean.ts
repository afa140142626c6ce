/** What is found in checkpoints, their deltas and their history, by the English sentence; values as in `FINDINGS_KOREAN`. */
export const CHECKPOINT_FINDINGS_KOREAN: Readonly<Record<string, string>> = {
  "An unfinished merge left both of its sides here": "끝나지 않은 병합의 두 쪽이 여기에 남아 있습니다",
  "This line of the front matter is no `key: value`": "front matter의 이 행이 `key: value` 형식이 아닙니다",
  "The field {0} stands here again": "필드 {0}{0|이/가} 여기에 다시 나옵니다",
  "The front matter lacks `{0}:`": "front matter에 `{0}:`{0|이/가} 없습니다",
  "No front matter: {0}": "front matter 없음: {0}",
  "The front matter begins here and is never closed by `---`":
    "여기서 시작한 front matter가 `---`로 닫히지 않습니다",
  "`{0}:` is {1}, not an ISO-8601 date such as 2026-01-31T09:30:00Z":
    "`{0}:`: {1}{1|은/는} 2026-01-31T09:30:00Z 같은 ISO-8601 날짜가 아닙니다",
  '`{0}:` is {1}; ids have letters, digits, "_", "." and "-" only, 64 at most':
    '`{0}:`: {1}; id에는 글자, 숫자, "_", ".", "-"만 쓰며 최대 64자입니다',
  "the checkpoint names neither itself nor its parent": "체크포인트에 자신도 부모도 적혀 있지 않습니다",
  "The checkpoint names itself as its parent": "체크포인트가 자신을 부모로 적었습니다",
  "`status:` is {0}; known are {1}": "`status:`: {0}; 아는 값: {1}",
  "A second section {0}": "섹션 {0}{0|이/가} 두 번 나옵니다",
  "{0} and {1} both mean {2}": "{0}{0|과/와} {1}{1|은/는} 둘 다 {2}{2|을/를} 뜻합니다",
  'No section "{0}"': '섹션 "{0}" 없음',
  "{0} says nothing": "{0}에 내용이 없습니다",
  "{0} stands outside of {1}": "{0}{0|이/가} {1} 밖에 있습니다",
  "A row of {0} cells in a table of {1} columns": "열이 {1}개인 표에 칸이 {0}개인 행이 있습니다",
  'A row of {0} cells in a table of {1} columns (a "|" within a cell is written "\\|")':
    '열이 {1}개인 표에 칸이 {0}개인 행이 있습니다 (칸 안의 "|"는 "\\|"로 적습니다)',
  "the delta does not say which checkpoints it bridges": "델타에 어느 체크포인트를 잇는지 적혀 있지 않습니다",
  "No Summary: one sentence on what changed": "요약(Summary) 없음: 바뀐 것을 한 문장으로 적으세요",
  "None of Added, Modified and Removed: one of them must stand":
    "Added, Modified, Removed가 모두 없습니다: 하나는 있어야 합니다",
  "It only describes the change: without a machine block it cannot be applied":
    "변경을 설명만 합니다: 프로그램이 읽는 블록이 없으면 적용할 수 없습니다",
  "The delta was edited after it was made: its seal does not fit its text":
    "델타가 만들어진 뒤 편집되었습니다: 봉인이 텍스트와 맞지 않습니다",
  "`delta:` is {0}, but it leads from {1} to {2}": "`delta:`: {0}, 그러나 {1}에서 {2}{2|으로/로} 이어집니다",
  "It leads to {0}, the target is {1}": "결과는 {0}, 목표는 {1}",
  "Its Changes or Merge Instructions are not those of the two checkpoints":
    "Changes나 Merge Instructions가 두 체크포인트의 것과 다릅니다",
  "the goal changes only where a shift is declared": "목표는 방향 전환을 선언한 곳에서만 바뀝니다",
  "{0} is copied forward": "{0}{0|은/는} 그대로 이어받습니다",
  "a section of the author's own is copied forward": "작성자가 만든 섹션은 그대로 이어받습니다",
  "decisions are never rewritten; give it an id of its own":
    "결정은 고쳐 쓰지 않습니다; 고유한 id를 적으세요",
  "{0}: {1}": "{0}: {1}",
  "There is no {0}": "{0}{0|이/가} 없습니다",
  "{0} is not what the files say": "{0}의 내용이 파일들과 다릅니다",
  "{0} cannot be read: {1}": "{0}{0|을/를} 읽을 수 없습니다: {1}",
  "it does not say what it bridges": "어느 체크포인트를 잇는지 적혀 있지 않습니다",
  "{0} names itself in a way that is no checkpoint's id": "{0}에 적힌 자기 이름이 체크포인트 id가 아닙니다",
  "{0} and {1} both say they are {2}; the first is ignored":
    "{0}{0|과/와} {1}에 같은 id {2}{2|이/가} 적혀 있습니다; 앞의 것은 무시합니다",
  "{0} says it is {1}": "{0}에 적힌 id는 {1}입니다",
  "{0} was created at no ISO-8601 date": "{0}의 작성 시각이 ISO-8601 날짜가 아닙니다",
  "{0} and {1} both lead from {2} to {3}; the first is ignored":
    "{0}{0|과/와} {1}{1|이/가} 둘 다 {2}에서 {3}{3|으로/로} 이어집니다; 앞의 것은 무시합니다",
  "{0} was made from {1}, which is not here": "{0}{0|은/는} {1}에서 만들어졌지만 그것이 여기에 없습니다",
  "The delta from {0} to {1} is missing": "{0}에서 {1}{1|으로/로} 이어지는 델타가 없습니다",
  "The history forks at {0}: {1}": "이력이 {0}에서 갈라집니다: {1}",
  "Parents in a circle: {0}": "부모가 돌고 돕니다: {0}",
  "{0} only describes the change: it cannot be applied":
    "{0}{0|은/는} 변경을 설명만 합니다: 적용할 수 없습니다",
  "{0} was edited after it was made": "{0}{0|이/가} 만들어진 뒤 편집되었습니다",
  "begins at {0}": "{0}에서 시작",
  "leads to {0}": "{0}{0|으로/로} 이어짐",
  "{0} {1} with the hash {2}; {3} has {4}": "{0}: {1} (해시 {2}); {3}의 해시는 {4}",
  "{0} begins at {1}, of which no full state can be had":
    "{0}{0|은/는} {1}에서 시작하는데, 그 전체 상태를 얻을 수 없습니다",
  "{0} checkpoints could be the current one: {1}": "현재 체크포인트일 수 있는 것이 {0}개입니다: {1}",

  // Why a delta is not carried out, or none is made.
  "The delta only describes the change: it has no machine block, so it cannot be applied":
    "변경을 설명만 하는 델타입니다: 프로그램이 읽는 블록이 없어 적용할 수 없습니다",
  "The delta is for {0}, this checkpoint is {1}": "델타는 {0}에 대한 것인데, 이 체크포인트는 {1}입니다",
  "The delta leads to {0}, not to the {1} its header names":
    "델타의 결과가 {0}입니다; 머리말에 적힌 것은 {1}입니다",
  "Not a checkpoint's id: {0}": "체크포인트 id가 아닙니다: {0}",
  "not an update message": "업데이트 메시지가 아닙니다",
  "too large": "너무 큽니다",
  "an older form that only describes the change": "변경을 설명만 하는 옛 형식입니다",
  "the document that it is for is needed": "기준 문서가 필요합니다",
  "an update for another document": "다른 문서에 대한 업데이트입니다",
  "an operation that cannot be read": "읽을 수 없는 작업이 있습니다",
  "an operation whose place cannot be found": "작업의 위치를 찾을 수 없습니다",
  "a section's new text is missing": "섹션의 새 내용이 없습니다",
  "two operations change the same place": "두 작업이 같은 곳을 바꿉니다",
  "the result is not what the message says: it was cut off or changed":
    "결과가 메시지가 말하는 것과 다릅니다: 잘렸거나 수정되었습니다",
  "not a label": "라벨로 쓸 수 없습니다",
  "a name that cannot stand in a list": "목록에 쓸 수 없는 이름입니다",
  "not a version": "버전 번호가 아닙니다",
  "the delta is not between these documents": "이 두 문서 사이의 델타가 아닙니다",
  "a document is too large": "문서가 너무 큽니다",
  "a document is not valid Unicode": "문서가 올바른 유니코드가 아닙니다",
  "line {0}": "{0}번째 줄",

  // Replays, and what is made.
  "There is no checkpoint {0}": "체크포인트 없음: {0}",
  "{0} and {1} have no checkpoint in common": "{0}{0|과/와} {1}에 공통된 체크포인트가 없습니다",
  "{0} cannot be read": "{0}{0|을/를} 읽을 수 없습니다",
  "No full state before {0} is kept: it cannot be rebuilt":
    "{0} 이전의 전체 상태가 남아 있지 않아 다시 만들 수 없습니다",
  "The link from {0} to {1} is missing: no {2}": "{0}에서 {1}{1|으로/로} 이어지는 델타 {2}{2|이/가} 없습니다",
  "The replay comes to {0}; the full state of {1} is {2}": "재생한 결과는 {0}; {1}의 전체 상태는 {2}입니다",
  "line {0}: {1}": "{0}번째 줄: {1}",
  "{0}, which it is made from: {1}": "바탕이 된 {0}: {1}",
  "{0}. Name one of them as the parent": "{0}. 그중 하나를 부모로 지정하세요",
  "removed {0}, left by a writer that was killed": "강제 종료된 쓰기가 남긴 {0}{0|을/를} 지웠습니다",
  "made the delta from {0} to {1} again": "{0}에서 {1}{1|으로/로} 이어지는 델타를 다시 만들었습니다",
  "wrote the table of contents anew": "목차를 새로 썼습니다",
  "{0} leads elsewhere": "{0}의 결과가 목표와 다릅니다",
  "{0}: {1} byte for byte": "{0}: {1}{1|과/와} 바이트까지 같습니다",
};
