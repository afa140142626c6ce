import { describe, expect, it } from "vitest";
import { AGENT_NAMES } from "../../src/ports/index.ts";
import { codes, errors, messages, read, task, withLines } from "./reading.ts";

describe("resources", () => {
  it.each([
    ["- uses: [db, port:3000]", ["db", "port:3000"]],
    ["- uses: db, db", ["db"]],
    ["- 자원: db", ["db"]],
    ["- **자원**: [db]", ["db"]],
    ["- **Uses**: [db]", ["db"]],
    ["- Uses: React hooks and the store", undefined],
    ["- **Uses**: db, the store", undefined],
    ["- uses: none", undefined],
  ])("[L81] %j uses %j", (line, names) => {
    expect(withLines(line).uses).toEqual(names);
  });

  it("[L81] what is no name is told behind our own spelling", () => {
    const reading = read("- [ ] T1: a\n  - uses: db, the store\n");
    expect(task(reading, "T1").uses).toEqual(["db"]);
    expect(codes(reading)).toContain("BAD_FIELD");
  });
});

describe("a reviewer", () => {
  it.each([
    ["- review: no", "no"],
    ["- review: none", "no"],
    ["- review: 아니오", "no"],
    ["- review: codex", "codex"],
    ["- review: my-judge", "my-judge"],
    ["- review: 심판", "심판"],
    ["- review: yes", undefined],
    ["- review: by the security team", undefined],
    ["- **Review**: codex", undefined],
    ["- Review: pending", undefined],
  ])("[L82] %j names %j", (line, name) => {
    expect(withLines(line).review).toBe(name);
  });

  it("[L82] what names no agent is told behind our own spelling", () => {
    expect(codes(read("- [ ] T1: a\n  - review: by the team\n"))).toContain("BAD_FIELD");
    expect(codes(read("- [ ] T1: a\n  - **Review**: by the team\n"))).not.toContain("BAD_FIELD");
  });
});

