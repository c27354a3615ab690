import { counted } from "../print/counted.ts";
import { shellWord } from "@toolrack/core/internal/shell-word";
import type { OpenApiPlan } from "@toolrack/server";
import type { ExitReason } from "../errors.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import { readGiven } from "./_openapi.ts";
import type { CommandInput } from "./command.ts";

const shownTools = 20;

/** Fails if nothing of the document can be imported. */
export async function printPlan(input: CommandInput<[document: string]>): Promise<ExitReason> {
  const {
    arguments: [named],
    options,
    terminal,
  } = input;
  const given = readGiven(named, input);
  const connection = await input.connect();
  const id = options["id"];
  const plan = await connection.ask("POST /openapi/plan", {
    body: { ...given, ...(typeof id === "string" && { source: id }) },
    signal: input.signal,
  });
  const givenSecrets = Object.values((given.openapi["secrets"] ?? {}) as Readonly<Record<string, string>>);
  terminal.answer(plan, () => planLines(plan, { terminal, showsAll: options["all"] === true, named: givenSecrets }).join("\n"));
  return plan.tools.length === 0 ? "failed" : "ok";
}

interface Shown {
  readonly terminal: Terminal;
  readonly showsAll: boolean;
  /** The secrets that --secret names. */
  readonly named: readonly string[];
}

function planLines(plan: OpenApiPlan, { terminal, showsAll, named }: Shown): readonly string[] {
  const { tools, tags, refused, warnings, tokens, secrets } = plan;
  const shown = showsAll ? tools : tools.slice(0, shownTools);
  const left = tools.length - shown.length;
  const { style } = terminal;
  return [
    `${safe(plan.title)} ${safe(plan.version)}, ${safe(plan.format)}: ${counted(plan.operations, "operation")}, ${counted(tools.length, "tool")}, ${refused.length} refused.`,
    tools.length === 0 && refused.length === 0 && plan.operations > 0
      ? "Nothing is chosen: no operation matches --include, or --exclude takes out all that do. The document's tags, paths and operationIds can be chosen."
      : `Requests go to ${plan.servers.length === 0 ? "an address that --base-url has to give" : plan.servers.map(safe).join(", ")}.`,
    `Tokens, estimated: ${tokens.map((one) => `${one.vendor} ${one.tokens.toLocaleString("en-US")}`).join(", ")}.`,
    ...(plan.searched ? ["These are many: models find them by search, instead of having all of them listed."] : []),
    ...(tags.length === 0 ? [] : [`Tags: ${tags.map(({ name, operations }) => `${safe(name)} (${operations})`).join(", ")}.`]),
    ...secrets.flatMap(({ secret, tools: users, isSet }) => {
      const line = `Secret ${safe(secret)}: ${counted(users, "tool")}${isSet ? "" : `, not set. Set it with: toolrack secrets set ${shellWord(safe(secret))}`}`;
      const shownLine = isSet ? line : style.warn(line);
      // A document could name a secret of another tool.
      const grant = `  Only the document names it: give it with --secret ${shellWord(safe(`${secret}=${secret}`))}, else each of these tools waits for a grant (toolrack approvals).`;
      return named.includes(secret) ? [shownLine] : [shownLine, style.warn(grant)];
    }),
    ...(tools.length === 0
      ? []
      : [
          "",
          terminal.table(
            ["TOOL", "OPERATION", "KIND"],
            shown.map(({ name, operation, ...tool }) => [safe(name), safe(operation), kindOf(tool)]),
          ),
        ]),
    ...(left > 0 ? [`… and ${left} more; --all shows them.`] : []),
    ...(refused.length === 0
      ? []
      : ["", "Refused:", ...refused.map(({ operation, reason }) => style.bad(`  ${safe(operation)}: ${safe(reason)}`))]),
    ...(warnings.length === 0 ? [] : ["", "Warnings:", ...warnings.map((warning) => style.warn(`  ${safe(warning)}`))]),
  ];
}

function kindOf({
  readOnly,
  destructive,
  deprecated,
}: {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly deprecated: boolean;
}): string {
  return [readOnly ? "reads" : destructive ? "deletes" : "writes", ...(deprecated ? ["deprecated"] : [])].join(", ");
}
