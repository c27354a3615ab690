import { array, assert, integer, property } from "fast-check";
import { expect, it } from "vitest";
import { Roster } from "../../../src/rack/util/slot-list.ts";

it("a roster holds those who came and did not go, whoever comes and goes in between", () => {
  const moves = array(integer({ min: 0, max: 9 }), { maxLength: 200 });
  assert(
    property(moves, (turns) => {
      const roster = new Roster<object>();
      const there = new Map<object, number>();
      for (const turn of turns) {
        const leaving = [...there][turn];
        if (leaving === undefined) {
          const member = {};
          there.set(member, roster.add(member));
        } else {
          const [member, place] = leaving;
          roster.remove(member, place);
          there.delete(member);
        }
        expect(new Set(roster)).toEqual(new Set(there.keys()));
        expect(roster.size).toBe(there.size);
      }
    }),
  );
});

it("whoever goes twice takes nobody else's place away", () => {
  const roster = new Roster<string>();
  const place = roster.add("first");
  roster.remove("first", place);
  roster.add("second");
  roster.remove("first", place);
  expect([...roster]).toEqual(["second"]);
});
