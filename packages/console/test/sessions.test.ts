import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { defineTool } from "@toolrack/core";
import { until } from "@toolrack/testkit/until";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "./_browser.mjs";
import { layoutFaults } from "./_layout.ts";
import { serveConsole } from "./_served.ts";
import { showPage } from "./_show.ts";

let browser: Browser;
let page: Page;
let site: Awaited<ReturnType<typeof serveConsole>>;

/** Requests to the stand-in of a model, which says what the test lets it say. */
const asked: ServerResponse[] = [];
const model = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  asked.push(response);
});
const piece = (delta: object, finish: string | null = null, usage: object | null = null): string =>
  `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }], usage })}\n\n`;
const saying = (text: string): string => piece({ role: "assistant", content: text });
const ended = `${piece({}, "stop", { prompt_tokens: 1200, completion_tokens: 34, total_tokens: 1234 })}data: [DONE]\n\n`;

const empty = { type: "object", properties: {}, additionalProperties: false } as const;
const look = defineTool({ name: "look", description: "Looks.", inputSchema: empty, handler: () => "seen <b>all</b>" });
const pay = defineTool({ name: "pay", description: "Pays.", inputSchema: empty, handler: () => "paid" });

beforeAll(async () => {
  await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  [browser, site] = await Promise.all([
    openBrowser(),
    serveConsole({
      tools: [look, pay],
      config: {
        policy: { tools: { ask: ["pay"] } },
        agents: {
          demo: {
            description: "Shows how an agent works.",
            instructions: "Show it.",
            model: "scripted",
            tools: { allow: ["lo*", "pay", "sessions_spawn"] },
            budget: { turns: 7, costUsd: 0.5 },
          },
          writer: { instructions: "Write.", model: { vendor: "openai-chat", name: "m", baseUrl }, tools: { allow: ["look"] } },
        },
      },
    }),
  ]);
  page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", locale: "en-US" });
  await site.signIn(page);
});

afterAll(async () => {
  await browser?.close();
  for (const response of asked) response.destroy();
  await site?.close();
  model.close();
});

const conversation = (): Locator => page.getByRole("log", { name: "Conversation" });

async function begin(agent: string, text: string): Promise<string> {
  await showPage(page, "/sessions");
  await page.getByRole("combobox", { name: "Agent", exact: true }).selectOption(agent);
  await page.getByLabel(`Say something to ${agent}`).fill(text);
  await page.keyboard.press("Enter");
  await conversation().getByText(text, { exact: true }).waitFor();
  return new URL(page.url()).searchParams.get("session")!;
}

