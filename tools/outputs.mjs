// Writes docs/output.schema.json: what each command prints with --json, read off the types of what the program hands to its
// printers. So nobody writes a shape twice, and a change of an output is a change of that file. `--print` writes it to standard output.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { API, SignatureKind, SymbolFlags, TypeFlags } from "typescript/unstable/sync";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PRINTERS = new Set(["sayJson", "sayJsonLine"]);

/** The functions of `src/cli/commands` that hand over what a command prints, or return it. */
const OUTPUTS = {
  plan: ["plan.ts plan"],
  status: ["status.ts statusJson"],
  dashboard: ["dashboard.ts dashboard"],
  watch: ["watch.ts plain", "watch.ts sayLast"],
  agents: ["agents.ts agents"],
  doctor: ["doctor.ts doctor"],
  run: ["../run-face.ts jsonViews", "run.ts dryRun"],
  resume: ["../run-face.ts jsonViews"],
  permit: ["permit.ts list"],
  "notify test": ["notify.ts notifyTest"],
  next: ["../../host/lead/lead.ts answerJson"],
  "task show": ["task.ts show"],
  "delta replay": ["delta/replay.ts replay"],
  "phase list": ["phase.ts list"],
  "phase show": ["phase.ts show"],
  "phase report": ["phase.ts report"],
  review: ["review.ts review"],
  "worktrees list": ["worktrees.ts list"],
  "checkpoint list": ["checkpoint/look.ts list"],
  "checkpoint show": ["checkpoint/look.ts show"],
  "checkpoint delta": ["checkpoint/documents.ts delta"],
  "checkpoint validate": ["checkpoint/documents.ts validate"],
  "checkpoint apply": ["checkpoint/documents.ts apply"],
  "checkpoint replay": ["checkpoint/documents.ts replay"],
  "checkpoint create": ["checkpoint/write.ts create"],
  "checkpoint merge": ["checkpoint/write.ts printed", "checkpoint/write.ts saved"],
  "checkpoint prune": ["checkpoint/upkeep.ts prune"],
  "checkpoint archive": ["checkpoint/upkeep.ts archive"],
  "checkpoint doctor": ["checkpoint/upkeep.ts doctor"],
  "context explain": ["context/explain.ts explain"],
  "context publish": ["context/publish.ts publishOnce"],
  "context show": ["context/show.ts showOne", "context/show.ts list"],
  "context log": ["context/log.ts log"],
  "context update": ["context/team.ts update"],
  "context ack": ["context/team.ts ack"],
  "context teammates": ["context/teammates.ts teammates"],
  "context tree": ["context/tree.ts tree"],
  "context receipt": ["context/receipt.ts receipt"],
  "context revert": ["context/revert.ts revert"],
  "context node": ["context/node.ts node"],
  summarize: ["summarize.ts asJson"],
  import: ["exchange.ts importTasks"],
  export: ["exchange.ts exportTasks"],
  "hub token list": ["hub.ts tokenList"],
  "worker list": ["worker.ts workerList"],
  budget: ["budget/show.ts json"],
  "budget cache list": ["budget/cache.ts listCache"],
  "budget lint": ["budget/lint.ts lintPackages"],
  "budget why": ["budget/why.ts whyBudget"],
  "budget plan": ["budget/plan.ts planBudget"],
};

/** The nodes below one, itself first. */
function* within(node) {
  yield node;
  const children = [];
  node.forEachChild(child => void children.push(child));
  for (const child of children) yield* within(child);
}

/** The types that a function hands to a printer; what it returns where it calls none. */
function printedBy({ program, checker }, place) {
  const [path, name] = place.split(" ");
  const file = program.getSourceFile(fileURLToPath(new URL(`../src/cli/commands/${path}`, import.meta.url)));
  const made = file?.statements.find(statement => statement.name?.text === name);
  if (made === undefined) throw new Error(`${place} is not there`);
  const types = [...within(made)]
    .filter(node => PRINTERS.has(node.expression?.text) && node.arguments !== undefined)
    .map(({ arguments: [, value] }) => checker.getTypeAtLocation(value));
  if (types.length > 0) return types;
  const [signature] = checker.getSignaturesOfType(checker.getTypeAtLocation(made.name), SignatureKind.Call);
  return [checker.getReturnTypeOfSignature(signature)];
}

const is = (type, flag) => (type.flags & flag) !== 0;
const NOTHING = TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never | TypeFlags.ESSymbolLike;
const SIMPLE = [
  [TypeFlags.Any | TypeFlags.Unknown, {}],
  [TypeFlags.Null, { type: "null" }],
  [TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping, { type: "string" }],
  [TypeFlags.Number, { type: "number" }],
  [TypeFlags.Boolean, { type: "boolean" }],
];

