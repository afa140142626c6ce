export { agentEnglish, agentKorean } from "./agent-words.ts";
export { isChatter } from "./chatter.ts";
export { cutNote, fromLine, isCut } from "./cut-note.ts";
export { type DraftWords, draftWords } from "./draft-words.ts";
export { duration } from "./duration.ts";
export { ENGLISH } from "./english.ts";
export { type EvidenceWords, evidenceWords } from "./evidence-words.ts";
export { endOf, type FeedbackWords, feedbackWords } from "./feedback-words.ts";
export { isPattern, matchesName, matchesPath } from "./glob.ts";
export {
  handoverAsked,
  handoverHeading,
  handoverHints,
  handoverMissing,
  notAddedNote,
} from "./handover-words.ts";
export { KOREAN } from "./korean.ts";
export { localeOf } from "./locale-of.ts";
export { localeOfEnv } from "./locale-of-env.ts";
export type { Locale, Messages, PromptFacts } from "./messages.ts";
export { messagesFor } from "./messages-for.ts";
export { nearest } from "./nearest.ts";
export { isUrgent, noticeJson, noticeParts, noticeText } from "./notices.ts";
export {
  type DocumentOrigin,
  isOfAgent,
  PACKAGE_ENGLISH,
  PACKAGE_KOREAN,
  type PackageWords,
} from "./package-words.ts";
export { type Particle, particle, withParticle } from "./particle.ts";
export {
  type PullRequest,
  pullRequest,
  type ReportedPhase,
  type ReportedTask,
  type RunReport,
} from "./pull-request.ts";
export {
  errorFor,
  eventText,
  failedFor,
  isWorded,
  leftShown,
  reasonText,
  said,
  unsuitable,
} from "./reasons/index.ts";
export {
  createRedactor,
  looksSecret,
  type RedactionStream,
  type Redactor,
  textStream,
} from "./redact/index.ts";
export { refactorMessage } from "./refactor.ts";
export {
  type FindingsFacts,
  findingsMessage,
  type ReviewFacts,
  reviewMessage,
  unsignedReview,
} from "./review-words.ts";
export { shellWord } from "./shell-word.ts";
export { isSignal } from "./signal-line.ts";
export { type SignalMissingFacts, signalMissing } from "./signal-words.ts";
export { isToldBySlug, slug } from "./slug.ts";
export { STATUS_WORDS } from "./status-words.ts";
export { textHash } from "./text-hash.ts";
export { thereAre } from "./there-are.ts";
export { asSaid, messageIn, type Told, told, toldText } from "./told.ts";
export { firstLine, uncolored, visible, visibleLines } from "./visible.ts";
export { dateAndTime, timeOfDay } from "./wall-clock.ts";
