import { shellWord } from "@toolrack/core/internal/shell-word";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Link } from "@toolrack/workers";
import { givenKey } from "../connection/given-key.ts";
import { CommandError } from "../errors.ts";
import { counted } from "../print/counted.ts";
import { safe } from "../print/safe.ts";
import type { CommandInput } from "./command.ts";
import { readNumber } from "./_numbers.ts";

/** Runs the tools of a file for servers elsewhere, until it is stopped or drained. */
export async function runWorker(input: CommandInput<[file: string]>): Promise<"ok"> {
  const {
    arguments: [file],
    options,
    folder,
    terminal,
    signal,
  } = input;
  const connect = demand(
    options["connect"],
    "--connect",
    "the address of the broker, such as nats://127.0.0.1:4222, or of a Toolrack server, such as http://127.0.0.1:7333",
  );
  const pool = demand(options["pool"], "--pool", "the pool that the worker belongs to");
  const slots = readNumber(String(options["slots"]), "The number of slots");
  const [{ readToolFile }, { createIdentity, readIdentity, serveWorker }] = await Promise.all([
    import("@toolrack/server/local"),
    import("@toolrack/workers"),
  ]);
  const identity = openKey(path.resolve(folder, String(options["key"])), { createIdentity, readIdentity });
  const servers = input.lists("server");
  if (servers.length === 0)
    throw new CommandError(
      "usage",
      `--server is missing: the public key of the servers that it works for. Show it there with: toolrack workers list\nThe public key of this worker, for sources.<id>.workers.keys there, is ${identity.publicKey}`,
    );
  const { tools, refusal } = await readToolFile(file, folder).catch((error: unknown) => {
    throw new CommandError("usage", (error as Error).message);
  });
  const wrong = tools.findIndex(({ tool }) => tool === undefined);
  if (refusal !== undefined || wrong !== -1)
    throw new CommandError(
      "failed",
      `${safe(file)}: ${safe(refusal ?? `tool ${wrong + 1} is refused. See: toolrack lint ${shellWord(file)}`)}`,
    );
  const link = await openLink(connect, identity.privateKey, input);
  const worker = await serveWorker({
    link,
    tools: tools.map(({ tool }) => tool!),
    pool,
    slots: slots!,
    privateKey: identity.privateKey,
    servers,
    log: { debug() {}, info() {}, warn: (message) => terminal.note(safe(message)), error: (message) => terminal.note(safe(message)) },
    ...(typeof options["label"] === "string" && { version: options["label"] }),
  });
  terminal.answer(
    { worker: worker.instance, pool, slots, tools: tools.length, publicKey: identity.publicKey, subject: worker.subject },
    () =>
      [
        `${terminal.style.good("Ready")}: worker ${worker.instance} of pool ${safe(pool)}, with ${counted(tools.length, "tool")} and ${counted(slots!, "slot")}.`,
        `Its public key, for sources.<id>.workers.keys of the server: ${identity.publicKey}`,
        `It listens on ${worker.subject} and toolrack.${safe(pool)}.roll, for permissions of the broker.`,
      ].join("\n"),
  );
  const stop = (): void => {
    terminal.note(`Stopping: ${counted(worker.running, "call")} to end.`);
    void worker.drain().then(() => worker.close());
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  await worker.ended;
  await link.close();
  return "ok";
}

/** A broker, or a server that takes workers itself. */
async function openLink(connect: string, privateKey: string, { options, folder, environment }: CommandInput): Promise<Link> {
  const unreachable = (error: unknown): never => {
    throw new CommandError("unreachable", (error as Error).message);
  };
  if (/^https?:/i.test(connect)) {
    const token = environment["TOOLRACK_KEY"] === "" ? undefined : givenKey(environment);
    if (token === undefined)
      throw new CommandError(
        "usage",
        "TOOLRACK_KEY is missing: an API key of the server, with which the worker signs in. Create one there with: toolrack keys create <name>",
      );
    const { serverLink } = await import("@toolrack/workers/server");
    return serverLink({ url: connect, token, privateKey }).catch(unreachable);
  }
  const { natsLink } = await import("@toolrack/workers/nats");
  const user = options["user"];
  const password = environment["TOOLRACK_BROKER_PASSWORD"];
  return natsLink({
    servers: connect,
    ...(typeof options["creds"] === "string" && { credentials: path.resolve(folder, options["creds"]) }),
    ...(typeof user === "string" && { user }),
    ...(password !== undefined && { password }),
  }).catch(unreachable);
}

function demand(value: string | boolean | undefined, flag: string, what: string): string {
  if (typeof value !== "string" || value === "") throw new CommandError("usage", `${flag} is missing: ${what}.`);
  return value;
}

interface Keys {
  createIdentity(): { readonly publicKey: string; readonly privateKey: string };
  readIdentity(privateKey: string): { readonly publicKey: string; readonly privateKey: string };
}

/** The key in the file; a new one if there is no file. Only its owner can read it. */
function openKey(file: string, { createIdentity, readIdentity }: Keys): ReturnType<Keys["createIdentity"]> {
  if (existsSync(file)) {
    try {
      return readIdentity(readFileSync(file, "utf8"));
    } catch (error) {
      throw new CommandError("usage", `${safe(file)} holds no key of a worker: ${(error as Error).message}`);
    }
  }
  const made = createIdentity();
  writeFileSync(file, made.privateKey, { mode: 0o600, flag: "wx" });
  return made;
}
