import { shellWord } from "@toolrack/core/internal/shell-word";
import path from "node:path";
import type { OpenServerOptions, Rack, Served } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { clientLines, leftOutLines, type ServedTools, servedTools, servingLine, trialLines } from "./_banner.ts";
import { failedSourceLines } from "./_failed-sources.ts";
import type { Command, CommandInput } from "./command.ts";

const port = { flags: "--port <n>", description: "port to listen on; 0 picks a free one (default: 7333)" };
const log = [
  { flags: "--log-level <level>", description: "debug, info, warn, error or silent; logs go to stderr (default: log.level, else info)" },
  {
    flags: "--log-format <format>",
    description: "auto, pretty, text or json; auto means pretty on a terminal, else json (default: log.format, else auto)",
  },
];

export const serve: Command = {
  name: "serve",
  summary: "Serve the tools over MCP and HTTP, with the console.",
  options: [
    port,
    { flags: "--host <address>", description: "address to listen on; callers from other machines must sign in (default: 127.0.0.1)" },
    { flags: "--socket <path>", description: "Unix socket to listen on, instead of an address and a port" },
    {
      flags: "--follow",
      description: "apply every change of the configuration file without approval, including changes that start programs",
    },
    ...log,
  ],
  examples: ["toolrack serve", "toolrack serve --port 8080 --log-format pretty"],
  run: (input) => serveTools(input, { follow: input.options["follow"] === true, isDevelopment: false }),
};

export const dev: Command = {
  name: "dev",
  summary: "Serve on this machine only, for development: load modules again when you save them, and apply changes of the configuration.",
  options: [port, { flags: "--host <address>", description: "a loopback address", default: "127.0.0.1" }, ...log],
  async run(input) {
    const host = String(input.options["host"]);
    if (!/^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(host))
      throw new CommandError(
        "usage",
        `"${host}" can be reached from other machines, and dev applies changes of the configuration without approval. Use 127.0.0.1, or: toolrack serve --host ${shellWord(host)}`,
      );
    await serveTools(input, { follow: true, isDevelopment: true });
  },
};

interface Serving {
  /** Whether changes of the configuration need no approval. */
  readonly follow: boolean;
  /** Whether changed modules are loaded anew. */
  readonly isDevelopment: boolean;
}

async function serveTools(input: CommandInput, { follow, isDevelopment }: Serving): Promise<void> {
  const { options, terminal, folder, config, signal } = input;
  const { openServer } = await import("@toolrack/server");
  process.send?.("loaded");
  const server = await openServer({
    folder,
    ...readLogOptions(options),
    followConfig: follow,
    reloadModules: isDevelopment,
    forgetsSecretVariables: true,
    ...(config !== undefined && { config }),
    ...(typeof options["port"] === "string" && { port: readPort(options["port"]) }),
    ...(typeof options["host"] === "string" && { host: options["host"] }),
    ...(typeof options["socket"] === "string" && { socket: readSocket(options, folder) }),
  });
  const { rack } = server;
  const url = server.publicUrl ?? server.url;
  const tools = servedTools(rack);
  // What is not a terminal may be a file that others read, or be kept for long: journald, docker logs.
  const link = server.socket === undefined && terminal.isInteractive ? server.signInLink() : undefined;
  const anonymous = { agent: "anonymous", principal: "anonymous" };
  const anonymousTools = server.requiresSignIn() ? undefined : rack.registry.view(anonymous).tools.length;
  const agents = rack.settings
    .agentNames()
    .filter((agent) => agent !== "anonymous" && rack.registry.view({ agent, principal: `key ${agent}` }).tools.length > 0);
  const isSocketAlone = server.socket !== undefined && server.publicUrl === undefined;
  const paths = isSocketAlone ? {} : { api: `${url}/api/v1`, mcp: `${url}/mcp` };
  // While sources are read, a name of theirs in the policy would be taken for a mistake.
  const isStarting = rack.sources.list().some(({ state }) => state === "starting");
  const warnings = isStarting ? [] : await warningsOf(rack);
  const failed = failedSourceLines(rack.sources.list());
  const leftOut = leftOutLines(rack);
  const own = tools.own.length;
  terminal.answer(
    {
      url,
      ...(server.socket === undefined && { console: link ?? url }),
      ...paths,
      tools: own + tools.builtIn,
      own,
      failed,
      warnings,
      leftOut,
    },
    () => {
      const { style } = terminal;
      const warningLines = [...leftOut, ...toWarningLines(warnings)].map((line) => style.warn(line));
      if (isSocketAlone) return socketLines(server.socket!, tools, rack, style, warningLines).join("\n");
      return [
        servingLine(tools, style),
        ...warningLines,
        ...(follow ? [style.warn("Every valid change of the configuration file is applied without approval.")] : []),
        ...(isDevelopment ? ["Modules, and the files that they import, are loaded again when you save them."] : []),
        "",
        ...consoleLines(server, link, style),
        `  API      ${url}/api/v1   (described at ${url}/openapi.json)`,
        `  MCP      ${url}/mcp`,
        "",
        ...clientLines({ url: `${url}/mcp`, agents, anonymousTools, program: `npx toolrack --url ${shellWord(url)}` }),
        "",
        ...trialLines(`npx toolrack --url ${shellWord(url)}`, tools, rack),
        "",
        style.dim("Press Ctrl-C to stop."),
      ].join("\n");
    },
  );
  if (isStarting) void warnLater(rack, leftOut, terminal, signal);
  await untilAborted(signal);
  terminal.note("Stopping …");
  await server.close();
}

