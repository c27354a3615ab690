/** --agent, --session: as whom a command acts, in the form that the API takes. */
export function callerQuery(options: Readonly<Record<string, string | boolean | undefined>>): { readonly run_as?: string } {
  const caller = callerOf(options);
  return caller === undefined ? {} : { run_as: JSON.stringify(caller) };
}

export function callerOf(options: Readonly<Record<string, string | boolean | undefined>>): Readonly<Record<string, string>> | undefined {
  const facts = ["agent", "provider", "model", "channel", "group", "sender"].flatMap((fact) =>
    typeof options[fact] === "string" ? [[fact, options[fact]] as const] : [],
  );
  return facts.length === 0 ? undefined : Object.fromEntries(facts);
}

export const callerOptions: readonly { readonly flags: string; readonly description: string }[] = [
  { flags: "--agent <id>", description: "as this agent" },
  { flags: "--provider <name>", description: "on this provider's models" },
  { flags: "--model <name>", description: "with this model" },
  { flags: "--channel <name>", description: "through this channel" },
  { flags: "--group <id>", description: "in this group of the channel" },
  { flags: "--sender <id>", description: "on behalf of this sender" },
];
