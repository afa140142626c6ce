/** Why an acknowledgement proves what it does, by the English sentence. */
export const ACK_FINDINGS_KOREAN: Readonly<Record<string, string>> = {
  "Nobody of this name is in the team": "이 이름의 팀원이 없습니다",
  "Its session has ended": "세션이 끝났습니다",
  "This is {0}": "이 문서는 {0}입니다",
  "The session is {0}": "세션은 {0}입니다",
  "Message #{0} was sent before its context was new":
    "메시지 #{0:은/는} 컨텍스트가 새로 시작되기 전에 보냈습니다",
  "Version {0} is confirmed": "버전 {0}까지 확인되었습니다",
  "Confirmed already": "이미 확인되었습니다",
  "Version {0} was not sent to it": "버전 {0:은/는} 보낸 적이 없습니다",
  "It holds {0}, version {1} is {2}": "가진 것은 {0}, 버전 {1}의 해시는 {2}입니다",
  "Not understood: {0}": "이해하지 못한 부분: {0}",
  "It proves by {0} digits of its hash, and gave {1}": "해시 {0}자리로 증명하는 팀원이 {1}자리를 적었습니다",
  "After a loss it has to name the message it answers":
    "컨텍스트를 잃은 뒤에는 답하는 메시지의 번호를 적어야 합니다",
  'Behind "{0}" it has read nothing': '"{0}" 다음의 단어를 답하지 않았습니다',
  'Behind "{0}" it has read "{1}"': '"{0}" 다음의 단어로 "{1}"{1|을/를} 답했습니다',
  "By hash": "해시로",
  "By what it has read": "읽은 내용으로",
  "By its word": "말로",
  "It began with it": "첫 메시지에 있음",
  "{0} of {1} cannot be": "{1}개 중 {0}개는 있을 수 없습니다",
  "{0} of {1} missing, {2} unclear": "{1}개 중 {0}개 누락, 불명확 {2}개",
  "It asks for an explanation": "설명을 요청합니다",
  "It saw {0} of {1} items": "항목 {1}개 중 {0}개만 보았습니다",
};
