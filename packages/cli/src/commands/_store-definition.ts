import { shellWord } from "@toolrack/core/internal/shell-word";
import type { DefinitionInfo } from "@toolrack/server";
import { CommandError, type ExitReason } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { mayGoOn } from "./_confirm.ts";
import { recordIdOf } from "./_definition.ts";
import type { CommandInput } from "./command.ts";

export interface StoreOptions {
  /** The name of a secret that it needs. */
  readonly secret?: string | undefined;
  /** Where the program comes from, for messages about its lines. */
  readonly file?: string;
}

/** Stores the definition of a tool, and tells whether it can be called now, or what is missing. */
export async function storeDefinition(
  input: CommandInput,
  name: string,
  context: Readonly<Record<string, unknown>>,
  { secret, file }: StoreOptions = {},
): Promise<ExitReason> {
  const { terminal } = input;
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
  await connection
    .ask("PUT /breadcrumbs/{id}", { params: { id }, body, ...(old !== undefined && { headers: { "if-match": `"${old.version}"` } }) })
    .catch((error: unknown) => {
      if (file === undefined || !(error instanceof CommandError)) throw error;
      throw new CommandError(error.reason, error.message.replaceAll("implementation.source:", `${safe(file)}:`));
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
    const { findings } = await connection.ask("GET /lifecycle/{id}", { params: { id } });
    const dangers = findings.filter(({ severity }) => severity === "danger");
    if (dangers.length > 0)
      terminal.note(
        [
          `The scanner finds something in ${safe(name)} that a person has to look at before it is approved:`,
          ...dangers.map(({ path, message }) => `  - ${safe(path)}: ${safe(message)}`),
        ].join("\n"),
      );
    else if (input.options["approve"] === true)
      await connection.ask("POST /lifecycle/{id}/approve", {
        params: { id },
        body: { hash: written.hash, reason: "Added on the command line" },
      });
    written = (await lookUp())!;
  }
  const isApproved = written.state === "approved";
  const known = secret === undefined ? [] : (await connection.ask("GET /secrets")).secrets;
  const lacksSecret = secret !== undefined && !known.some((one) => one.name === secret);
  const canBeCalled = !lacksSecret && written.privateHost === undefined && written.problem === undefined;
  terminal.answer({ name, id, state: written.state, hash: written.hash, context }, () =>
    [
      isApproved
        ? terminal.style.good(
            canBeCalled
              ? `${safe(name)} is approved and can be called: toolrack call ${shellWord(safe(name))}`
              : `${safe(name)} is approved, and cannot be called yet:`,
          )
        : `${safe(name)} was stored, and waits for approval. Review it, and approve it, with: toolrack approve ${shellWord(safe(name))}`,
      ...(written.problem === undefined ? [] : [terminal.style.bad(safe(written.problem))]),
      ...(lacksSecret
        ? [terminal.style.warn(`The secret ${safe(secret!)} is not set yet: toolrack secrets set ${shellWord(safe(secret!))}`)]
        : []),
      ...(written.privateHost === undefined
        ? []
        : [
            terminal.style.warn(
              `${safe(written.privateHost)} is not an address of the public internet. To allow it, add this to the configuration, and restart the server: tools: { records: { allowHosts: ["${safe(written.privateHost)}"] } }`,
            ),
          ]),
    ].join("\n"),
  );
  return "ok";
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
