import { Parser, type Options } from "acorn";

export const options: Options = { ecmaVersion: 2024, sourceType: "module", allowHashBang: false };

/** What a parser makes of these options. */
const own = (Parser.tokenizer("", options) as unknown as { options: ParserOptions }).options;

/** The same in an object of one known form: parsers put theirs together key by key, look each key up slowly, and do so several times for every token. */
const fixed: ParserOptions = {
  ecmaVersion: own.ecmaVersion,
  sourceType: own.sourceType,
  strict: own.strict,
  onInsertedSemicolon: own.onInsertedSemicolon,
  onTrailingComma: own.onTrailingComma,
  allowReserved: own.allowReserved,
  allowReturnOutsideFunction: own.allowReturnOutsideFunction,
  allowImportExportEverywhere: own.allowImportExportEverywhere,
  allowAwaitOutsideFunction: own.allowAwaitOutsideFunction,
  allowSuperOutsideMethod: own.allowSuperOutsideMethod,
  allowHashBang: own.allowHashBang,
  checkPrivateFields: own.checkPrivateFields,
  locations: false,
  startLocation: own.startLocation,
  onToken: own.onToken,
  onComment: own.onComment,
  ranges: own.ranges,
  program: own.program,
  sourceFile: own.sourceFile,
  directSourceFile: own.directSourceFile,
  preserveParens: own.preserveParens,
};

type ParserOptions = Readonly<Record<Exclude<keyof Options, "allowReserved">, unknown>> & {
  readonly strict: unknown;
  readonly allowReserved: unknown;
};

export function fixedOptions(base: typeof Parser): typeof Parser {
  const Base = base as unknown as new (...given: unknown[]) => { options: ParserOptions };
  return class extends Base {
    constructor(...given: unknown[]) {
      super(...given);
      this.options = fixed;
    }
  } as unknown as typeof Parser;
}
