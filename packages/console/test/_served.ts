import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineTool, type AnyTool } from "@toolrack/core";
import { openRack, type Rack, type RackConfig, serve, type Served } from "@toolrack/server";
import { buildConsole } from "../build.mjs";

const folder = fileURLToPath(new URL("..", import.meta.url));
const dist = join(folder, "dist");

/** The console over a rack of its own: built where it is older than its source. */
export async function serveConsole(options: { readonly tools?: readonly AnyTool[]; readonly config?: RackConfig } = {}): Promise<{
  readonly rack: Rack;
  readonly url: string;
  readonly served: Served;
  close(): Promise<void>;
}> {
  if (isStale()) await buildConsole();
  const place = mkdtempSync(join(tmpdir(), "toolrack-console-"));
  const rack = await openRack({ folder: place, config: { store: { memory: true }, ...options.config }, tools: options.tools ?? [] });
  const served = await serve(rack, { port: 0, consoleFolder: dist });
  return {
    rack,
    served,
    url: served.url,
    async close() {
      await served.close({ graceMs: 0 });
      rmSync(place, { recursive: true, force: true });
    },
  };
}

function isStale(): boolean {
  const page = join(dist, "index.html");
  if (!existsSync(page)) return true;
  const built = statSync(page).mtimeMs;
  return ["src", "public"].some((name) =>
    readdirSync(join(folder, name), { recursive: true, encoding: "utf8" }).some(
      (file) => statSync(join(folder, name, file)).mtimeMs > built,
    ),
  );
}

/** A tool that nobody wrote a form for: settings of every kind. */
export const weather: AnyTool = defineTool({
  name: "weather",
  description: "Tells the weather of a city.",
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string", minLength: 2, description: "Where." },
      days: { type: "integer", minimum: 1, maximum: 7, default: 1, description: "How many days." },
      units: { enum: ["celsius", "fahrenheit"] },
    },
    required: ["city"],
    additionalProperties: false,
  },
  metadata: {
    category: "research",
    examples: [{ description: "Oslo today", input: { city: "Oslo" } }],
    secrets: ["weather-key"],
    configSchema: {
      type: "object",
      properties: {
        endpoint: { type: "string", format: "uri", description: "The service to ask." },
        apiKey: { type: "string", description: "A reference to the secret." },
        retries: { type: "integer", minimum: 0, maximum: 5, default: 1 },
        verbose: { type: "boolean", default: false },
        mode: { enum: ["fast", "exact"] },
        headers: { type: "object" },
      },
      required: ["endpoint"],
      additionalProperties: false,
    },
  },
  handler: ({ city, days }) => ({ city, days, sky: "clear" }),
});
