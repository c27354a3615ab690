/** What a tool is besides the name that callers see: known of tools that were renamed, or put into more groups, after their source registered them. */
export interface Registration {
  /** As the source registers it here, with the source's prefix: never the bare name that a server gives it. */
  readonly name: string;
  /** The id of its source. Registered names are unique only within one. */
  readonly source?: string;
  /** Whether the shown name and `addedGroups` count for `allow`. They always count for what restricts. */
  readonly isConfirmed: boolean;
  /** Groups of the tool that it did not have at its source. */
  readonly addedGroups?: readonly string[];
}

interface Named {
  readonly name: string;
}

const registration = Symbol("toolrack.registration");

/** The draft of a tool with the name that it had before. Copies keep it, so that no later step loses what the tool is governed by. */
export function withRegistration<Draft extends Named>(draft: Draft, known: Registration): Draft {
  return { ...draft, [registration]: Object.freeze(known) };
}

/** Undefined for nearly every tool: its name is the one that its source registered. */
export function registrationOf(tool: object): Registration | undefined {
  return (tool as { readonly [registration]?: Registration })[registration];
}

/** For copies that name each field. */
export function keptRegistration(tool: object): object {
  const known = registrationOf(tool);
  return known === undefined ? {} : { [registration]: known };
}

export function registeredNameOf(tool: Named): string {
  return registrationOf(tool)?.name ?? tool.name;
}

/** Every name under which rules apply to the tool: a deny, an ask, a condition, a limit or a switch that matches one of them applies. */
export function governedNames(tool: Named): readonly string[] {
  const known = registrationOf(tool);
  return known === undefined || known.name === tool.name ? [tool.name] : [known.name, tool.name];
}

/** The names that count for `allow`: the registered one, and the shown one if an admin stands for it. */
export function grantingNames(tool: Named): readonly string[] {
  const known = registrationOf(tool);
  return known === undefined || known.isConfirmed ? governedNames(tool) : [known.name];
}

/** Whether a rule that restricts, and names tools, applies to the tool. */
export function isGovernedAs(tool: Named, matches: (name: string) => boolean): boolean {
  if (matches(tool.name)) return true;
  const known = registrationOf(tool);
  return known !== undefined && matches(known.name);
}
