/**
 * Who is there just now, where many come and go. A Set would grow new tables all the time, and a table that has grown old keeps what
 * came after it from being let go: every request would outlive the quick rounds of the garbage collector.
 */
export class Roster<Member> implements Iterable<Member> {
  readonly #places: (Member | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#places.length - this.#free.length;
  }

  /** Answers the place, by which the member is to be taken off again. */
  add(member: Member): number {
    const place = this.#free.pop() ?? this.#places.length;
    this.#places[place] = member;
    return place;
  }

  /** May be asked more than once. */
  remove(member: Member, place: number): void {
    if (this.#places[place] !== member) return;
    this.#places[place] = undefined;
    this.#free.push(place);
  }

  *[Symbol.iterator](): Generator<Member> {
    for (const member of this.#places) if (member !== undefined) yield member;
  }
}
