/** How long a call has waited for people, itself or through the tools it calls: no time limit counts this. */
export class PersonWaits {
  #open = 0;
  #since = 0;
  #totalMs = 0;
  #atEnd: (() => void) | undefined;

  /** Waits that overlap count once. */
  begin(now: number): void {
    if (this.#open++ === 0) this.#since = now;
  }

  end(now: number): void {
    if (--this.#open > 0) return;
    this.#totalMs += now - this.#since;
    this.#atEnd?.();
    this.#atEnd = undefined;
  }

  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** All waits that are over. */
  get totalMs(): number {
    return this.#totalMs;
  }

  /** All waits until now, with the one that is not over. */
  until(now: number): number {
    return this.#totalMs + (this.#open > 0 ? now - this.#since : 0);
  }

  /** Runs `action` once when the last wait is over. */
  onEnd(action: () => void): void {
    this.#atEnd = action;
  }
}
