/** What is under way, and can be told to stop. */
export interface Abortable {
  abort(reason: Error): void;
}
