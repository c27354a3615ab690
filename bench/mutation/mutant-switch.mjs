/**
 * What the mutants in the sources ask whether they are on; at most one of them is. Notes which test reaches which mutant, and which test
 * uses which file.
 */
export function createMutantSwitch() {
  let [active, now, reached, used, left] = [undefined, undefined, new Map(), new Map(), 0];
  const note = (map, key) => {
    if (now === undefined) return;
    const places = map.get(key);
    if (places === undefined) map.set(key, new Set([now]));
    else places.add(now);
  };
  return {
    isOn(id) {
      if (active !== undefined) {
        if (active !== id) return false;
        // A mutant that makes a loop endless is found by counting, not by waiting.
        if (left-- <= 0) throw new Error(`the mutant was run more than ${mostRuns} times`);
        return true;
      }
      note(reached, id);
      return false;
    },
    use(file) {
      if (active === undefined) note(used, file);
    },
    /** Mutants that are run from now on are those of this place: the id of a test, or "load" or "file". */
    setPlace(place) {
      now = place;
    },
    turnOn(id) {
      [active, left] = [id, mostRuns];
    },
    turnOff() {
      active = undefined;
    },
    /** `{ reached, used }`: the places of each mutant and of each file since the last time. */
    takeNotes() {
      const notes = { reached: toLists(reached), used: toLists(used) };
      [reached, used] = [new Map(), new Map()];
      return notes;
    },
  };
}

const mostRuns = 2_000_000;

const toLists = (map) => Object.fromEntries([...map].map(([key, places]) => [key, [...places]]));
