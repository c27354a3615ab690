import { CommandError } from "../errors.ts";
import type { Command } from "./command.ts";

export const serve: Command = {
  name: "serve",
  summary: "Serve the tools over MCP and HTTP, with the console.",
  options: [
    { flags: "--port <n>", description: "0 takes any free one (7333)" },
    { flags: "--host <address>", description: "others than this machine need to sign in (127.0.0.1)" },
    { flags: "--log <level>", description: "debug, info, warn, error or silent, as JSON lines on the error stream", default: "warn" },
  ],
  async run({ options, terminal, folder, config, signal }) {
    const { openServer } = await import("@toolrack/server");
    const server = await openServer({
      folder,
      logLevel: readLevel(String(options["log"])),
      ...(config !== undefined && { config }),
      ...(typeof options["port"] === "string" && { port: readPort(options["port"]) }),
      ...(typeof options["host"] === "string" && { host: options["host"] }),
    });
    const { url, rack } = server;
    const tools = rack.registry.list().length;
    const link = server.signInLink();
    terminal.answer({ url, console: link, api: `${url}/api/v1`, mcp: `${url}/mcp`, tools }, () => {
      const { style } = terminal;
      return [
        `${style.good("Toolrack is serving")} ${tools} tools.`,
        "",
        `  Console  ${style.strong(link)}`,
        `           ${style.dim("signs you in once, within ten minutes; toolrack open prints a new link")}`,
        `  API      ${url}/api/v1   (described at ${url}/openapi.json)`,
        `  MCP      ${url}/mcp`,
        "",
        "Add it to an MCP client:",
        `  ${JSON.stringify({ mcpServers: { toolrack: { type: "http", url: `${url}/mcp` } } })}`,
        "",
        "Try a call, then ask why it was allowed:",
        `  npx toolrack --url ${url} call random min=1 max=6`,
        `  npx toolrack --url ${url} policy explain random --agent demo`,
        "",
        style.dim("Ctrl-C ends it."),
      ].join("\n");
    });
    await untilAborted(signal);
    terminal.note("Ending …");
    await server.close();
  },
};

const levels = ["debug", "info", "warn", "error", "silent"] as const;

function readLevel(text: string): (typeof levels)[number] {
  const level = levels.find((known) => known === text);
  if (level !== undefined) return level;
  throw new CommandError("usage", `"${text}" is not a level of the log. Take one of ${levels.join(", ")}.`);
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new CommandError("usage", `"${text}" is not a port. Take a number from 0 to 65535.`);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
