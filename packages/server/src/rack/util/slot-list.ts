/**
 * A collection for members that are added and removed at a high rate, such as requests. A Set reallocates its table all the time, and
 * a table in the old generation keeps newer entries alive: every request would survive the minor garbage collections.
 */
export class SlotList<Member> implements Iterable<Member> {
  readonly #slots: (Member | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#slots.length - this.#free.length;
  }

  /** Returns the slot that `remove` needs. */
  add(member: Member): number {
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = member;
    return slot;
  }

  /** Removing a member twice does nothing. */
  remove(member: Member, slot: number): void {
    if (this.#slots[slot] !== member) return;
    this.#slots[slot] = undefined;
    this.#free.push(slot);
  }

  *[Symbol.iterator](): Generator<Member> {
    for (const member of this.#slots) if (member !== undefined) yield member;
  }
}
