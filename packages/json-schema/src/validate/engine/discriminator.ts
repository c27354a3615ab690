import { isObject } from "../../util/json.ts";
import { nearestNames } from "../../util/nearest.ts";
import { type Complaint, Fault, orList, type Path } from "../issues.ts";

/**
 * The faults of a value that fits no branch of a union, if one property tells the branches apart (`kind`, `action`) and its value is none that any of them
 * has: all its values are listed, with the branch that was nearly right. Undefined if there is no such property, or a branch has its value.
 */
export function discriminatorFaults(branches: readonly (readonly Fault[])[], value: unknown, path: Path): readonly Fault[] | undefined {
  if (!isObject(value)) return undefined;
  // Null, a text: what is no object at all was not meant.
  const objects = branches.filter((faults) => !faults.some(({ place, complaint }) => place.length === path.length && complaint.types));
  const [first = []] = objects;
  if (objects.length < 2) return undefined;
  for (const { place } of first) {
    const key = place.at(-1);
    if (place.length !== path.length + 1 || typeof key !== "string") continue;
    const tags = objects.map((faults) => faults.find((fault) => isAt(fault, place) && fault.complaint.choices !== undefined));
    if (!tags.every((tag) => tag !== undefined)) continue;
    const choices = [...new Set(tags.flatMap((tag) => tag.complaint.choices!))];
    if (choices.length < 2) continue;
    const near = nearestOf(value[key], choices);
    const meant = objects[tags.findIndex((tag) => near !== undefined && tag.complaint.choices!.includes(near))] ?? [];
    const fitting = objects.flatMap((faults, index) => (faults.length === 1 ? tags[index]!.complaint.choices! : []));
    const complaint = complaintOf(tags[0]!.complaint.keyword, choices, near, fitting.length === 1 ? fitting[0] : undefined);
    const tag = new Fault(path.slice(), [key], complaint, complaint.keyword === "required" ? undefined : value[key]);
    return [tag, ...meant.filter((fault) => !isAt(fault, place))];
  }
  return undefined;
}

function isAt(fault: Fault, place: Path): boolean {
  return fault.place.length === place.length && fault.place.every((part, index) => part === place[index]);
}

function nearestOf(value: unknown, choices: readonly unknown[]): string | undefined {
  if (typeof value !== "string") return undefined;
  return nearestNames(
    value,
    choices.filter((choice) => typeof choice === "string"),
    1,
  )[0];
}

function complaintOf(keyword: string, choices: readonly unknown[], near: string | undefined, fitting: unknown): Complaint {
  const expected = orList(choices.map((choice) => JSON.stringify(choice)));
  const rest = fitting === undefined ? "" : ` Everything else fits ${JSON.stringify(fitting)}.`;
  if (keyword === "required")
    return {
      keyword,
      expected,
      received: () => "missing",
      sentence: (name) => `${name} is required (${expected}), but it is missing.${rest}`,
    };
  if (near !== undefined || fitting === undefined) return { keyword: "enum", expected, suggest: () => near };
  return {
    keyword: "enum",
    expected,
    sentence: (name, value) => `${name} must be ${expected}, but it is ${JSON.stringify(value)}.${rest}`,
  };
}
