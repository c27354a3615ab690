/** What the mutants in the sources ask whether they are on; at most one of them is. Notes which of them are asked in which place. */
export function createMutantSwitch() {
  let [active, left, here] = [undefined, 0, undefined];
  let places = new Map();
  return {
    isOn(id) {
      if (active === undefined) {
        here?.add(id);
        return false;
      }
      if (active !== id) return false;
      // A mutant that makes a loop endless is found by counting, not by waiting.
      if (left-- <= 0) throw new Error(`the mutant was run more than ${mostRuns} times`);
      return true;
    },
    /** What is asked from now on is asked by this test, while the file is loaded ("load"), or between its tests ("file"). */
    setPlace(place) {
      if (place !== undefined && !places.has(place)) places.set(place, new Set());
      here = places.get(place);
    },
    turnOn(id) {
      [active, left] = [id, mostRuns];
    },
    turnOff() {
      active = undefined;
    },
    /** Place → what was asked there since the last time. */
    takeNotes() {
      const notes = places;
      [places, here] = [new Map(), undefined];
      return notes;
    },
  };
}

const mostRuns = 2_000_000;
