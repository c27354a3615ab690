import { createRedaction, type RedactionOptions } from "@toolrack/store";

/**
 * What people and models see of the input of a call, wherever one is shown: as plain JSON, without the values of fields that hold secrets and
 * without known secrets, as the log of calls keeps it.
 */
export type ShowInput = (input: unknown) => unknown;

export function createShowInput(options: RedactionOptions): ShowInput {
  const redaction = createRedaction(options);
  return (input) => (input === undefined ? undefined : redaction()(input));
}

/** A mapping to an input in the same way: where values come from stays, and fixed values are shown as those of an input. */
export function showMapping<Mapping extends Readonly<Record<string, object>>>(mapping: Mapping, show: ShowInput): Mapping {
  const shown = Object.entries(mapping).map(([name, part]) => {
    const fixed = Object.entries(part).map(([key, value]) => {
      const isFixed = key === "value" || key === "default";
      return [key, isFixed ? Object.values(show({ [name]: value as unknown }) as object)[0] : (value as unknown)] as const;
    });
    return [name, Object.fromEntries(fixed)] as const;
  });
  return Object.fromEntries(shown) as Mapping;
}
