import { type Jail, openJail } from "../../adapters/agent/index.ts";
import type { Config } from "../../config/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { reasonText } from "../../text/index.ts";

/** The jail a project asks for. Undefined where it asks for none, or where `auto` finds none. Throws EspalierError. */
export async function projectJail(config: Config, path: string | undefined): Promise<Jail | undefined> {
  const { use } = config.jail;
  if (use === "off") return undefined;
  const opened = await openJail(path);
  if (opened.ok) return opened.value;
  if (use === "auto") return undefined;
  throw new EspalierError("NO_JAIL", `espalier.yaml asks for a jail: ${reasonText(opened.failure, "en")}`, {
    hint: "install it, or set jail: { use: auto } to go without where there is none",
    exitCode: EXIT.environment,
  });
}