async function warningsOf({ policyWarnings }: Rack): Promise<readonly string[]> {
  return (await policyWarnings.list()).map(({ message }) => message);
}

function toWarningLines(warnings: readonly string[]): readonly string[] {
  if (warnings.length === 0) return [];
  const shown = warnings.slice(0, maxWarnings).map((message) => `  ${safe(message)}`);
  const rest = warnings.length > shown.length ? `, of which ${shown.length} are shown` : "";
  return [`The policy has ${warnings.length === 1 ? "1 warning" : `${warnings.length} warnings${rest}`}; see: toolrack doctor`, ...shown];
}

const maxWarnings = 10;

/** Once the sources are read. */
async function warnLater(rack: Rack, told: readonly string[], terminal: CommandInput["terminal"], signal: AbortSignal): Promise<void> {
  await rack.sources.ready();
  if (signal.aborted) return;
  for (const line of [...leftOutLines(rack).filter((one) => !told.includes(one)), ...toWarningLines(await warningsOf(rack))])
    terminal.warn(line);
}

/** The link of the owner, or how to get one. */
function consoleLines(
  { socket, url }: Pick<Served, "socket" | "url">,
  link: string | undefined,
  style: CommandInput["terminal"]["style"],
): readonly string[] {
  if (socket !== undefined) return [`  Socket   ${socket}`];
  if (link === undefined)
    return [
      `  Console  ${url}`,
      `           ${style.dim(`a link that signs you in: npx toolrack --url ${shellWord(url)} open, as the user of this server`)}`,
    ];
  return [
    `  Console  ${style.strong(link)}`,
    `           ${style.dim("signs you in; valid once, for ten minutes. toolrack open prints a new link")}`,
  ];
}

/** A socket has no address that a browser or an MCP client could be given. */
function socketLines(
  socket: string,
  tools: ServedTools,
  rack: Rack,
  style: CommandInput["terminal"]["style"],
  warnings: readonly string[],
): readonly string[] {
  return [
    servingLine(tools, style),
    ...warnings,
    "",
    `  Socket   ${style.strong(socket)}`,
    `           ${style.dim("for programs on this machine, and for a reverse proxy in front of it")}`,
    "",
    ...trialLines(`npx toolrack --url unix:${shellWord(socket)}`, tools, rack),
    `  curl --unix-socket ${socket} http://localhost/api/v1/tools`,
    "",
    style.dim("Press Ctrl-C to stop."),
  ];
}

function readSocket({ socket, host, port }: CommandInput["options"], folder: string): string {
  if (host !== undefined || port !== undefined)
    throw new CommandError("usage", "--socket replaces --host and --port. Use one or the other.");
  return path.resolve(folder, String(socket));
}

const levels = ["debug", "info", "warn", "error", "silent"] as const;
const formats = ["auto", "pretty", "text", "json"] as const;

function readLogOptions(options: CommandInput["options"]): Pick<OpenServerOptions, "logLevel" | "logFormat"> {
  const { logLevel: level, logFormat: format } = options;
  return {
    ...(typeof level === "string" && { logLevel: oneOf(levels, level, "level") }),
    ...(typeof format === "string" && { logFormat: oneOf(formats, format, "format") }),
  };
}

function oneOf<Name extends string>(names: readonly Name[], text: string, what: string): Name {
  const name = names.find((known) => known === text);
  if (name !== undefined) return name;
  throw new CommandError("usage", `"${text}" is not a log ${what}. Use one of ${names.join(", ")}.`);
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new CommandError("usage", `"${text}" is not a port. Use a number from 0 to 65535.`);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
