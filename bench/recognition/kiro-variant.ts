import { encode, page, type Variant, variant } from "./page.ts";
import type { Random } from "./random.ts";
import type { TruthTask } from "./truth.ts";

const TITLES = {
  en: [
    "Set up the project skeleton",
    "Build the upload service",
    "Add retry with backoff (max 3)",
    "Write unit tests for 2.1 style paths",
    "Expose GET /items/{id}",
  ],
  ja: [
    "プロジェクト基盤の構築",
    "アップロード機能を実装する",
    "リトライ処理（最大3回）を追加",
    "ユニットテストを作成する",
    "APIスキーマの定義",
  ],
  zh: ["搭建项目基础结构", "实现上传服务", "添加重试机制（最多3次）", "编写单元测试", "定义接口规范"],
} as const;
const DETAILS = {
  en: [
    "Create the module and its interface",
    "1.2 s timeout on every call",
    "Depends on the config loader being in place",
  ],
  ja: ["モジュールとインターフェースを作成", "タイムアウトを1.5秒に設定", "エラー時はログに記録する"],
  zh: ["创建模块与接口", "超时设置为 1.5 秒", "失败时记录日志"],
} as const;

/** A `tasks.md` as Kiro and cc-sdd write it. */
export function kiroVariant(random: Random, n: number): Variant {
  const tags: string[] = ["kiro"];
  const lang = random.pick(["en", "ja", "zh"] as const);
  const parents = random.pick(["box", "box", "heading", "none"] as const);
  const indent = parents === "box" ? random.pick(["", "", "  ", "    "]) : "";
  const star = random.pick(["after-box", "after-number"] as const);
  const dotted = random.dare(0.3);
  const boldNumber = random.dare(0.2);
  if (boldNumber) tags.push("beyond:bold-number");
  const bareParent = random.dare(0.3);
  if (bareParent) tags.push("beyond:parent-without-dot");
  const field = random.dare(0.5) ? random.pick(["_Depends: ", "_Dependencies: "]) : "";
  tags.push(lang, `parents:${parents}`, `indent:${indent.length}`);
  if (dotted) tags.push("beyond:dot-after-sub-number");
  if (field) tags.push(`beyond:${field.trim()}`);
  const out = page();
  const tasks: TruthTask[] = [];
  const optionalMark = (optional: boolean): [string, string] => {
    if (!optional) return ["", ""];
    tags.push(`star:${star}`);
    return star === "after-box" ? ["*", ""] : ["", "*"];
  };

  out.add({ en: "# Implementation Plan", ja: "# 実装計画", zh: "# 实施计划" }[lang], "");
  if (random.chance(0.3))
    out.add("## Overview", "", "- **Phase 1**: groundwork", "1. **First**: read the design", "");
  if (random.chance(0.3)) out.add(lang === "en" ? "## Tasks" : "## タスクリスト", "");
  const groups = random.int(1, 6);
  for (let g = 1; g <= groups; g += 1) {
    const subs = parents === "box" && random.chance(0.15) ? 0 : random.int(1, 5);
    const states = Array.from({ length: subs }, () => random.chance(0.5));
    const all = subs === 0 ? random.chance(0.5) : states.every(Boolean);
    if (parents === "heading")
      out.add(`${random.pick(["##", "###"])} ${g}. ${random.pick(TITLES[lang])}`, "");
    if (parents === "none" && g > 1 && random.chance(0.5)) out.add(`## Phase ${g}`, "");
    if (parents === "box") {
      const box = all ? random.pick(["[x]", "[x]", "[X]"]) : random.pick(["[ ]", "[ ]", "[-]", "[~]"]);
      const mark = random.chance(0.1) ? "(P) " : "";
      const line = out.add(`- ${box} ${g}${bareParent ? "" : "."} ${mark}${random.pick(TITLES[lang])}`);
      tasks.push({
        id: `${g}`,
        line,
        done: all,
        dependsOn: [],
        specialist: null,
        ...(subs > 0 ? { container: true } : {}),
      });
      if (subs === 0) details(`  `);
    }
    for (let s = 1; s <= subs; s += 1) {
      const done = states[s - 1] === true;
      const [afterBox, afterNumber] = optionalMark(random.chance(0.08));
      const box = done
        ? random.pick(["[x]", "[x]", "[X]"])
        : random.pick(["[ ]", "[ ]", "[ ]", "[-]", "[~]"]);
      const mark = random.chance(0.3) ? "(P) " : "";
      const line = out.add(
        `${indent}- ${box}${afterBox} ${boldNumber ? `**${g}.${s}**` : `${g}.${s}`}${dotted ? "." : ""}${afterNumber} ${mark}${random.pick(TITLES[lang])}`,
      );
      const depends =
        field === "" || tasks.length < 2
          ? []
          : random
              .some(
                tasks.filter(task => !task.container),
                random.int(0, 2),
              )
              .map(task => task.id);
      tasks.push({ id: `${g}.${s}`, line, done, dependsOn: depends, specialist: null });
      details(`${indent}  `, depends);
      if (random.chance(0.04) && !dotted) third(g, s, done);
      if (random.chance(0.7)) out.add("");
    }
  }
  if (random.chance(0.4)) {
    tags.push("coverage-table");
    out.add(
      "",
      "## Requirements Coverage",
      "",
      "| Requirement | Tasks |",
      "|---|---|",
      "| 1.1 | 1.1, 2.1* |",
      "| 1.2 | 1.2 |",
    );
  }
  if (random.chance(0.2))
    out.add("", "## Order", "", "1. **Phase 1** (1.1〜1.3)", "2. **Phase 2** (2.1 → 2.2)");
  return variant("kiro", `.kiro/specs/s${n}/tasks.md`, encode(random, out.text(), tags), tasks, tags);

  function details(lead: string, depends: readonly string[] = []): void {
    for (const text of random.some(DETAILS[lang], random.int(0, 3))) out.add(`${lead}- ${text}`);
    if (random.chance(0.07)) {
      tags.push("boxes-in-details");
      out.add(`${lead}- [ ] ${DETAILS[lang][0]}`, `${lead}- [x] ${DETAILS[lang][2]}`);
    }
    if (random.chance(0.85))
      out.add(`${lead}- _Requirements: ${random.pick(["1.1, 2.3", "3", "1.1-1.4", "All"])}_`);
    if (depends.length > 0) out.add(`${lead}- ${field}${depends.join(", ")}_`);
  }

  function third(g: number, s: number, done: boolean): void {
    tags.push("three-levels");
    const parent = tasks.length - 1;
    tasks[parent] = { ...tasks[parent]!, container: true };
    for (let t = 1; t <= 2; t += 1) {
      const line = out.add(
        `${indent}  - ${done ? "[x]" : "[ ]"} ${g}.${s}.${t} ${random.pick(TITLES[lang])}`,
      );
      tasks.push({ id: `${g}.${s}.${t}`, line, done, dependsOn: [], specialist: null });
    }
  }
}
