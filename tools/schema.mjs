// Writes the JSON Schema of espalier.yaml beside the build, for completion in editors.
import { writeFileSync } from "node:fs";
import { z } from "zod";
import { configSchema } from "../src/config/index.ts";

const schema = z.toJSONSchema(configSchema(), { io: "input" });
writeFileSync(
  new URL("../dist/espalier.schema.json", import.meta.url),
  `${JSON.stringify({ title: "espalier.yaml", ...schema }, null, 2)}\n`,
);
