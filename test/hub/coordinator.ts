/** The program as a process of its own, from its source: whoever starts it may kill it. */
if (process.env["TEST_TERMINAL"] === "1") {
  for (const end of [process.stdin, process.stdout]) end.isTTY = true;
  process.stdin.setRawMode = () => process.stdin;
}
const { main } = await import("../../src/cli/main.ts");
await main(process.argv);