describe("commands", () => {
  it("[L26] a shell fence below the field, indentation kept inside", () => {
    const reading = read(
      '- [ ] T1: a\n  - run:\n    ```sh\n    for f in *; do\n      echo "$f"\n    done\n    ```\n  - verify: `test -f x`\n- [ ] T2: b\n',
    );
    expect(task(reading, "T1").run).toBe('for f in *; do\n  echo "$f"\ndone');
    expect(task(reading, "T1").verify).toBe("test -f x");
    expect(task(reading, "T2").run).toBeUndefined();
  });

  it.each([
    ["- run: `npm run build`", "npm run build"],
    ["- **run**: `npm run build`", "npm run build"],
    ["- run: npm run build", "npm run build"],
    ["- run: `npm run build` (twice)", "npm run build"],
    ["run: make all", "make all"],
    ["- **run**: npm run build", undefined],
    ["- **Run**: `npm run build` and look", undefined],
    ["- Run: the application and look", undefined],
    ["- run: (cd web && npm test)", "(cd web && npm test)"],
    ["- run: (a; b) | c", "(a; b) | c"],
    ["- run: ((n = 1)) && a", "((n = 1)) && a"],
    ["- run: (none)", undefined],
    ["- run: ( 없음 )", undefined],
    ["- run: ()", undefined],
    ["- run: none", undefined],
    ["- run: -", undefined],
    ["- run:", undefined],
    ["- run: ``", undefined],
  ])("[L26] %j runs %j", (line, command) => {
    expect(withLines(line).run).toBe(command);
  });

  it.each(["run", "verify", "test"] as const)("[L26] %s takes a fence, a span, or plain words", name => {
    expect(withLines(`- ${name}:`, "  ```bash", "  a && b", "  ```")[name]).toBe("a && b");
    expect(withLines(`- ${name}: \`a | b\``)[name]).toBe("a | b");
    expect(withLines(`- ${name}: a --b`)[name]).toBe("a --b");
  });

  it("[L26] a block below | or > is a command, whatever its lines look like", () => {
    const reading = read(
      "- [ ] T1: a\n  - run: |\n      # heading?\n      - [ ] no task\n        indented\n\n      last\n  - verify: >\n      one\n      two\n- [ ] T2: b\n  - **run**: |\n      make\n",
    );
    expect(task(reading, "T1").run).toBe("# heading?\n- [ ] no task\n  indented\n\nlast");
    expect(task(reading, "T1").verify).toBe("one two");
    expect(reading.plan.tasks.map(found => found.id)).toEqual(["T1", "T2"]);
    expect(task(reading, "T2").run).toBeUndefined();
  });

  it("[L26] quotes around all of a command are left off", () => {
    expect(withLines('- run: "make all"').run).toBe("make all");
    expect(withLines("- run: 'make all'").run).toBe("make all");
    expect(withLines('- run: "make" && "test"').run).toBe('"make" && "test"');
  });

  it("[L26] only shell fences are commands", () => {
    expect(withLines("- run:", "  ```ts", "  const a = 1", "  ```").run).toBeUndefined();
    expect(withLines("- run:", "  ```", "  make", "  ```").run).toBe("make");
    expect(withLines("- run:", "  ```console", "  make", "  ```").run).toBe("make");
  });

  it("[L26] a fence that is not below the field is none of it", () => {
    expect(withLines("- run:", "text in between", "```sh", "rm -rf /", "```").run).toBeUndefined();
    expect(withLines("```sh", "rm -rf /", "```").run).toBeUndefined();
  });

  it("[L26] only the first fence counts", () => {
    expect(withLines("- run:", "  ```sh", "  a", "  ```", "  ```sh", "  b", "  ```").run).toBe("a");
  });

  it.each(["run", "verify", "test"])("[L26] %s with a code span among other words is told", name => {
    const { diagnostics } = read(`### [ ] T1.1: a\n- ${name}: echo \`date\` > now\n`);
    expect(diagnostics.map(({ code, message }) => [code, message])).toContainEqual([
      "BAD_FIELD",
      `${name} is not read as a command: a code span stands among other words`,
    ]);
    expect(read(`### [ ] T1.1: a\n- **${name}**: echo \`date\` > now\n`).diagnostics).toEqual([]);
  });

  it.each([
    ["- tdd: maybe", 'tdd "maybe" is neither yes nor no'],
    ["- tdd: (of course)", 'tdd "(of course)" is neither yes nor no'],
    ["- risk: (x)", 'risk "(x)" is none of'],
    ["- retry: (again)", 'retry "(again)" is none of'],
    ["- uses: (db)", 'uses "(db)" is no name'],
  ])("[L28] %j is told", (line, told) => {
    const said = messages(read(`### [ ] T1.1: a\n${line}\n`), "BAD_FIELD");
    expect(said.filter(message => message.includes(told))).toHaveLength(1);
  });

  it.each(["- tdd: (none)", "- **TDD**: maybe", "- risk:", "- uses: (none)", "- tdd:"])(
    "[L28] %j is nothing, and nothing is told",
    line => {
      expect(messages(read(`### [ ] T1.1: a\n${line}\n`), "BAD_FIELD")).toEqual([]);
    },
  );

  it("[L26] prose in other languages is no command", () => {
    expect(withLines("- **검증**: `npm test`").verify).toBeUndefined();
    expect(withLines("- **Verify**: open the page and look").verify).toBeUndefined();
    expect(withLines("- **Test**: tests/cart.test.ts").test).toBeUndefined();
  });

  it("[L26] YAML never becomes a command", () => {
    const found = withLines(
      "```yaml",
      "run: rm -rf /",
      "verify: 'true'",
      "specialist: x",
      "depends_on: [T9.9]",
      "```",
    );
    expect(found).toMatchObject({ specialist: "x", dependsOn: ["T9.9"] });
    expect(found.run).toBeUndefined();
    expect(found.verify).toBeUndefined();
  });

  it("[L26] a list in YAML is a value", () => {
    const found = withLines("```yml", "depends_on:", "  - T9.9", "files:", "- src/a.ts", "```");
    expect(found).toMatchObject({ dependsOn: ["T9.9"], files: ["src/a.ts"] });
  });
});

