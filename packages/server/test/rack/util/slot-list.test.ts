import { array, assert, integer, property } from "fast-check";
import { expect, it } from "vitest";
import { SlotList } from "../../../src/rack/util/slot-list.ts";

it("a slots holds those who came and did not go, whoever comes and goes in between", () => {
  const moves = array(integer({ min: 0, max: 9 }), { maxLength: 200 });
  assert(
    property(moves, (turns) => {
      const slots = new SlotList<object>();
      const there = new Map<object, number>();
      for (const turn of turns) {
        const leaving = [...there][turn];
        if (leaving === undefined) {
          const member = {};
          there.set(member, slots.add(member));
        } else {
          const [member, slot] = leaving;
          slots.remove(member, slot);
          there.delete(member);
        }
        expect(new Set(slots)).toEqual(new Set(there.keys()));
        expect(slots.size).toBe(there.size);
      }
    }),
  );
});

it("whoever goes twice takes nobody else's slot away", () => {
  const slots = new SlotList<string>();
  const slot = slots.add("first");
  slots.remove("first", slot);
  slots.add("second");
  slots.remove("first", slot);
  expect([...slots]).toEqual(["second"]);
});
