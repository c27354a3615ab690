import { shellWord } from "@toolrack/core/internal/shell-word";
import type { DefinitionInfo } from "@toolrack/server";
import { safe } from "../print/safe.ts";
import { CommandError, type ExitReason } from "../errors.ts";
import { mayGoOn } from "./_confirm.ts";
import { recordIdOf } from "./_definition.ts";
import type { HttpToolOptions } from "./_http-definition.ts";
import type { Command, CommandInput } from "./command.ts";

export const toolsAddHttp: Command = {
  name: "tools add-http",
  summary:
    "Add an HTTP endpoint as a tool, without code: a stored definition. The owner approves it by adding it; otherwise it waits for approval.",
  arguments: [
    { form: "<name>", description: "name of the tool" },
    { form: "<url>", description: "address, with {parameters} in its path: https://api.example.com/users/{id}" },
  ],
  options: [
    { flags: "--description <text>", description: "what the tool does; models select tools by this text" },
    { flags: "--method <method>", description: "GET, POST, PUT, PATCH or DELETE (default: GET; POST if a parameter is in the body)" },
    {
      flags: "--param <parameter>",
      description: "name, name:type or name:type=description; a ? after the name makes it optional; can be repeated",
      isList: true,
    },
    { flags: "--in <place>", description: "where a parameter goes: name=query, name=body or name=header; can be repeated", isList: true },
    { flags: "--header <header>", description: 'fixed header, "Name: value"; not for credentials; can be repeated', isList: true },
    { flags: "--secret <name>", description: "secret that is sent with each request; its value is set with: toolrack secrets set <name>" },
    { flags: "--auth <way>", description: "how the secret is sent: bearer, basic, header:<name> or query:<name>", default: "bearer" },
    { flags: "--approve", description: "approve a changed definition, too, instead of leaving it for review" },
    {
      flags: "--replace",
      description: "replace the stored definition of this name; an approved tool cannot be called until the new one is approved",
    },
    { flags: "--yes", description: "replace an approved tool without asking" },
  ],
  examples: [
    'toolrack tools add-http forecast "https://api.example.com/forecast/{city}" --description "Tells the weather in a city." --param "days?:integer=Number of days" --secret weather-key',
    'toolrack tools add-http create_note https://notes.example.com/notes --method POST --description "Saves a note." --param text --approve',
  ],
  async run(input): Promise<ExitReason> {
    const {
      arguments: [name = "", url = ""],
      terminal,
    } = input;
    const options = readOptions(input, url);
    const { toHttpDefinition } = await import("./_http-definition.ts");
    const context = toHttpDefinition(name, options);
    const connection = await input.connect();
    const id = recordIdOf(name);
    const body = { schema_name: "tool.definition.v1", title: name, tags: ["tool:definition"], context };
    const found = await connection.ask("GET /breadcrumbs/{id}", { params: { id } }).catch((error: unknown) => {
      if (error instanceof CommandError && error.reason === "notFound") return undefined;
      throw error;
    });
    // What the server wrote about a tool of a source is no stored tool: the server says whose name it is.
    const old = found?.context?.["upstream"] === undefined ? found : undefined;
    if (old !== undefined && input.options["replace"] !== true)
      throw new CommandError(
        "usage",
        `There is a stored definition of the tool "${safe(name)}" already. Replace it with --replace, or choose another name.`,
      );
    const lookUp = async (): Promise<DefinitionInfo | undefined> =>
      (await connection.ask("GET /lifecycle")).definitions.find((one) => one.id === id);
    if (old !== undefined && input.options["approve"] !== true) await mayTakeAway(input, name, await lookUp());
    await connection.ask("PUT /breadcrumbs/{id}", {
      params: { id },
      body,
      ...(old !== undefined && { headers: { "if-match": `"${old.version}"` } }),
    });
    // What the owner creates is approved with that; a change, and what others write, is a draft.
    let written = (await lookUp())!;
    if (written.state !== "approved") {
      const checked = await connection.ask("POST /lifecycle/{id}/validate", { params: { id } });
      if (!checked.ok) {
        terminal.answer(checked, () =>
          [`${safe(name)} was stored as a draft, and cannot be approved yet:`, ...checked.problems.map((one) => `  - ${safe(one)}`)].join(
            "\n",
          ),
        );
        return "failed";
      }
      if (input.options["approve"] === true)
        await connection.ask("POST /lifecycle/{id}/approve", {
          params: { id },
          body: { hash: written.hash, reason: "Added on the command line" },
        });
      written = (await lookUp())!;
    }
    const isApproved = written.state === "approved";
    const { secrets } = await connection.ask("GET /secrets");
    const lacksSecret = options.secret !== undefined && !secrets.some((secret) => secret.name === options.secret);
    terminal.answer({ name, id, state: written.state, hash: written.hash, context }, () =>
      [
        isApproved
          ? terminal.style.good(`${safe(name)} is approved and can be called: toolrack call ${shellWord(safe(name))}`)
          : `${safe(name)} was stored, and waits for approval. Review it, and approve it, with: toolrack approve ${shellWord(safe(name))}`,
        ...(lacksSecret
          ? [
              terminal.style.warn(
                `The secret ${safe(options.secret!)} is not set yet: toolrack secrets set ${shellWord(safe(options.secret!))}`,
              ),
            ]
          : []),
        ...(written.privateHost === undefined
          ? []
          : [
              terminal.style.warn(
                `${safe(written.privateHost)} is not an address of the public internet. To allow it, add this to the configuration: tools: { records: { allowHosts: ["${safe(written.privateHost)}"] } }`,
              ),
            ]),
      ].join("\n"),
    );
    return "ok";
  },
};

function readOptions({ options, lists }: CommandInput, url: string): HttpToolOptions {
  const text = (name: string): string | undefined => (typeof options[name] === "string" ? options[name] : undefined);
  const description = text("description");
  if (description === undefined || description.trim() === "")
    throw new CommandError(
      "usage",
      'Say what the tool does, because models choose it by that: --description "Tells the weather in a city."',
    );
  return {
    url,
    description,
    method: text("method"),
    parameters: lists("param"),
    places: lists("in"),
    headers: lists("header"),
    secret: text("secret"),
    auth: text("auth") ?? "bearer",
  };
}

/** A changed definition is a draft, and a draft cannot be called: that is said before an approved tool is replaced. */
async function mayTakeAway(input: CommandInput, name: string, old: DefinitionInfo | undefined): Promise<void> {
  if (old?.state !== "approved" && old?.state !== "deprecated") return;
  const fact = `"${safe(name)}" is ${old.state}. A replaced definition waits for approval, and until then the tool cannot be called.`;
  if (await mayGoOn(input, `${fact} Replace it?`)) return;
  throw new CommandError(
    "usage",
    `${fact} Nothing was changed. Add --approve to approve it at once, or --yes to replace it and approve it later.`,
  );
}
