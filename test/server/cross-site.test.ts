import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadPages } from "../../src/server/pages.ts";
import { WHOLE } from "../sample.ts";
import { HAS_BROWSER, openBrowser } from "./browser.ts";
import { openStage, type Stage } from "./stage.ts";

const ACT = JSON.stringify({ kind: "stop", how: "hard" });

/**
 * What pages of other sites try. Each is the body of an async function in the page that returns what it could read, or
 * `undefined`; `at` is our address, `guess` a token of the right shape.
 */
const TRIES: Readonly<Record<string, string>> = {
  "reads with CORS": "return (await fetch(at + '/api/run')).text()",
  "reads without CORS": "return (await fetch(at + '/api/run', { mode: 'no-cors' })).text()",
  "reads with a guessed token":
    "return (await fetch(at + '/api/run', { headers: { authorization: 'Bearer ' + guess } })).text()",
  "posts plain text, which asks nobody": `return (await fetch(at + '/api/act', { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body: '${ACT}' })).text()`,
  "posts JSON with a preflight": `return (await fetch(at + '/api/act', { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer ' + guess }, body: '${ACT}' })).text()`,
  "sends a beacon": `navigator.sendBeacon(at + '/api/act', new Blob(['${ACT}'], { type: 'text/plain' })); await wait(300)`,
  "submits a form": `const form = document.createElement('form'); form.method = 'post'; form.action = at + '/api/act'; form.enctype = 'text/plain'; form.target = frame('a'); const input = document.createElement('input'); input.name = '{"kind":"stop","how":"hard","x":"'; input.value = '"}'; form.append(input); document.body.append(form); form.submit(); await wait(400)`,
  "loads an image":
    "const image = new Image(); image.src = at + '/api/act?kind=stop'; await new Promise(done => { image.onload = done; image.onerror = done }); return image.width || undefined",
  "loads a script":
    "const script = document.createElement('script'); script.src = at + '/api/run'; const said = await new Promise(done => { script.onload = () => done('ran'); script.onerror = () => done(undefined); document.body.append(script) }); return said",
  "frames the page":
    "const inner = document.createElement('iframe'); inner.src = at + '/'; document.body.append(inner); await wait(400); return inner.contentDocument?.querySelector('#page')?.outerHTML",
  "listens to the stream":
    "const source = new EventSource(at + '/api/stream'); const said = await new Promise(done => { source.onmessage = event => done(event.data); source.onopen = () => done('open'); source.onerror = () => done(undefined) }); source.close(); return said",
  "opens a socket":
    "const socket = new WebSocket(at.replace('http', 'ws') + '/api/stream'); return new Promise(done => { socket.onopen = () => done('open'); socket.onerror = () => done(undefined) })",
  "posts with Origin null from a sandbox": `const inner = document.createElement('iframe'); inner.sandbox = 'allow-scripts'; inner.srcdoc = "<script>fetch('" + at + "/api/act',{method:'POST',mode:'no-cors',body:decodeURIComponent('${encodeURIComponent(ACT)}')}).then(r=>r.text()).then(t=>parent.postMessage(t,'*'),()=>parent.postMessage('','*'))</" + "script>"; const said = new Promise(done => addEventListener('message', event => done(event.data || undefined))); document.body.append(inner); return Promise.race([said, wait(1500)])`,
  "opens a window":
    "const other = open(at + '/api/run'); await wait(400); try { return other?.document?.body?.textContent || undefined } catch { return undefined }",
};

const HELPERS = `const wait = ms => new Promise(done => setTimeout(done, ms));
const frame = name => { const inner = document.createElement('iframe'); inner.name = name; document.body.append(inner); return name };`;

async function attack(page: Page, body: string, at: string): Promise<unknown> {
  const guess = "A".repeat(43);
  const script = `(async () => { ${HELPERS} const at = ${JSON.stringify(at)}, guess = ${JSON.stringify(guess)}; try { ${body} } catch { return undefined } })()`;
  const said = await page.evaluate(script);
  return said === "" ? undefined : said;
}

