/** What a store accepts. */
export interface RecordLimits {
  /** Of the context as JSON. @default 1_048_576 */
  readonly maxContextBytes: number;
}

export const defaultLimits: RecordLimits = Object.freeze({ maxContextBytes: 1_048_576 });

export const maxTags = 256;
export const maxTitleLength = 1_024;
export const maxDepth = 64;
