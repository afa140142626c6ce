import type { Locale } from "./messages.ts";
import { visible } from "./visible.ts";

/** A task as a report of a run tells it. Its texts are foreign. */
export interface ReportedTask {
  readonly id: string;
  readonly title: string;
  readonly state: "proved" | "unproved" | "skipped" | "open";
  /** The commands that proved it. */
  readonly proof: readonly string[];
  /** Where it has not been completed: how it stands, and why, in words. */
  readonly standing: string;
  /** What became of its review, where there was to be one. */
  readonly review?:
    | { readonly kind: "approved"; readonly by: string; readonly rounds: number }
    | { readonly kind: "person"; readonly by: string }
    | { readonly kind: "unreviewed" };
}

/** A phase as a report tells it. */
export interface ReportedPhase {
  readonly label: string;
  readonly title: string;
  readonly tasks: readonly ReportedTask[];
}

/** What a report of a run, or of one of its phases, is made of. */
export interface RunReport {
  readonly project: string;
  readonly phases: readonly ReportedPhase[];
  /** What the attempts took, as far as anybody knows. */
  readonly tokens: number;
  /** How many of the tokens are an estimate. */
  readonly estimated: number;
  /** US dollars; undefined where no price is known. */
  readonly cost: number | undefined;
  /** Attempts that the cost knows nothing of. */
  readonly unpriced: number;
  readonly attempts: number;
  /** What the reviewers took of it; undefined where none did. */
  readonly reviews?: { readonly tokens: number; readonly cost: number | undefined } | undefined;
}

/** A title and a text for a pull request. */
export interface PullRequest {
  readonly title: string;
  readonly body: string;
}

interface Words {
  readonly phase: (label: string) => string;
  readonly counts: (done: number, counted: number, unproved: number) => string;
  readonly provedBy: string;
  readonly unproved: string;
  readonly approved: (by: string, rounds: number) => string;
  readonly byPerson: (by: string) => string;
  readonly unreviewed: string;
  readonly skipped: string;
  readonly nobody: string;
  readonly cost: (tokens: string, cost: string | undefined, attempts: number, unpriced: number) => string;
  readonly reviews: (tokens: string, cost: string | undefined) => string;
  readonly more: (tasks: number) => string;
}