/** Turns types into schemas, as `JSON.stringify` turns their values into text; those with a name stand once, in `defs`. */
function converter(checker) {
  const defs = {};
  const named = new Map();

  const isCallable = type => checker.getSignaturesOfType(type, SignatureKind.Call).length > 0;
  const isLeftOut = type => is(type, NOTHING) || (is(type, TypeFlags.Object) && isCallable(type));

  function union(types) {
    const kept = types.filter(type => !isLeftOut(type));
    const isLiteral = type => is(type, TypeFlags.StringLiteral | TypeFlags.NumberLiteral);
    const literals = kept.filter(isLiteral).map(({ value }) => value);
    const schemas = kept.filter(type => !isLiteral(type)).map(schemaOf);
    if (literals.length > 0)
      schemas.unshift(literals.length === 1 ? { const: literals[0] } : { enum: literals.sort() });
    const texts = [...new Set(schemas.map(schema => JSON.stringify(schema)))];
    const isBoth = [true, false].every(value => texts.includes(JSON.stringify({ const: value })));
    const rest = isBoth
      ? [...texts.filter(text => !/^\{"const":(?:true|false)\}$/.test(text)), '{"type":"boolean"}']
      : texts;
    return rest.length === 1 ? JSON.parse(rest[0]) : { anyOf: rest.map(text => JSON.parse(text)) };
  }

  function property(symbol) {
    const type = checker.getTypeOfSymbol(symbol);
    const parts = type.isUnionType() ? type.getTypes() : [type];
    if (parts.every(isLeftOut)) return undefined;
    const isOptional = (symbol.flags & SymbolFlags.Optional) !== 0 || parts.some(isLeftOut);
    const description = symbol.getDocumentationComment(checker).trim();
    return { isOptional, schema: { ...schemaOf(type), ...(description === "" ? {} : { description }) } };
  }

  function object(type) {
    const properties = {};
    const required = [];
    for (const symbol of checker.getPropertiesOfType(type)) {
      const found = symbol.name.startsWith("__@") ? undefined : property(symbol);
      if (found === undefined) continue;
      properties[symbol.name] = found.schema;
      if (!found.isOptional) required.push(symbol.name);
    }
    const [index] = checker.getIndexInfosOfType(type);
    const more = index === undefined ? {} : { additionalProperties: schemaOf(index.valueType) };
    return {
      type: "object",
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required }),
      ...more,
    };
  }

  function structure(type) {
    if (type.isUnionType()) return union(type.getTypes());
    // A text or a number with a brand.
    const plain = type.isIntersectionType()
      ? type.getTypes().find(one => !is(one, TypeFlags.Object))
      : undefined;
    if (plain !== undefined) return schemaOf(plain);
    if (checker.isTupleType(type)) {
      const items = checker.getTypeArguments(type).map(schemaOf);
      const isFixed = type.getTarget().fixedLength === items.length;
      if (isFixed)
        return { type: "array", prefixItems: items, minItems: items.length, maxItems: items.length };
      return { type: "array", items: items.length === 1 ? items[0] : { anyOf: items } };
    }
    if (checker.isArrayType(type))
      return { type: "array", items: schemaOf(checker.getTypeArguments(type)[0]) };
    // Neither has anything of its own for JSON.
    const name = type.getSymbol()?.name;
    if (["Map", "ReadonlyMap", "Set", "ReadonlySet"].includes(name)) return { type: "object" };
    return object(type);
  }

  /** The name of a type that somebody gave one, and that stands in no other's way. */
  function nameOf(type) {
    const alias = type.getAliasSymbol();
    const own = type.isClassOrInterface() ? type.getSymbol() : undefined;
    const isGeneric = (alias === undefined ? [] : type.getAliasTypeArguments()).length > 0;
    const name = isGeneric ? undefined : (alias ?? own)?.name;
    if (name === undefined || checker.isArrayType(type)) return undefined;
    let free = name;
    for (let at = 2; Object.hasOwn(defs, free); at++) free = `${name}${at}`;
    return free;
  }

  function schemaOf(type) {
    for (const [flags, schema] of SIMPLE) if (is(type, flags)) return schema;
    if (is(type, TypeFlags.StringLiteral | TypeFlags.NumberLiteral | TypeFlags.BooleanLiteral))
      return { const: type.value ?? type.intrinsicName === "true" };
    const known = named.get(type.id);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = nameOf(type);
    if (name === undefined) return structure(type);
    named.set(type.id, name);
    defs[name] = {};
    defs[name] = structure(type);
    return { $ref: `#/$defs/${name}` };
  }
  return { defs, union };
}

/** The whole file. */
export function outputSchema() {
  const api = new API({ cwd: ROOT });
  try {
    const config = `${ROOT}tsconfig.json`;
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    const { defs, union } = converter(project.checker);
    const properties = Object.fromEntries(
      Object.entries(OUTPUTS).map(([command, places]) => [
        command,
        union(places.flatMap(place => printedBy(project, place))),
      ]),
    );
    const sorted = Object.fromEntries(Object.entries(defs).sort(([a], [b]) => (a < b ? -1 : 1)));
    return {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "What the commands of espalier print with --json, by command",
      type: "object",
      properties,
      $defs: sorted,
    };
  } finally {
    api.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = `${JSON.stringify(outputSchema(), null, 2)}\n`;
  if (process.argv[2] === "--print") process.stdout.write(text);
  else writeFileSync(`${ROOT}docs/output.schema.json`, text);
}