describe("roles and agents", () => {
  it.each([
    ["- 담당: backend-specialist", "backend-specialist"],
    ["- 담당: `backend-specialist`", "backend-specialist"],
    ["- 담당: **backend-specialist**", "backend-specialist"],
    ["- 담당: 🤖 backend-specialist", "backend-specialist"],
    ["- 담당: @backend-specialist", "backend-specialist"],
    ["- 담당: backend-specialist (API)", "backend-specialist"],
    ["- 담당: backend-specialist - API 구현", "backend-specialist"],
    ["- 담당: backend-specialist — API", "backend-specialist"],
    ["- 담당: backend-specialist | 2h", "backend-specialist"],
    ["- 담당: a-specialist, b-specialist", "a-specialist, b-specialist"],
    ["- 담당: `a-specialist` + `b-specialist`", "a-specialist + b-specialist"],
    ["- 담당: 김개발", "김개발"],
    ["- Owner: Backend Team", "Backend Team"],
    ["- 담당: 없음", undefined],
    ["- 담당: none", undefined],
    ["- 담당: -", undefined],
    ["- 담당: TBD", undefined],
    ["- 담당: 미정 (다음 주)", undefined],
    ["- 담당:", undefined],
    ["- agent role: test-specialist", "test-specialist"],
    ["- Agent: test-specialist", "test-specialist"],
    ["- 에이전트: test-specialist", "test-specialist"],
    ["- role: writer", "writer"],
    ["- **Role**: writer of texts", "writer of texts"],
  ])("[L27] %j names %j", (line, specialist) => {
    expect(withLines(line).specialist).toBe(specialist);
  });

  it.each(AGENT_NAMES)("[L27] agent: %s is an agent", name => {
    for (const written of [name, name.toUpperCase()]) {
      const found = withLines(`- agent: ${written}`);
      expect(found.agent).toBe(name);
      expect(found.specialist).toBeUndefined();
    }
  });

  it.each([
    ["claude-code", "claude"],
    ["gemini-cli", "gemini"],
  ])("[L27] agent: %s, as its vendor calls it, is the agent %s", (written, name) => {
    expect(withLines(`- agent: ${written}`)).toMatchObject({ agent: name });
  });

  it.each(["acp", "lead", "backend"])("[L27] agent: %s names no agent of ours, so it is a role", name => {
    const found = withLines(`- agent: ${name}`);
    expect(found.agent).toBeUndefined();
    expect(found.specialist).toBe(name);
  });

  it("[L27] beside a specialist any agent is an adapter", () => {
    expect(withLines("- 담당: ui-specialist", "- agent: my-own")).toMatchObject({
      specialist: "ui-specialist",
      agent: "my-own",
    });
  });

  it("[L27] our role is a role and the specialist where there is none", () => {
    expect(withLines("- role: writer")).toMatchObject({ role: "writer", specialist: "writer" });
    expect(withLines("- role: writer", "- specialist: editor")).toMatchObject({
      role: "writer",
      specialist: "editor",
    });
    expect(withLines("- role: 백엔드-개발자", "- 담당: 철수")).toMatchObject({
      role: "백엔드-개발자",
      specialist: "철수",
    });
  });

  it.each([
    ["- [ ] T1: a (database-specialist)", "database-specialist"],
    ["- [ ] T1: a @test-engineer", "test-engineer"],
    ["- [ ] T1: a (@qa-agent)", "qa-agent"],
    ["- [ ] T1: a (docs-writer)", undefined],
    ["- [ ] T1: a @home", undefined],
    ["- [ ] T1: a (specialist)", undefined],
  ])("[L27] a title %j names %j", (line, specialist) => {
    expect(task(read(line), "T1").specialist).toBe(specialist);
  });
});

