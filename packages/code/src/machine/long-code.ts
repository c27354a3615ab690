/**
 * Steps for the length of code that is about to run, besides its statements: an expression may be as long as a program. Between two jumps back and
 * two calls no instruction runs twice, so that these are the places to count it.
 */
export function longCode(length: number): number {
  return length >> 6;
}
