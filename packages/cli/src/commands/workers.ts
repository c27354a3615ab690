import type { Command, CommandInput } from "./command.ts";

export const worker: Command = {
  name: "worker",
  summary: "Run the handlers of a file of tools for servers elsewhere. Ends calls that run before it stops.",
  usesTools: false,
  arguments: [{ form: "<file>", description: "the tools: .js, .mjs, .ts or .mts. Its code is loaded" }],
  options: [
    {
      flags: "--connect <url>",
      description:
        "the NATS broker, such as nats://broker.internal:4222, or the Toolrack server, such as https://tools.internal, with an API key in TOOLRACK_KEY",
    },
    { flags: "--pool <name>", description: "the pool that it belongs to" },
    { flags: "--slots <n>", description: "how many calls it runs at the same time", default: "4" },
    { flags: "--server <key>", description: "public key of the servers that it works for; toolrack workers list shows it", isList: true },
    { flags: "--key <file>", description: "file of its private key, which is created if it is missing", default: "worker.key" },
    { flags: "--creds <file>", description: "credentials for the broker, as nsc writes them" },
    { flags: "--user <name>", description: "user at the broker; its password is read from TOOLRACK_BROKER_PASSWORD" },
    { flags: "--label <text>", description: "version of the tools, shown to operators" },
  ],
  examples: ["toolrack worker tools.ts --connect nats://127.0.0.1:4222 --pool web --slots 8 --server ed25519:…"],
  async run(input: CommandInput<[file: string]>) {
    const { runWorker } = await import("./_worker.ts");
    return runWorker(input);
  },
};

export const workersList: Command = {
  name: "workers list",
  summary: "List the pools of workers, their slots and states, and the public key of this server.",
  usesTools: true,
  examples: ["toolrack workers"],
  async run(input) {
    const { listWorkers } = await import("./_workers.ts");
    return listWorkers(input);
  },
};

export const workersDrain: Command = {
  name: "workers drain",
  summary: "Ask a worker to take no more calls, and to end when those that it has have ended.",
  arguments: [{ form: "<worker>", description: "its id, or the beginning of it" }],
  async run(input: CommandInput<[given: string]>) {
    const { drainWorker } = await import("./_workers.ts");
    return drainWorker(input);
  },
};
