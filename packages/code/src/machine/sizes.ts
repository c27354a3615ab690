/** What values take in the host, in bytes, as measured; what they hold comes on top. */
export const sizes = {
  object: 256,
  slot: 32,
  array: 96,
  item: 16,
  map: 512,
  entry: 64,
  func: 112,
  cls: 400,
  promise: 192,
  reaction: 80,
  env: 120,
  frame: 720,
  /** Dates, iterators, regular expressions, the functions of `new Promise`. */
  small: 104,
  text: 24,
  /** A label of a slot. */
  label: 40,
} as const;
