import { readFileSync } from "node:fs";
import path from "node:path";
import type { Writable } from "node:stream";
import type { LogLevel } from "@toolrack/server";
import { readKey } from "../connection/given-key.ts";
import { CommandError, fileFault } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { mustBeAgent } from "./_agent.ts";
import type { Command, CommandInput } from "./command.ts";

export const mcp: Command = {
  name: "mcp",
  summary: "Serve the tools of one agent over MCP on standard input and output, for clients that start a program.",
  options: [
    { flags: "--agent <id>", description: "the agent that the client is: it gets exactly the tools of this agent" },
    { flags: "--key-file <file>", description: "file with an API key of the agent, for a server elsewhere (default: TOOLRACK_KEY)" },
    { flags: "--search", description: "list only the tools that find and call the others, for large catalogs" },
    { flags: "--code", description: "list only run_code, for models that write programs over the other tools" },
    { flags: "--bundle <name>", description: "list and call only the tools of this bundle" },
    { flags: "--log-level <level>", description: "debug, info, warn, error or silent; logs go to stderr", default: "warn" },
  ],
  examples: ["toolrack mcp --agent assistant", "toolrack --url https://tools.example.com mcp --agent assistant --key-file assistant.key"],
  async run(input) {
    const { options, terminal, signal } = input;
    const agent = options["agent"];
    if (typeof agent !== "string" || agent === "")
      throw new CommandError(
        "usage",
        "Name the agent that the client is: toolrack mcp --agent <id>. Agents are listed under policy.agents of the configuration.",
      );
    mustBeAgent(agent);
    if ([options["code"] === true, options["search"] === true, typeof options["bundle"] === "string"].filter(Boolean).length > 1)
      throw new CommandError("usage", "Choose one list: --code for programs, --search for the search tools, or --bundle for its tools.");
    const [{ relayStdio }, { findEndpoint, openMcpEndpoint }, { protocolOutput, runWithProtocolOutput }] = await Promise.all([
      import("@toolrack/mcp/relay"),
      import("../connection/mcp-endpoint.ts"),
      import("./_protocol-output.ts"),
    ]);
    const isProgram = (terminal.output as unknown) === process.stdout;
    const ownOutput = isProgram ? protocolOutput() : undefined;
    // The tools of the project run in this process, and so do the programs that they start.
    if (isProgram && ownOutput === undefined && (await findEndpoint(input)) === undefined) return runWithProtocolOutput(signal);
    const write = claimOutput(terminal, ownOutput);
    const endpoint = await openMcpEndpoint({
      agent,
      path: options["code"] === true ? "/mcp/code" : options["search"] === true ? "/mcp/search" : "/mcp",
      query: typeof options["bundle"] === "string" ? new URLSearchParams({ bundle: options["bundle"] }).toString() : "",
      key: keyOfFile(input),
      logLevel: readLevel(options["logLevel"]),
      url: input.url,
      config: input.config,
      folder: input.folder,
      environment: input.environment,
    });
    terminal.warn(`Serving ${safe(agent)} over MCP on standard input and output, from ${endpoint.where}.`);
    try {
      await relayStdio({ input: terminal.input, write, send: endpoint.send, signal, onNotice: (text) => terminal.warn(safe(text)) });
    } finally {
      await endpoint.close();
    }
    return "ok";
  },
};

/** Standard output carries messages only: what tools and modules print goes to standard error. */
function claimOutput({ input, output }: CommandInput["terminal"], own: Writable | undefined): (line: string) => void {
  const isProgram = (output as unknown) === process.stdout;
  const target = own ?? output;
  const write = target.write.bind(target) as (text: string) => unknown;
  if (isProgram) process.stdout.write = process.stderr.write.bind(process.stderr);
  return (line) => {
    // If the client does not read, stop reading from it.
    if (write(`${line}\n`) !== false || !isProgram) return;
    input.pause();
    (own ?? process.stdout).once("drain", () => input.resume());
  };
}

function keyOfFile({ options, folder }: CommandInput): string | undefined {
  const file = options["keyFile"];
  if (typeof file !== "string") return undefined;
  try {
    return readKey(readFileSync(path.resolve(folder, file), "utf8"), `The key file ${safe(file)}`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError("usage", `The key file ${safe(file)} cannot be read: ${fileFault(error)}.`);
  }
}

const levels = ["debug", "info", "warn", "error", "silent"] as const;

function readLevel(text: string | boolean | undefined): LogLevel {
  const level = levels.find((known) => known === text);
  if (level !== undefined) return level;
  throw new CommandError("usage", `"${String(text)}" is not a log level. Use one of ${levels.join(", ")}.`);
}
