import { type Jail, openJail } from "../../adapters/agent/index.ts";
import type { Config } from "../../config/index.ts";
import { because, EXIT } from "../../ports/index.ts";
import { errorFor } from "../../text/index.ts";

/** The jail a project asks for. Undefined where it asks for none, or where `auto` finds none. Throws EspalierError. */
export async function projectJail(config: Config, path: string | undefined): Promise<Jail | undefined> {
  const { use } = config.jail;
  if (use === "off") return undefined;
  const opened = await openJail(path);
  if (opened.ok) return opened.value;
  if (use === "auto") return undefined;
  throw errorFor("NO_JAIL", opened.failure, {
    advice: because("jail-or-auto", {}),
    exitCode: EXIT.environment,
  });
}