describe("other fields", () => {
  it("[L28] fills makes a context-fill task", () => {
    expect(withLines("- fills: ctx-api")).toMatchObject({ kind: "context-fill", fills: "ctx-api" });
    expect(withLines("- kind: context-fill", "- fills: `ctx-api`")).toMatchObject({
      kind: "context-fill",
      fills: "ctx-api",
    });
    expect(withLines("- kind: worker").kind).toBe("worker");
    expect(withLines("- kind: context_fill", "- fills: ctx-a").kind).toBe("context-fill");
    expect(withLines("- nothing").kind).toBe("worker");
  });

  it("[L28] a context-fill task without a node is an error", () => {
    const reading = read("- [ ] T1: a\n  - kind: context-fill\n");
    expect(errors(reading)).toEqual(["NO_TARGET"]);
    expect(reading.diagnostics[0]).toMatchObject({ line: 2 });
  });

  it.each([
    ["low", "low"],
    ["Medium", "medium"],
    ["critical", "critical"],
    ["high", "critical"],
    ["높음", "critical"],
    ["보통", "medium"],
    ["낮음 (문서만)", "low"],
  ])("[L28] risk %s is %s", (word, risk) => {
    expect(withLines(`- risk: ${word}`).risk).toBe(risk);
  });

  it("[L28] unknown risk and kind are warnings behind our own names only", () => {
    const reading = read(
      "- [ ] T1: a\n  - risk: huge\n  - kind: chore\n- [ ] T2: b\n  - **Risk**: huge\n  - **Kind**: chore\n",
    );
    expect(codes(reading)).toEqual(["BAD_FIELD", "BAD_FIELD"]);
    expect(messages(reading, "BAD_FIELD")[0]).toBe('risk "huge" is none of low, medium, critical');
    expect(task(reading, "T1").kind).toBe("worker");
  });

  it.each([
    ["- tdd: true", true],
    ["- TDD: 필수", true],
    ["- **TDD**: RED → GREEN → REFACTOR", true],
    ["- tdd: false", false],
    ["- TDD: 미적용", false],
    ["- TDD: N/A (문서)", false],
    ["- TDD: see below", undefined],
    ["- nothing", undefined],
  ])("[L28] %j is %s", (line, tdd) => {
    expect(withLines(line).tdd).toBe(tdd);
  });

  it("[L28] RED→GREEN in a title is test-driven", () => {
    expect(task(read("- [ ] T1: Cart RED→GREEN\n"), "T1").tdd).toBe(true);
    expect(task(read("- [ ] T1: Cart RED -> GREEN\n"), "T1").tdd).toBe(true);
    expect(task(read("- [ ] T1: Cart\n"), "T1").tdd).toBeUndefined();
  });

  it.each([
    ["- worktree: ../shop-phase1", "../shop-phase1"],
    ["- **Worktree**: `worktree/phase-1` (신규)", "worktree/phase-1"],
    ["- Worktree: phase-1 브랜치에서", "phase-1"],
    ["- Worktree: git worktree add ../shop -b feat", "../shop"],
    ["- Worktree: `git worktree add ../shop -b feat`", "../shop"],
    ["- Worktree: 없음", undefined],
    ["- Worktree: N/A", undefined],
    ["- Worktree: -", undefined],
    ["- Worktree: 불필요 (main에서 작업)", undefined],
  ])("[L28] %j works in %j", (line, worktree) => {
    expect(withLines(line).worktree).toBe(worktree);
  });

  it("[L28] a fence that makes a worktree names it", () => {
    const found = withLines(
      "**Git Worktree 설정**:",
      "```bash",
      "# comment",
      "git worktree add ../shop-p1 -b phase/1",
      "cd ../shop-p1",
      "```",
    );
    expect(found.worktree).toBe("../shop-p1");
  });

  it("[L28] context, expects and files", () => {
    const found = withLines(
      "- context: ctx-api",
      "- expects: out/a.txt, out/b.txt",
      "- files: src/a.ts, src/b.ts",
    );
    expect(found).toMatchObject({
      contextRef: "ctx-api",
      expects: ["out/a.txt", "out/b.txt"],
      files: ["src/a.ts", "src/b.ts"],
    });
    expect(withLines("- expects: diff").expects).toEqual(["diff"]);
    expect(withLines("- expects:", "  - a.txt", "  - b.txt").expects).toEqual(["a.txt", "b.txt"]);
    expect(withLines("- context: the whole thing, please").contextRef).toBeUndefined();
    expect(withLines("- expects:").expects).toBeUndefined();
  });

  it("[L28] files are the field's, else the title's", () => {
    const reading = read(
      "- [ ] T1: Create `src/a.ts` and src/b.ts\n- [ ] T2: Write tests/cart.test.ts now\n- [ ] T3: Move src/c.ts\n  - 파일: `lib/d.ts` → `lib/e.ts`\n- [ ] T4: Use Next.js 15.1\n",
    );
    expect(reading.plan.tasks.map(found => found.files)).toEqual([
      ["src/a.ts"],
      ["tests/cart.test.ts"],
      ["lib/d.ts", "lib/e.ts"],
      [],
    ]);
  });
});

describe("fields of what only holds tasks", () => {
  it("[L282] tells what would count below a task alone", () => {
    const reading = read(
      [
        "### [ ] T1: Backend",
        "- verify: npm test",
        "- 담당: backend",
        "- files: src/a.ts",
        "- depends_on: [T0.1]",
        "- **Verify**: run all the tests",
        "#### [ ] T1.1: Model",
        "- verify: npm test -- model",
        "### T2: Frontend",
        "- agent: claude",
        "- risk: high",
        "- [ ] T2.1: Page",
        "### [ ] T0.1: Setup",
        "- risk: high",
      ].join("\n"),
    );
    expect(messages(reading, "BAD_FIELD")).toEqual([
      "verify has no effect on T1, which only holds tasks",
      "agent has no effect on T2, which only holds tasks",
      "risk has no effect on T2, which only holds tasks",
    ]);
    expect(reading.diagnostics.map(({ line }) => line)).toEqual([2, 10, 11]);
    expect(task(reading, "T1.1").specialist).toBe("backend");
  });
});
