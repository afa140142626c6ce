/** What runners of scripts say of a failure that is not their own, once the script has said what is wrong. */
const PREFIXES: Readonly<Record<string, readonly string[]>> = {
  npm: [
    "A complete log of this run",
    "Lifecycle script ",
    "Test failed.",
    "code ELIFECYCLE",
    "command ",
    "errno ",
    "location ",
    "path ",
    "workspace ",
  ],
  pnpm: ["ELIFECYCLE", "ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL", "[ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL]"],
  yarn: ["error Command failed", "info Visit https://yarnpkg.com/"],
};

/** How npm begins each line of its own. */
const NPM = ["npm error", "npm ERR!"];

function isOfNpm(line: string): boolean {
  const start = NPM.find(one => line.startsWith(one));
  if (start === undefined) return line.startsWith("npm notice");
  const said = line.slice(start.length).trimStart();
  const isLog = said.includes("/_logs/") && said.endsWith(".log");
  return said === "" || isLog || /^code \d{1,3}$/.test(said) || begins(said, "npm");
}

function begins(line: string, runner: string): boolean {
  return PREFIXES[runner]?.some(prefix => line.startsWith(prefix)) === true;
}

/** `make: *** [Makefile:3: test] Error 1` repeats what the command of a target ended with; what it says of itself does not. */
function isOfMake(line: string): boolean {
  const said = /^g?make(?:\[\d{1,3}\])?: /.exec(line)?.[0];
  if (said === undefined) return false;
  const rest = line.slice(said.length);
  const isRepeated = rest.startsWith("*** [") && /\] Error \d{1,3}(?: \(ignored\))?$/.test(rest);
  return (
    isRepeated || rest.startsWith("Leaving directory ") || rest.includes(" not remade because of errors")
  );
}

/** Whether a line is one by which npm, pnpm, yarn or make only pass on that something else has failed. */
export function isChatter(line: string): boolean {
  const said = line.trim();
  return isOfNpm(said) || begins(said, "pnpm") || begins(said, "yarn") || isOfMake(said);
}
