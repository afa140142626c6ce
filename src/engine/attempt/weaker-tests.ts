import { few, type WeakerTests } from "../../ports/index.ts";
import type { TestReport } from "./test-report.ts";
import type { Place } from "./types.ts";

/** Names of files that runners take for tests, and folders of them. */
const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]*\.py$|_test\.\w+$/;
/** Changed test files that are compared. */
const MOST_COMPARED = 50;

/** What a test file holds, by what its lines look like in the usual languages. */
function strength(text: string): { tests: number; asserts: number; skipped: number } {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return {
    tests: count(
      /\b(?:it|test|specify)(?:\.\w{1,40}){0,4}\s{0,8}\(|^[ \t]{0,80}(?:async )?def test_|^func Test\w|#\[(?:\w{1,40}::)?test\b/gm,
    ),
    asserts: count(/\bexpect\w*\s*\(|\bassert\w*\b|\.should\b|\bt\.(?:Error|Fatal|Fail)\w*\(/g),
    skipped: count(
      /\b(?:it|test|describe|suite)\.(?:skip|todo)\b|\b(?:xit|xtest|xdescribe)\s*\(|\bskip(?:if|unless)?\(|#\[ignore|\bt\.Skip\w*\(/gi,
    ),
  };
}

function isWeaker(before: string, after: string): boolean {
  const [was, is] = [strength(before), strength(after)];
  return is.tests < was.tests || is.asserts < was.asserts || is.skipped > was.skipped;
}

/** Compares the tests that the work changed with those that stood before it; undefined where none asks for less. */
export async function weakerTests(
  { workspace, sealed, red }: Place,
  green: TestReport | undefined,
): Promise<WeakerTests | undefined> {
  const gone: string[] = [];
  const weaker: string[] = [];
  const changed = sealed?.changed.filter(path => TEST_PATH.test(path)).slice(0, MOST_COMPARED) ?? [];
  if (workspace !== undefined && sealed !== undefined)
    for (const path of changed) {
      const before = await workspace.read(workspace.base, path);
      if (before === undefined) continue;
      const after = await workspace.read(sealed.tree, path);
      if (after === undefined) gone.push(path);
      else if (isWeaker(before, after)) weaker.push(path);
    }
  const [was, is] = [red?.report?.ran, green?.ran];
  const fewer = was !== undefined && is !== undefined && is < was ? { before: was, after: is } : undefined;
  if (gone.length + weaker.length === 0 && fewer === undefined) return undefined;
  return { gone: few(gone), weaker: few(weaker), ...(fewer === undefined ? {} : { fewer }) };
}
