import { createHash } from "node:crypto";
import {
  assemble,
  type ContextPackage,
  createLayouts,
  type Layouts,
  PACKAGE_LIMITS,
  type PackageDocument,
  type PackageNode,
  type PackageRequest,
  type PackageResult,
} from "../../src/assembly/index.ts";
import { PACKAGE_ENGLISH } from "../../src/text/index.ts";
import { countTokens } from "../../src/tokens/index.ts";

/** SHA-256 in hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A document from a file called like its label. */
export function doc(label: string, text: string, version = 1): PackageDocument {
  const path = `docs/${label}.md`;
  return { label, version, text, hash: sha256(text), origin: { kind: "file", path }, name: path };
}

/** A node that reads the given documents. */
export function node(id: string, ...documents: readonly PackageDocument[]): PackageNode {
  return { id, documents, repeated: [] };
}

/** What a task said at its end. */
export function result(task: string, text: string, attempt = 1): PackageResult {
  return { task, attempt, text, hash: sha256(text) };
}

/** A worker's request that reads a path; everything else can be replaced. */
export function request(path: readonly PackageNode[], more: Partial<PackageRequest> = {}): PackageRequest {
  return {
    kind: "worker",
    path,
    role: "# Role: worker",
    results: [],
    attempts: [],
    task: "T1",
    assignment: "Task ID: T1\n",
    words: PACKAGE_ENGLISH,
    limits: PACKAGE_LIMITS,
    ...more,
  };
}

/** Assembles packages one after the other with one memory. */
export function assembler(layouts: Layouts = createLayouts()): (of: PackageRequest) => ContextPackage {
  return of => assemble(of, layouts, countTokens);
}

/** A text of about so many tokens, different for different names. */
export function prose(name: string, tokens: number): string {
  const line = `- ${name}: the gate opens when every branch has grown as far as the wire.\n`;
  return `# ${name}\n\n${line.repeat(Math.ceil(tokens / countTokens(line)))}`;
}