const ENGLISH: Words = {
  phase: label => `Phase ${label}`,
  counts: (done, counted, unproved) =>
    `${done} of ${counted} tasks completed${unproved === 0 ? "" : `, ${unproved} of them unverified`}.`,
  provedBy: "proved by",
  unproved: "**unverified**",
  approved: (by, rounds) =>
    `reviewed by ${by}: approved after ${rounds} ${rounds === 1 ? "round" : "rounds"}`,
  byPerson: by => (by === "" ? "approved by a person" : `approved by ${by}`),
  unreviewed: "**not reviewed**",
  skipped: "skipped",
  nobody: "Nobody proved",
  cost(tokens, cost, attempts, unpriced) {
    const took = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}, ${tokens} tokens`;
    if (cost === undefined) return `${took}.`;
    return `${took}, ${cost}${unpriced === 0 ? "" : ` (without ${unpriced} of no known price)`}.`;
  },
  reviews: (tokens, cost) => `Of it reviews: ${tokens} tokens${cost === undefined ? "" : `, ${cost}`}.`,
  more: tasks => `… and ${tasks} more`,
};

const KOREAN: Words = {
  phase: label => `단계 ${label}`,
  counts: (done, counted, unproved) =>
    `태스크 ${counted}개 중 ${done}개 완료${unproved === 0 ? "" : `, 그중 미검증 ${unproved}개`}.`,
  provedBy: "검증:",
  unproved: "**미검증**",
  approved: (by, rounds) => `${by} 검토 ${rounds}회, 승인`,
  byPerson: by => (by === "" ? "사람이 승인" : `승인: ${by}`),
  unreviewed: "**검토 없음**",
  skipped: "건너뜀",
  nobody: "검증되지 않음",
  cost(tokens, cost, attempts, unpriced) {
    const took = `시도 ${attempts}회, ${tokens} 토큰`;
    if (cost === undefined) return `${took}.`;
    return `${took}, ${cost}${unpriced === 0 ? "" : ` (가격을 모르는 ${unpriced}회 제외)`}.`;
  },
  reviews: (tokens, cost) => `그중 검토: ${tokens} 토큰${cost === undefined ? "" : `, ${cost}`}.`,
  more: tasks => `… 외 ${tasks}개`,
};

/** Characters of one foreign text. */
const LONGEST = 200;
/** Characters of a body: hosts of repositories take 65,536. */
const LONGEST_BODY = 60_000;
/** Its bytes as UTF-8: it is handed on in a variable of the environment, of which Linux takes 128 KiB. */
const LARGEST_BODY = 120_000;

const encoder = new TextEncoder();

/** Foreign text as a code span: nothing in it is markup, a link, a mention, or closes an issue. */
function code(text: string): string {
  const line = visible(text.replaceAll(/\s+/g, " ").trim(), LONGEST);
  const fence = "`".repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map(run => run.length)) + 1);
  const pad = line === "" || line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

function reviewText(review: ReportedTask["review"], words: Words): string {
  if (review === undefined) return "";
  if (review.kind === "person") return words.byPerson(review.by === "" ? "" : code(review.by));
  return review.kind === "approved" ? words.approved(code(review.by), review.rounds) : words.unreviewed;
}

function taskLine({ id, title, state, proof, standing, review }: ReportedTask, words: Words): string {
  const box = state === "open" ? " " : "x";
  const what = {
    proved: () => (proof.length === 0 ? "" : `${words.provedBy} ${proof.map(code).join(", ")}`),
    unproved: () => words.unproved,
    skipped: () => words.skipped,
    open: () => (standing === "" ? "" : code(standing)),
  }[state]();
  const note = box === "x" && standing !== "" ? code(standing) : "";
  const told = [what, note, reviewText(review, words)].filter(part => part !== "").join("; ");
  return `- [${box}] ${code(title === "" ? id : `${id}: ${title}`)}${told === "" ? "" : ` – ${told}`}`;
}

function phaseLines({ label, title, tasks }: ReportedPhase, words: Words): string[] {
  const counted = tasks.filter(({ state }) => state !== "skipped");
  const done = counted.filter(({ state }) => state !== "open").length;
  const unproved = counted.filter(({ state }) => state === "unproved").length;
  return [
    `## ${words.phase(visible(label, 40))}${title === "" ? "" : ` ${code(title)}`}`,
    "",
    words.counts(done, counted.length, unproved),
    "",
    ...tasks.map(task => taskLine(task, words)),
    "",
  ];
}

/** As many whole lines as fit; what is left out is counted. */
function bounded(lines: readonly string[], words: Words): string {
  let length = 0;
  let bytes = 0;
  const kept = lines.findIndex(line => {
    length += line.length + 1;
    bytes += encoder.encode(line).length + 1;
    return length > LONGEST_BODY || bytes > LARGEST_BODY;
  });
  if (kept < 0) return lines.join("\n");
  const left = lines.slice(kept).filter(line => line.startsWith("- [")).length;
  return [...lines.slice(0, kept), "", words.more(left)].join("\n");
}

/** Puts a report into words: what was done, what proved it, what nobody proved, what it cost. */
export function pullRequest(report: RunReport, locale: Locale): PullRequest {
  const words = locale === "ko" ? KOREAN : ENGLISH;
  const { project, phases, tokens, estimated, cost, unpriced, attempts, reviews } = report;
  const [only] = phases;
  const named =
    phases.length === 1 && only !== undefined
      ? `${words.phase(only.label)}${only.title === "" ? "" : `: ${only.title}`}`
      : "";
  const title = visible(
    [project, named]
      .filter(part => part !== "")
      .join(" – ")
      .replaceAll(/\s+/g, " "),
    LONGEST,
  );
  const unproved = phases.flatMap(({ tasks }) => tasks.filter(({ state }) => state === "unproved"));
  const whole = (count: number) => Math.round(count).toLocaleString("en-US");
  const money = (amount: number | undefined) => (amount === undefined ? undefined : `$${amount.toFixed(2)}`);
  const ids = unproved
    .slice(0, 50)
    .map(({ id }) => code(id))
    .join(", ");
  const rest = unproved.length > 50 ? ` ${words.more(unproved.length - 50)}` : "";
  const lines = [
    ...(unproved.length === 0 ? [] : [`${words.nobody}: ${ids}${rest}`, ""]),
    ...phases.flatMap(phase => phaseLines(phase, words)),
  ];
  const reviewed =
    reviews === undefined ? "" : ` ${words.reviews(whole(reviews.tokens), money(reviews.cost))}`;
  const about = estimated > 0 ? "≈ " : "";
  const paid = words.cost(about + whole(tokens), money(cost), attempts, unpriced) + reviewed;
  return { title, body: `${bounded(lines, words)}\n${paid}\n` };
}
