/** Running work that can be aborted. */
export interface Abortable {
  abort(reason: Error): void;
}
