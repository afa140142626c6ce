/** The program as a process of its own, as `test/bundle.ts` has bundled it: whoever starts it may kill it. */
if (process.env["TEST_TERMINAL"] === "1") {
  for (const end of [process.stdin, process.stdout]) end.isTTY = true;
  process.stdin.setRawMode = () => process.stdin;
}
const { main } = await import(new URL("../../dist/cli/main.js", import.meta.url).href);
await main(process.argv);
