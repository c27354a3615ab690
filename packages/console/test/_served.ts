import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineTool, type AnyTool } from "@toolrack/core";
import type { Page } from "playwright-core";
import { openRack, type Rack, type RackConfig, serve, type Served } from "@toolrack/server";
import { until } from "@toolrack/testkit/until";
import { buildConsole } from "../build.mjs";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** The console over a rack of its own. */
export async function serveConsole(
  options: { readonly tools?: readonly AnyTool[]; readonly config?: RackConfig; readonly configFile?: string; readonly port?: number } = {},
): Promise<{
  readonly rack: Rack;
  readonly url: string;
  readonly served: Served;
  /** Where the built files are. */
  readonly folder: string;
  /** The configuration file. */
  readonly configFile: string;
  /** What the owner sends. */
  readonly owner: { readonly authorization: string };
  /** Makes the pages of a tab those of the owner, as the link of the command line does. */
  signIn(page: Page): Promise<void>;
  close(): Promise<void>;
}> {
  const consoleFolder = await builtConsole();
  const place = mkdtempSync(join(tmpdir(), "toolrack-console-"));
  if (options.configFile !== undefined) writeFileSync(join(place, "toolrack.config.yaml"), options.configFile);
  // Agents need not be listed, unless the test brings a file that says so.
  const config = { store: { memory: true }, ...options.config, policy: { unknownAgents: "allow" as const, ...options.config?.policy } };
  const rack = await openRack({
    folder: place,
    config: options.configFile === undefined ? config : "toolrack.config.yaml",
    tools: options.tools ?? [],
  });
  const served = await serve(rack, { ...options.config?.server, port: options.port ?? 0, consoleFolder });
  return {
    rack,
    served,
    folder: consoleFolder,
    configFile: join(place, "toolrack.config.yaml"),
    url: served.url,
    owner: { authorization: `Bearer ${rack.ownerToken.text}` },
    async signIn(page) {
      await page.goto(served.signInLink());
      await page.getByRole("button", { name: "Sign out" }).waitFor();
    },
    async close() {
      await served.close({ graceMs: 0 });
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** The console built from the source as it is, in a folder named after that: by the first process of a run that needs it. */
async function builtConsole(): Promise<string> {
  const target = join(folder, ".build", hashOfSource());
  await until(async () => existsSync(target) || (await buildInTurn(target)), "Another process did not finish building the console.");
  return target;
}

/** Builds it unless another process of this run does; answers whether it is there. */
async function buildInTurn(target: string): Promise<boolean> {
  const turn = join(process.env["TEST_RUN_FOLDER"]!, "console-is-built");
  try {
    mkdirSync(turn);
  } catch {
    return false;
  }
  const made = `${target}.${process.pid}`;
  try {
    await buildConsole({ outDir: made });
    renameSync(made, target);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    // Another run was quicker.
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(turn, { recursive: true });
  }
  return true;
}

/** What is bundled from other packages. */
const fromOthers = [
  ...["sse.ts", "duration.ts"].map((file) => join("..", "core", "src", "util", file)),
  ...["client.ts", "clients.ts", "client-entries.ts", "text.ts"].map((file) => join("..", "server", "src", "client-entries", file)),
];

function hashOfSource(): string {
  const inside = ["src", "public"].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, encoding: "utf8" }).map((file) => join(name, file)),
  );
  const hash = createHash("sha256");
  for (const file of ["index.html", "vite.config.ts", "package.json", ...inside.sort(), ...fromOthers]) {
    const path = join(folder, file);
    if (statSync(path).isFile()) hash.update(file).update(readFileSync(path));
  }
  return hash.digest("hex").slice(0, 16);
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
