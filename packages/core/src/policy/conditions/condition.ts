/** Evaluates conditions over the arguments of a call. A port: `createCelEngine` is the one that comes along. */
export interface ConditionEngine {
  /** Throws for a text that it cannot read. */
  compile(text: string): Condition;
}

/** May throw while it is evaluated; whoever calls it takes that for "refused". */
export interface Condition {
  (variables: ConditionVariables): boolean;
  /** The places that look at a part of a text, as far as the engine can tell them. */
  readonly textTests?: readonly TextTest[];
}

/** Has no prototype, so that no name is there that nobody put there. */
export type ConditionVariables = Readonly<Record<string, unknown>>;

export interface TextTest {
  /** "startsWith", "contains", "<" … */
  readonly test: string;
  /** The names of everything that the tested text is made of: input.command → ["input", "command"] */
  readonly names: readonly string[];
}