async function say(text: string): Promise<void> {
  await page.getByLabel(/^Say something to/).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

describe("the page of sessions", () => {
  it("talks to an agent without any key, which says that it follows a script", async () => {
    await showPage(page, "/sessions");
    await page.getByText("Shows how an agent works.").waitFor();
    await page.getByText("This agent follows a script and needs no key.").waitFor();
    await begin("demo", "Good morning");
    await conversation().getByText("I am a scripted model").waitFor();
    expect(await conversation().getByRole("article", { name: "Message 1" }).textContent()).toContain("person owner");
    await say("And again");
    await conversation().getByText("You said: And again").waitFor();
    expect(await page.getByLabel("Say something to demo").inputValue()).toBe("");
  });

  it("shows each call with what allowed it, what it gave as text, and the way to its record", async () => {
    await begin("demo", "call look");
    const call = conversation().getByRole("listitem", { name: "Call of look" });
    await call.getByText("done", { exact: true }).waitFor();
    await call.getByText(/Allowed at .*demo.* by lo\*/).waitFor();
    await call.getByText("Arguments and result").click();
    expect(await call.getByLabel("Result of look").textContent()).toBe("seen <b>all</b>");
    await call.getByRole("link", { name: "Show the call" }).click();
    await page
      .getByRole("region", { name: /^Call / })
      .getByText("by demo")
      .waitFor();
  });

  it("asks what the session asks, and goes on after the answer, which stays beside the call", async () => {
    await begin("demo", "call pay");
    const questions = page.getByRole("region", { name: "Questions of this session" });
    await questions.getByText("demo wants to call pay").waitFor();
    await conversation().getByRole("listitem", { name: "Call of pay" }).getByText("waits for a person").waitFor();
    expect(await layoutFaults(page)).toEqual([]);
    await questions.getByRole("button", { name: "Approve" }).click();
    await conversation().getByText("pay answered: paid").waitFor();
    await conversation().getByText("Approved by owner.").waitFor();
    await questions.waitFor({ state: "detached" });
    await say("call pay");
    await questions.getByRole("button", { name: "Deny" }).click();
    await conversation().getByText("Denied by owner.").waitFor();
  });

  it("shows text while it is written, and what the session costs of its budget", async () => {
    const session = await begin("writer", "Write a letter");
    await until(() => asked.length === 1);
    asked[0]!.write(saying("Dear "));
    asked[0]!.write(saying("<i>reader</i>"));
    const writing = conversation().getByRole("article", { name: "Being written" });
    await writing.getByText("Dear <i>reader</i>").waitFor();
    expect(await site.rack.agents.sessions.messages(session)).toHaveLength(1);
    asked[0]!.end(saying(", good bye.") + ended);
    await conversation().getByRole("article", { name: "Message 2" }).getByText("Dear <i>reader</i>, good bye.").waitFor();
    await writing.waitFor({ state: "detached" });
    await page.getByText("1 turn, 0 calls; 1,200 tokens in, 34 out").waitFor();
    await page.getByText("30 turns", { exact: true }).waitFor();
  });

  it("stops a run, says that it was not done, and resumes it", async () => {
    const before = asked.length;
    await begin("writer", "Write a book");
    await until(() => asked.length === before + 1);
    asked[before]!.write(saying("Chapter one"));
    await page.getByText("Chapter one").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Its last run ended before it was done.").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await until(() => asked.length === before + 2);
    expect(await conversation().getByRole("article", { name: "Message 2" }).count()).toBe(0);
    asked[before + 1]!.end(saying("Chapter two") + ended);
    await conversation().getByText("Chapter two").waitFor();
    await page.getByRole("button", { name: "Resume" }).waitFor({ state: "detached" });
  });

  it("shows sessions below the one that spawned them, and goes on in either", async () => {
    const parent = await begin("demo", 'call sessions_spawn {"task": "call look", "label": "the child"}');
    const tree = page.getByRole("list", { name: "Sessions" });
    const own = tree.locator("li").filter({ has: page.locator(`a[href$="${parent}"]`) });
    await own.getByRole("link", { name: /the child/ }).click();
    await page.getByRole("heading", { name: /the child/ }).waitFor();
    await conversation().getByText("look answered").waitFor();
    await page.getByText("The session has ended").waitFor();
    await page.getByRole("link", { name: "another session" }).click();
    await conversation()
      .getByText(/sessions_spawn answered/)
      .waitFor();
  });

  it("clips, overlaps and overflows nothing with a conversation at four sizes, in light and dark", async () => {
    await begin("demo", `call look; call look\ncall nobody_has_this_name {"a": "${"x".repeat(200)}"}\n${"long ".repeat(80)}`.trim());
    await conversation().getByRole("listitem", { name: "Call of nobody_has_this_name" }).getByText("TOOL_NOT_FOUND").waitFor();
    await page.getByText("7 turns, 0.5 US dollars").waitFor();
    const faults: string[] = [];
    for (const width of [360, 768, 1_280, 1_920]) {
      await page.setViewportSize({ width, height: 900 });
      for (const theme of ["light", "dark"]) {
        await page.evaluate((next) => void (document.documentElement.dataset["theme"] = next), theme);
        faults.push(...(await layoutFaults(page)).map((fault) => `${width} ${theme}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });

  it("says so for a session that does not exist", async () => {
    await showPage(page, "/sessions?session=nobody");
    await page.getByText('There is no session "nobody".').waitFor();
  });
});
