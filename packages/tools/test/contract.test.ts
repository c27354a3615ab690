import type { ToolDefinition } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import {
  createAutomationTools,
  createBrowserTools,
  createCanvasTools,
  createCodeTools,
  createCommerceTools,
  createFilesTools,
  createMediaTools,
  createMemoryCanvases,
  createMemoryTools,
  createMessageTools,
  createPublishTools,
  createRuntimeTools,
  createSessionsTools,
  createUtilityTools,
  createWebTools,
} from "../src/index.ts";

/** Texts for people and models may be reworded at any time. */
const texts: ReadonlySet<string> = new Set(["description", "title", "usageHint", "examples"]);

/** "inputSchema.properties.limit.maximum = 200", a line for each fact. */
function linesOf(value: unknown, path: string): string[] {
  if (typeof value === "function" || value === undefined) return [];
  const isPlain = typeof value !== "object" || value === null || (Array.isArray(value) && value.every((item) => typeof item !== "object"));
  if (isPlain) return [`  ${path} = ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, inner]) =>
    texts.has(key) && typeof inner !== "object" ? [] : linesOf(inner, path === "" ? key : `${path}.${key}`),
  );
}

describe("the built-in tools", () => {
  it("take and answer what agents rely on; after a change on purpose: npx vitest run packages/tools/test/contract.test.ts -u", async () => {
    const root = temporaryFolder();
    // No call is made.
    const host = {} as never;
    const packs: Readonly<Record<string, readonly ToolDefinition[]>> = {
      files: createFilesTools({ root }),
      runtime: createRuntimeTools({ root, shell: true }),
      code: createCodeTools({ root, bash: true }),
      web: createWebTools({ search: { backend: "searxng", baseUrl: "http://search.example" } }),
      memory: createMemoryTools({ folder: root }),
      commerce: createCommerceTools(),
      publish: createPublishTools({ calendars: { work: { ics: "work.ics" } }, links: { youtubePlaceholder: "…" } }),
      media: createMediaTools({ root }),
      messages: createMessageTools({ channels: { team: { type: "slack", secret: "slack-token" } } }),
      browser: createBrowserTools({ root, executable: "/usr/bin/chromium" }),
      sessions: createSessionsTools({ open: () => Promise.reject(new Error("No call is made.")) }),
      utility: createUtilityTools({ definitions: { kinds: ["http"], problemOf: () => undefined, holderOf: () => undefined } }),
      automation: createAutomationTools({ schedules: host, settings: host, nodes: host }),
      canvas: createCanvasTools({ host: createMemoryCanvases() }),
    };
    const lines = Object.entries(packs).flatMap(([pack, tools]) =>
      tools.map(({ name, ...rest }) => {
        const { examples, ...metadata } = rest.metadata ?? {};
        return [`${pack}: ${name}`, ...linesOf({ ...rest, metadata }, ""), `  examples = ${examples?.length ?? 0}`].join("\n");
      }),
    );
    await expect(`${lines.join("\n\n").replaceAll(root, "<root>")}\n`).toMatchFileSnapshot("./contract.txt");
  });
});
