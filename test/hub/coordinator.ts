/** The program as a process of its own, from its source: whoever starts it may kill it. */
const { main } = await import("../../src/cli/main.ts");
await main(process.argv);
