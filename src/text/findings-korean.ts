/** What is found in a task file or a repository, by the English sentence; `{0:을/를}` is the first value with its particle, `{0|을/를}` that alone. */
export const FINDINGS_KOREAN: Readonly<Record<string, string>> = {
  // The file.
  "the file is empty": "파일이 비어 있습니다",
  "the file has {0} bytes; at most {1} are read": "파일이 {0}바이트입니다; 최대 {1}바이트까지 읽습니다",
  "the file looks like UTF-16": "파일이 UTF-16으로 보입니다",
  "save it as UTF-8": "UTF-8로 저장하세요",
  "byte {0} is NUL: this is not a text file": "바이트 {0:이/가} NUL입니다: 텍스트 파일이 아닙니다",
  "name a Markdown or JSON task file": "Markdown이나 JSON 태스크 파일을 지정하세요",
  "byte {0} (0x{1}) is not UTF-8": "바이트 {0} (0x{1}): UTF-8이 아닙니다",
  "save the file as UTF-8; it is never rewritten as it is":
    "파일을 UTF-8로 저장하세요; 이 상태로는 고쳐 쓰지 않습니다",
  "line {0} has {1} characters; at most {2} are read": "{0}행이 {1}자입니다; 최대 {2}자까지 읽습니다",
  "break the line, or name another file": "줄을 나누거나 다른 파일을 지정하세요",
  "the file holds more than {0} tasks": "파일의 태스크가 {0}개를 넘습니다",
  "the file holds {0} tasks; at most {1} are read": "파일의 태스크가 {0}개입니다; 최대 {1}개까지 읽습니다",
  "split the plan into several task files": "계획을 여러 태스크 파일로 나누세요",
  "split the plan": "계획을 나누세요",
  "an unfinished merge left its markers here": "끝나지 않은 병합의 표시가 여기에 남아 있습니다",
  "finish the merge, then try again": "병합을 끝낸 뒤 다시 시도하세요",
  "no tasks were found": "태스크가 없습니다",
  "{0} does not say what is to be done": "{0}에 할 일이 적혀 있지 않습니다",
  "give it a title": "제목을 적으세요",
  "a task without an id is not read: {0}": "id가 없는 태스크는 읽지 않습니다: {0}",
  "give it an id of its own": "고유한 id를 적으세요",
  'the key "{0}" is not read': '키 "{0}"{0|은/는} 읽지 않습니다',
  "put these tasks into the list, each with an id of its own":
    "이 태스크들을 고유한 id와 함께 목록에 넣으세요",
  'not all of "{0}" is read: it holds what is no id': '"{0}"의 일부를 읽지 않습니다: id가 아닌 것이 있습니다',
  "write the ids of the tasks in a list": "태스크의 id를 목록으로 적으세요",
  "put tasks into its list, or name another file": "목록에 태스크를 넣거나 다른 파일을 지정하세요",
  "write tasks as headings or list items: - [ ] T1.1: Title":
    "태스크를 제목이나 목록 항목으로 적으세요: - [ ] T1.1: 제목",
  "{0} more findings are not listed": "{0}개를 더 찾았지만 보이지 않습니다",
  "settle the ones above first": "위의 것부터 해결하세요",
  "nothing to do": "할 일이 없습니다",
  "{0} and {1} more": "{0} 외 {1}개",
  "{0} on line {1}": "{1}행의 {0}",
  "{0}, {1}": "{0}, {1}",
  "lines {0} to {1}": "{0}~{1}행",

  // JSON.
  "correct the JSON at this place": "이 자리의 JSON을 고치세요",
  "the end of the file": "파일의 끝",
  "{0} stands behind the end of the JSON value": "JSON 값이 끝난 뒤에 {0:이/가} 있습니다",
  '{0} where a comma or "{1}" should stand': '쉼표나 "{1}" 자리에 {0:이/가} 있습니다',
  "{0} where the name of a member should stand": "멤버 이름 자리에 {0:이/가} 있습니다",
  "a string is never closed or holds an invalid character":
    "문자열이 닫히지 않았거나 쓸 수 없는 문자가 있습니다",
  '{0} where ":" should stand': '":" 자리에 {0:이/가} 있습니다',
  "nested deeper than {0}": "{0}겹보다 깊습니다",
  "{0} where a value should stand": "값 자리에 {0:이/가} 있습니다",
  'the JSON holds no "tasks" list': 'JSON에 "tasks" 목록이 없습니다',
  "name Task Master's tasks.json or a planner's output":
    "Task Master의 tasks.json이나 플래너의 출력을 지정하세요",
  'tag "{0}" is read; the file also holds {1}': '태그 "{0}"만 읽습니다; 파일에는 {1}도 있습니다',
  "give each tag a file of its own to run it": "실행하려면 태그마다 파일을 따로 두세요",
  "{0} is a context-fill task without target_node": "context-fill 태스크 {0}에 target_node가 없습니다",
  "name the node it fills": "채울 노드를 적으세요",

  // Ids, boxes, fields.
  "{0} is defined twice on line {1}": "{0:이/가} {1}행에서 두 번 정의됩니다",
  "{0} is defined on line {1} and again on line {2}":
    "{0:이/가} {1}행에서 정의되고 {2}행에서 다시 정의됩니다",
  '{0} is defined on line {1} ("{2}") and again on line {3} ("{4}")':
    '{0:이/가} {1}행("{2}")에서 정의되고 {3}행("{4}")에서 다시 정의됩니다',
  "give one of them another id": "하나에 다른 id를 주세요",
  'the id "{0}" is written in full-width letters, or with a dash that is none':
    'id "{0}"{0|이/가} 전각 문자이거나 붙임표가 아닌 줄표로 적혀 있습니다',
  "write {0}": "{0:으로/로} 적으세요",
  'the box of {0} holds "{1}", which is no known mark': '{0}의 체크박스에 있는 "{1}"의 뜻을 알 수 없습니다',
  "write [ ] or [x]; [-], [~] and [/] mean started":
    "[ ] 또는 [x]로 적으세요; [-], [~], [/]는 시작했다는 뜻입니다",
  '"{0}" is no field': '"{0}": 그런 필드가 없습니다',
  "did you mean {0}?": "혹시 {0}인가요?",
  "{0} is not read as a command: a code span stands among other words":
    "{0:을/를} 명령으로 읽지 않습니다: 코드 스팬이 다른 말 사이에 있습니다",
  "put all of the command into a shell fence below the field": "명령 전체를 필드 아래의 셸 펜스에 넣으세요",
  "what stands behind {0} on its line is not executed: the fence below is the command":
    "{0} 줄에 적힌 것은 실행하지 않습니다: 아래의 펜스가 명령입니다",
  "write the command in one of the two places; above a fence that is none of it, put a line of text":
    "명령은 둘 가운데 한 곳에만 적으세요; 명령이 아닌 펜스라면 그 위에 글을 한 줄 두세요",
  "{0} has no effect on {1}, which only holds tasks":
    "{1:은/는} 태스크를 담기만 하므로 {0}에 효과가 없습니다",
  "write it below those tasks": "그 안의 태스크 아래에 적으세요",
  '{0} "{1}" is no name': '{0} "{1}": 이름이 아닙니다',
  '{0} "{1}" is neither yes nor no': '{0} "{1}": yes도 no도 아닙니다',
  "write {0}: yes or {1}: no": "{0}: yes 또는 {1}: no로 적으세요",
  '{0} "{1}" is none of {2}': '{0} "{1}": {2} 가운데 어느 것도 아닙니다',
  "write {0}: {1} or {2}": "{0}: {1} 또는 {2:으로/로} 적으세요",
  'kind "{0}" is neither worker nor context-fill': 'kind "{0}": worker도 context-fill도 아닙니다',
  "write kind: worker or kind: context-fill": "kind: worker 또는 kind: context-fill로 적으세요",
  'review "{0}" names no agent': 'review "{0}": 그런 에이전트가 없습니다',
  "write review: no, or the name of an agent; review: of espalier.yaml says who reviews every task":
    "review: no 또는 에이전트의 이름을 적으세요; 모든 태스크의 검토자는 espalier.yaml의 review:가 정합니다",
  "{0} names": "이름 {0}개",
  "{0}: {1} where 1 to {2} are allowed": "{0}: {1}, 1에서 {2}까지만 쓸 수 있습니다",
  "write {0}: with 1 to {1}": "{0}: 뒤에 1에서 {1} 사이로 적으세요",
  "a context-fill task must say which node it fills": "context-fill 태스크에는 채울 노드를 적어야 합니다",
  "add fills: ctx-…": "fills: ctx-…를 더하세요",

  // What is not read.
  "table rows name tasks that stand nowhere else: {0}; they are not read as tasks":
    "표의 행에만 있는 태스크가 있습니다: {0}; 태스크로 읽지 않습니다",
  "write them as headings or list items; rows with a box are tasks outside of other tasks":
    "제목이나 목록 항목으로 적으세요; 체크박스가 있는 행은 다른 태스크 밖에 있을 때 태스크입니다",
  "list lines without a box name tasks that stand nowhere else: {0}; they are not read as tasks":
    "체크박스 없는 목록 줄에만 있는 태스크가 있습니다: {0}; 태스크로 읽지 않습니다",
  "give them a box if they are tasks: - [ ] T1.1: Title": "태스크라면 체크박스를 붙이세요: - [ ] T1.1: 제목",
  "the heading begins with several ids, and {0} stands nowhere else; it is not read as a task":
    "제목이 여러 id로 시작하고 {0:은/는} 다른 곳에 없습니다; 태스크로 읽지 않습니다",
  "{0} has no box and holds {1}: it is read as their heading, not as a task":
    "{0:은/는} 체크박스가 없고 {1:을/를} 담고 있습니다: 태스크가 아니라 그 제목으로 읽습니다",
  "give it a box if it is one: ### [ ] {0}: Title": "태스크라면 체크박스를 붙이세요: ### [ ] {0}: 제목",
  "give it one id if it is a task: ### [ ] {0}: Title": "태스크라면 id 하나만 적으세요: ### [ ] {0}: 제목",
  "boxes without an id under no heading ({0}) are no tasks, {1}":
    "제목 아래에 있지 않은 id 없는 체크박스({0}개)는 태스크가 아닙니다: {1}",
  'boxes without an id under "{0}" ({1}) are no tasks, {2}':
    '"{0}" 아래의 id 없는 체크박스({1}개)는 태스크가 아닙니다: {2}',
  "because the phase has tasks with ids": "그 단계에 id가 있는 태스크가 있습니다",
  "because other items there have ids": "그곳의 다른 항목에 id가 있습니다",
  "because the tasks of the file stand elsewhere": "이 파일의 태스크는 다른 곳에 있습니다",
  "give them ids if they are tasks": "태스크라면 id를 붙이세요",
  "{0} stands behind a box, but the line is not read as a task":
    "{0:이/가} 체크박스 뒤에 있지만 그 줄을 태스크로 읽지 않습니다",
  "write it so if it is one: - [ ] {0}: Title": "태스크라면 이렇게 적으세요: - [ ] {0}: 제목",
  "the heading holds a box that does not begin it; it is not read as a task":
    "제목의 체크박스가 맨 앞에 있지 않습니다; 태스크로 읽지 않습니다",
  "write the box and an id first if it is one: ### [ ] T1.1: Title":
    "태스크라면 체크박스와 id를 먼저 적으세요: ### [ ] T1.1: 제목",
  '"{0}" is indented so far that it is code in Markdown; it is not read':
    '"{0}"{0|은/는} 너무 깊이 들여 써서 Markdown에서는 코드입니다; 읽지 않습니다',
  "{0} is indented so far that it is code in Markdown; it is not read":
    "{0:은/는} 너무 깊이 들여 써서 Markdown에서는 코드입니다; 읽지 않습니다",
  "indent it by less than four columns, or write it below a bullet":
    "네 칸보다 적게 들여 쓰거나 목록 항목 아래에 적으세요",
  "indent it by less than four columns": "네 칸보다 적게 들여 쓰세요",
  "code fence": "코드 펜스",
  "HTML comment": "HTML 주석",
  "the file": "파일",
  "its list item": "그 목록 항목",
  "the {0} that begins here is never closed and ends with {1} on line {2}":
    "여기서 시작하는 {0:이/가} 닫히지 않아 {1:과/와} 함께 {2}행에서 끝납니다",
  "the {0} that begins here is never closed and ends with {1} on line {2}; nothing in it is read":
    "여기서 시작하는 {0:이/가} 닫히지 않아 {1:과/와} 함께 {2}행에서 끝납니다; 그 안의 것은 읽지 않습니다",
  "close the {0}": "{0:을/를} 닫으세요",
  "the code fence that begins on line {0} is never closed and runs to line {1}; it swallows {2}":
    "{0}행에서 시작하는 코드 펜스가 닫히지 않아 {1}행까지 이어집니다; {2:을/를} 삼킵니다",
  "close the code fence above line {0}": "{0}행보다 위에서 코드 펜스를 닫으세요",
  "the code fence from line {0} to line {1} swallows {2}; nothing in it is read":
    "{0}행부터 {1}행까지의 코드 펜스가 {2:을/를} 삼킵니다; 그 안의 것은 읽지 않습니다",
  "close it above line {0}": "{0}행보다 위에서 닫으세요",
  "the code fence in {0} shows {1}; nothing in it is read":
    "{0}의 코드 펜스 안에 {1:이/가} 있습니다; 그 안의 것은 읽지 않습니다",
  "move them out of the fence if they are tasks, else begin it with ```text":
    "태스크라면 펜스 밖으로 꺼내고, 아니면 펜스를 ```text로 시작하세요",
  "the HTML comment that begins on line {0} is never closed and runs to line {1}; it swallows {2}":
    "{0}행에서 시작하는 HTML 주석이 닫히지 않아 {1}행까지 이어집니다; {2:을/를} 삼킵니다",
  "close the HTML comment above line {0}": "{0}행보다 위에서 HTML 주석을 닫으세요",
  "the HTML comment in {0} holds {1}; they are not read":
    "{0}의 HTML 주석 안에 {1:이/가} 있습니다; 읽지 않습니다",
  "move them out of the comment if they are tasks": "태스크라면 주석 밖으로 꺼내세요",
  "the HTML in {0} holds {1}; Markdown in it is not read":
    "{0}의 HTML 안에 {1:이/가} 있습니다; 그 안의 Markdown은 읽지 않습니다",
  "move them out of the HTML element if they are tasks": "태스크라면 HTML 요소 밖으로 꺼내세요",
  "the quote in {0} holds {1}; tasks in quotes are not read":
    "{0}의 인용 안에 {1:이/가} 있습니다; 인용 안의 태스크는 읽지 않습니다",
  "take the quote marks off if they are tasks": "태스크라면 인용 표시를 떼세요",
  "the front matter": "프런트 매터",
  "the definition of a link or footnote": "링크나 각주의 정의",
  "move it below the line that ends the front matter": "프런트 매터가 끝나는 줄 아래로 옮기세요",
  "give it a line of its own": "한 줄에 따로 적으세요",
  "{0} holds {1}; it is not read as a task": "{0} 안에 {1:이/가} 있습니다; 태스크로 읽지 않습니다",

  // What waits for what.
  "no task has this id: correct it, or take it as satisfied with --allow-missing":
    "이 id의 태스크가 없습니다: 고치거나, --allow-missing으로 충족된 것으로 보세요",
  "{0} waits for {1}, which is not in this file; the dependency is taken as satisfied":
    "{0:이/가} 기다리는 {1:이/가} 이 파일에 없습니다; 충족된 것으로 봅니다",
  "correct the id, if it is meant to be a task of this file": "이 파일의 태스크를 뜻한다면 id를 고치세요",
  "{0} waits for {1}, which is not in this file; it counts as done":
    "{0:이/가} 기다리는 {1:이/가} 이 파일에 없습니다; 완료된 것으로 봅니다",
  "nothing to do if it was finished earlier": "전에 끝난 것이라면 할 일이 없습니다",
  '"{0}" in the dependencies of {1} is like no id of this file; it is not read as one':
    '{1}의 의존 관계에 있는 "{0}"{0|은/는} 이 파일의 id와 모양이 다릅니다; id로 읽지 않습니다',
  "name the task by the id it has here": "이 파일에 있는 id로 적으세요",
  '"{0}" only mentions {1}; {2} does not wait for it':
    '"{0}"{0|은/는} {1:을/를} 언급할 뿐입니다; {2:은/는} 기다리지 않습니다',
  'write "depends: {0}" below it if it has to wait': '기다려야 한다면 그 아래에 "depends: {0}"라고 적으세요',
  'the dependencies of {0} name no task: "{1}"': '{0}의 의존 관계에 태스크가 없습니다: "{1}"',
  "name task ids if it has to wait for some": "기다려야 한다면 태스크의 id를 적으세요",
  "{0} names {1} as parallel, which is no task": "{0:이/가} 짝으로 적은 {1}: 그런 태스크가 없습니다",
  "correct the id, or leave it out": "id를 고치거나 빼세요",
  "{0} is to run beside {1} and also to wait for it":
    "{0:은/는} {1:과/와} 함께 실행되면서 그것을 기다리게 됩니다",
  "keep the dependency or the parallel, not both": "의존과 병렬 가운데 하나만 남기세요",
  "{0} names {1} as parallel, but one comes after the other":
    "{0:이/가} {1:을/를} 짝으로 적었지만, 하나가 다른 하나 뒤에 옵니다",
  "settle which of the two is meant": "둘 중 어느 쪽인지 정하세요",
  "{0} names {1} as parallel, but not the other way round; taken as mutual":
    "{0:이/가} {1:을/를} 짝으로 적었지만 반대쪽에는 없습니다; 서로 짝인 것으로 봅니다",
  "name each other in both tasks": "두 태스크에 서로 적으세요",
  "the diagram's arrows close a cycle: {0}": "다이어그램의 화살표가 순환을 만듭니다: {0}",
  "correct the diagram; only the tasks' own fields were used":
    "다이어그램을 고치세요; 태스크 자신의 필드만 사용했습니다",
  "{0} of phase {1} waits for {2}, which belongs to the later phase {3}":
    "단계 {1}의 {0:이/가} 나중 단계 {3}의 {2:을/를} 기다립니다",
  "move one of them to another phase, or drop the dependency": "하나를 다른 단계로 옮기거나 의존을 빼세요",
  "{0} is done, but waits for {1}, which is not":
    "{0:은/는} 완료되었는데, 기다리는 {1:은/는} 완료되지 않았습니다",
  "check which box is right": "어느 체크박스가 맞는지 확인하세요",
  "left out, because they lie in or wait for what is put off: {0}":
    "미뤄 둔 것에 속하거나 그것을 기다리므로 함께 제외했습니다: {0}",
  '"or" says nothing between dependencies: {0} waits for all that is named':
    "의존 관계에는 '또는'이 없습니다: {0:은/는} 적힌 것을 모두 기다립니다",
  "name only what it has to wait for": "꼭 기다려야 하는 것만 적으세요",
  "open what they wait for, or take the dependency out": "기다리는 태스크를 다시 열거나 의존 관계를 빼세요",
  "take one of these dependencies out": "이 의존 관계 가운데 하나를 빼세요",
  "phase 0 runs one task at a time; its parallel fields have no effect":
    "단계 0은 태스크를 하나씩 실행합니다; 병렬 필드는 효과가 없습니다",
  "{0} stands before tasks it waits for; its place in the file is ignored":
    "{0:이/가} 자기가 기다리는 태스크보다 앞에 있습니다; 파일에서의 순서를 무시합니다",
  "move it behind them": "그 뒤로 옮기세요",
  "dependencies add up to more than {0}": "의존 관계가 모두 {0}개를 넘습니다",
  "dependencies and partners add up to more than {0}": "의존 관계와 짝이 모두 {0}개를 넘습니다",
  "name phases or groups less often, or split the plan": "단계나 그룹의 이름을 덜 쓰거나 계획을 나누세요",

  // The context tree.
  "is empty": "비어 있습니다",
  "is longer than {0} characters": "{0}자보다 깁니다",
  "is not relative": "상대 경로가 아닙니다",
  "has a backslash": "역슬래시가 있습니다",
  "leads upwards": "위로 나갑니다",
  "belongs to git": "git의 것입니다",
  "has a control character": "제어 문자가 있습니다",
  empty: "비어 있음",
  "too-long": "너무 김",
  characters: "쓸 수 없는 문자",
  "write ctx- and letters, digits, -, _ or .; at most 64 characters, and no path":
    "ctx- 뒤에 글자, 숫자, -, _, .로 64자까지 적으세요; 경로는 안 됩니다",
  'context node {0} names the document "{1}", which {2}': '컨텍스트 노드 {0}의 문서 "{1}": {2}',
  "name files of the repository by relative paths; * stands for a name, ** for folders":
    "저장소의 파일을 상대 경로로 적으세요; *는 이름, **는 폴더를 뜻합니다",
  '"{0}" cannot name a context node ({1})': '"{0}"{0|은/는} 컨텍스트 노드의 이름이 될 수 없습니다 ({1})',
  '"{0}" cannot name a context node': '"{0}"{0|은/는} 컨텍스트 노드의 이름이 될 수 없습니다',
  "context node {0} is declared twice": "컨텍스트 노드 {0:이/가} 두 번 선언되었습니다",
  "leave one of them out": "하나를 빼세요",
  "context nodes {0} and {1} differ in case or spelling only":
    "컨텍스트 노드 {0:과/와} {1:은/는} 대소문자나 표기만 다릅니다",
  "{0} is the root and has no parent": "{0:은/는} 루트이므로 부모가 없습니다",
  "leave its parent out": "부모를 빼세요",
  "context node {0} has the parent {1}, which is not declared":
    "컨텍스트 노드 {0}의 부모 {1:이/가} 선언되지 않았습니다",
  "declare the parent, or correct it": "부모를 선언하거나 고치세요",
  "did you mean {0}? Else declare the parent, or correct it":
    "혹시 {0}인가요? 아니면 부모를 선언하거나 고치세요",
  "context node {0} is its own ancestor": "컨텍스트 노드 {0:이/가} 자기 자신의 조상입니다",
  "give one of the nodes another parent": "노드 하나에 다른 부모를 주세요",
  "{0} fills {1}, which no task reads": "{0:이/가} 채우는 {1:을/를} 읽는 태스크가 없습니다",
  "give its readers context: {0}": "읽을 태스크에 context: {0:을/를} 적으세요",
  "{0} reads {1}, which holds no document and which no task fills":
    "{0:이/가} 읽는 {1}에 문서가 없고, 채우는 태스크도 없습니다",
  "give the node documents, or a task that fills it": "노드에 문서를 적거나, 채우는 태스크를 두세요",
  '"{0}" begins like a context node, but goes on with words':
    '"{0}"{0|은/는} 컨텍스트 노드처럼 시작하지만 말로 이어집니다',
  "write - ctx-name: path, path": "- ctx-name: 경로, 경로로 적으세요",
  '{0} names "{1}", which cannot be a context node':
    '{0:이/가} 적은 "{1}"{1|은/는} 컨텍스트 노드가 될 수 없습니다',
  "{0} names the context node {1}, which is not declared":
    "{0:이/가} 적은 컨텍스트 노드 {1:이/가} 선언되지 않았습니다",
  "declare it": "선언하세요",
  "did you mean {0}? Else declare it": "혹시 {0}인가요? 아니면 선언하세요",
  "fills and those who read their nodes add up to more than {0} dependencies":
    "채우는 태스크와 그 노드를 읽는 태스크의 의존 관계가 모두 {0}개를 넘습니다",
  "the document {0} (context node {1})": "문서 {0} (컨텍스트 노드 {1})",
  "the document {0} {1} (context node {2})": "문서 {0}: {1} (컨텍스트 노드 {2})",
  "espalier.yaml: {0}": "espalier.yaml: {0}",
  "does not exist": "없습니다",
  "is a link; name the file it leads to": "링크입니다; 가리키는 파일을 적으세요",
  "is a folder": "폴더입니다",
  "is no plain file": "일반 파일이 아닙니다",
  "leads out of the repository": "저장소 밖으로 나갑니다",
  "cannot be reached": "접근할 수 없습니다",
  "looks at more than {0} names; name a folder": "이름 {0}개보다 많은 것을 찾아봅니다; 폴더를 적으세요",
  "names more than {0} files": "파일 {0}개보다 많은 것에 해당합니다",
  "matches no file": "해당하는 파일이 없습니다",
  "and {0} differ in case or spelling only": "{0:과/와} 대소문자나 표기만 다릅니다",
  "is longer than {0} MiB": "{0} MiB보다 깁니다",
  "cannot be read": "읽을 수 없습니다",
  "is no UTF-8 text (byte {0})": "UTF-8 텍스트가 아닙니다 (바이트 {0})",
  "create it, or take it out; what a task prepares is hung on the node by fills:":
    "만들거나 빼세요; 태스크가 준비하는 것은 fills:가 노드에 매답니다",
  "nothing is read until a file matches": "해당하는 파일이 생길 때까지 아무것도 읽지 않습니다",
  "name a plain file of the repository": "저장소의 일반 파일을 적으세요",
  "copy it into the repository": "저장소 안으로 복사하세요",
  "split it, or name the part that matters": "나누거나 필요한 부분을 적으세요",
  "name the folder or the files more closely": "폴더나 파일을 더 자세히 적으세요",
  "documents are UTF-8 text": "문서는 UTF-8 텍스트여야 합니다",
  "rename one of them": "하나의 이름을 바꾸세요",
  "check its permissions": "권한을 확인하세요",

  // Several agents on one task.
  "{0} cannot be worked on by {1} agents at once: {2}":
    "{0:을/를} 에이전트 {1}개가 함께 작업할 수 없습니다: {2}",
  "its run: block does the same each time": "run: 블록은 매번 같은 일을 합니다",
  "phase 0 is worked on in the main checkout": "단계 0은 메인 체크아웃에서 작업합니다",
  "a document that is prepared has no proof": "준비하는 문서에는 검증이 없습니다",
  "write tries: 1, or leave it out": "tries: 1로 적거나 빼세요",
  "each begins on a clean tree, and retry: continue goes on with what was left":
    "각각 깨끗한 트리에서 시작하는데, retry: continue는 남은 것에서 이어 갑니다",
  "take one of them out": "둘 중 하나를 빼세요",
  "each needs a folder of its own, and without git worktrees all write one":
    "각각 자기 폴더가 필요한데, git 워크트리가 없으면 모두 한 폴더에 씁니다",
  "set git.worktrees to auto": "git.worktrees를 auto로 설정하세요",
  "git init, and a first commit": "git init과 첫 커밋이 필요합니다",
  "nothing proves which of them is done": "어느 쪽이 해냈는지 검증할 것이 없습니다",
  "give it verify: with a command that has to exit with 0":
    "종료 코드 0으로 끝나야 할 명령을 verify:에 적으세요",
  "no agent is called {0} ({1})": "{0:이/}라는 에이전트가 없습니다 ({1})",
  "name known agents, or those of agents: in espalier.yaml; espalier agents lists them":
    "아는 에이전트나 espalier.yaml의 agents:에 있는 이름을 적으세요. 목록: espalier agents",
  "{0} is to be worked on by {1} agents at once, and only {2} may":
    "{0:을/를} 에이전트 {1}개가 함께 작업해야 하는데 {2}개만 가능합니다",
  "parallel: and resources: in espalier.yaml say how many agents work at once":
    "동시에 일할 에이전트 수는 espalier.yaml의 parallel:과 resources:가 정합니다",

  // The repository.
  "this is a linked worktree: the run is that of its main checkout, {0}":
    "연결된 워크트리입니다: 실행은 메인 체크아웃 {0}의 것입니다",
  "not committed, so not seen in worktrees: {0}": "커밋하지 않아 워크트리에는 보이지 않습니다: {0}",

  // An import.
  "an issue has no id": "id가 없는 이슈가 있습니다",
  "every line is an issue of beads": "beads에서는 줄마다 이슈 하나입니다",
  "an issue has no number": "번호가 없는 이슈가 있습니다",
  "print it with --json number,title,body,state": "--json number,title,body,state로 출력하세요",
  "{0} is a child of itself, or nested too deep": "{0:이/가} 자기 자신의 자식이거나 너무 깊이 들어 있습니다",
  "take one of the parents out": "부모 하나를 빼세요",
  "{0} issues; at most {1} are read": "이슈가 {0}개입니다; 최대 {1}개까지 읽습니다",
  "filter the list": "목록을 줄이세요",
  "{0} is nested deeper than {1} containers": "{0:이/가} 컨테이너 {1}겹보다 깊이 들어 있습니다",
  "move it up": "위로 옮기세요",
  "this reads as {0}, not as anything to import": "{0:으로/로} 읽힙니다; 가져올 수 있는 형식이 아닙니다",
  "this reads as {0}, not as {1}": "{1:이/가} 아니라 {0:으로/로} 읽힙니다",
  "leave --from out, or write --from {0}": "--from을 빼거나 --from {0:으로/로} 적으세요",
  "no task stands in it": "태스크가 하나도 없습니다",
  "espalier plan reads it as it is": "espalier plan이 있는 그대로 읽습니다",
  "{0} waits for {1}, which is not imported; it counts as done":
    "{0:이/가} 기다리는 {1:을/를} 가져오지 않았습니다; 완료된 것으로 봅니다",
  "import both if it is not": "완료되지 않았다면 둘 다 가져오세요",
};
