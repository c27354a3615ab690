import colors from "picocolors";

/** Colour with a meaning, and none where the output is read by a program. */
export interface Style {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

export function createStyle(isColoured: boolean): Style {
  const { green, red, yellow, dim, bold } = colors.createColors(isColoured);
  return { good: green, bad: red, warn: yellow, dim, strong: bold };
}

/** The words for states and decisions, in the colour of what they mean. */
export function paintState(style: Style, state: string): string {
  if (/^(ready|allowed|allow|ok|approved|healthy|yes)$/.test(state)) return style.good(state);
  if (/^(failed|denied|deny|error|unavailable|archived|no|aborted|wrong|full|read-only|missing)$/.test(state)) return style.bad(state);
  return style.warn(state);
}
