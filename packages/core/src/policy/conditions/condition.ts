/** Evaluates conditions over the arguments of a call. A port; `createCelEngine` is the built-in one. */
export interface ConditionEngine {
  /** Throws if the text cannot be parsed. */
  compile(text: string): Condition;
}

/** May throw while it is evaluated; the caller treats that as "refused". */
export interface Condition {
  (variables: ConditionVariables): boolean;
  /** The parts of the condition that test only a part of a text, as far as the engine knows them. */
  readonly textTests?: readonly TextTest[];
}

/** Has no prototype, so that it has no inherited names. */
export type ConditionVariables = Readonly<Record<string, unknown>>;

export interface TextTest {
  /** "startsWith", "contains", "<" … */
  readonly test: string;
  /** The names of everything that the tested text is built from: input.command → ["input", "command"] */
  readonly names: readonly string[];
}
