import colors from "picocolors";

/** Colour with a meaning, and none where the output is read by a program. */
export interface Style {
  readonly isColoured: boolean;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
  /** The names of fields, where values are shown. */
  name(text: string): string;
}

export function createStyle(isColoured: boolean): Style {
  const { green, red, yellow, dim, bold, cyan } = colors.createColors(isColoured);
  return { isColoured, good: green, bad: red, warn: yellow, dim, strong: bold, name: cyan };
}

/** NO_COLOR has the last word, FORCE_COLOR the one before; without them, terminals get colour. */
export function wantsColour(environment: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && TERM !== "dumb";
}

/** The words for states and decisions, in the colour of what they mean. */
export function paintState(style: Style, state: string): string {
  if (/^(ready|allowed|allow|ok|approved|healthy|yes)$/.test(state)) return style.good(state);
  if (/^(failed|denied|deny|error|unavailable|archived|no|aborted|wrong|full|read-only|missing)$/.test(state)) return style.bad(state);
  return style.warn(state);
}