describe.runIf(HAS_BROWSER)("other sites' pages in real Chromium", { timeout: 120_000 }, () => {
  let stage: Stage;
  let evil: Server;
  let port = 0;
  beforeAll(async () => {
    stage = await openStage({
      tasks: "# A\n## Phase 1: B\n### [ ] T1.1: C\n",
      serve: { pages: loadPages() },
    });
    evil = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<!doctype html><title>evil</title><body>");
    });
    await new Promise<void>(resolve => evil.listen(0, "127.0.0.1", resolve));
    port = (evil.address() as AddressInfo).port;
  });
  afterAll(async () => {
    evil.closeAllConnections();
    await new Promise(resolve => evil.close(resolve));
    await stage[Symbol.asyncDispose]();
  });

  it("[W61] 14 requests from another site, and from another port of this machine: nothing read, nothing done", async () => {
    expect(Object.keys(TRIES)).toHaveLength(14);
    const browser = await openBrowser(["--host-resolver-rules=MAP evil.test 127.0.0.1"]);
    try {
      for (const origin of [`http://evil.test:${port}`, `http://localhost:${port}`]) {
        // Each day each from one of the two.
        for (const [at, [name, body]] of Object.entries(TRIES).entries()) {
          if (!WHOLE && (at % 2 === 0) !== origin.includes("evil")) continue;
          const page = await browser.newPage({ locale: "en-US" });
          await page.goto(origin);
          expect(await attack(page, body, stage.page.origin), `${name} from ${origin}`).toBeUndefined();
          await page.context().close();
        }
      }
      expect(stage.asked).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it("[W158] a link that a person follows from a page of another site opens the page", async () => {
    const browser = await openBrowser(["--host-resolver-rules=MAP evil.test 127.0.0.1"]);
    try {
      const page = await browser.newPage({ locale: "en-US" });
      await page.goto(`http://evil.test:${port}`);
      await page.evaluate(
        `document.body.innerHTML = '<a href="' + ${JSON.stringify(stage.page.link)} + '">look</a>'`,
      );
      await page.click("a");
      await page.getByRole("heading", { name: "A", exact: true }).first().waitFor();
      expect(page.url()).not.toContain(stage.page.token);
      expect(stage.asked).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it("[W62] a name that is rebound to this machine gets nothing, even from our own port", async () => {
    const browser = await openBrowser(["--host-resolver-rules=MAP evil.test 127.0.0.1"]);
    try {
      const own = new URL(stage.page.origin).port;
      const page = await browser.newPage({ locale: "en-US" });
      const answer = await page.goto(`http://evil.test:${own}/`);
      expect(answer?.status()).toBe(403);
      for (const path of ["/api/run", "/", "/api/stream"])
        expect(await page.evaluate(`fetch(${JSON.stringify(path)}).then(r => r.status)`)).toBe(403);
      const post = `fetch("/api/act", { method: "POST", headers: { "content-type": "application/json" }, body: ${JSON.stringify(ACT)} }).then(r => r.status)`;
      expect(await page.evaluate(post)).toBe(403);
      expect(stage.asked).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it("[W63] the tries are real: a server without a guard hears every one of them", async () => {
    const hits: string[] = [];
    const naive = createServer((request, response) => {
      hits.push(`${request.method} ${request.url}`);
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-allow-headers", "*, authorization");
      response.end("secret");
    });
    naive.on("upgrade", (request, socket) => {
      hits.push(`UPGRADE ${request.url}`);
      socket.destroy();
    });
    await new Promise<void>(resolve => naive.listen(0, "127.0.0.1", resolve));
    const browser = await openBrowser(["--host-resolver-rules=MAP evil.test 127.0.0.1"]);
    try {
      const at = `http://127.0.0.1:${(naive.address() as AddressInfo).port}`;
      const heard: [string, boolean][] = [];
      let read: unknown;
      for (const [name, body] of Object.entries(TRIES)) {
        const page = await browser.newPage({ locale: "en-US" });
        await page.goto(`http://evil.test:${port}`);
        const before = hits.length;
        const said = await attack(page, body, at);
        heard.push([name, hits.length > before]);
        if (name === "reads with CORS") read = said;
        await page.context().close();
      }
      expect(heard).toEqual(Object.keys(TRIES).map(name => [name, true]));
      expect(read).toBe("secret");
      expect(hits.filter(hit => hit.startsWith("POST")).length).toBeGreaterThanOrEqual(5);
    } finally {
      await browser.close();
      naive.closeAllConnections();
      await new Promise(resolve => naive.close(resolve));
    }
  });
});
