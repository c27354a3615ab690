/**
 * The built-in functions that call functions of the program, in the language itself: their frames are frames like any other, so that a program can
 * be stored in the middle of them, and labels follow their branches. Names with `$` exist only here.
 */
export const prelude: string = String.raw`
function Array_map(fn, self) {
  $check(fn, "map");
  const list = this, length = list.length, out = [];
  for (let i = 0; i < length; i++) out.push(i < list.length ? (self === undefined ? fn(list[i], i, list) : $call(fn, self, list[i], i, list)) : undefined);
  return out;
}
function Array_filter(fn, self) {
  $check(fn, "filter");
  const list = this, length = list.length, out = [];
  for (let i = 0; i < length && i < list.length; i++) {
    const item = list[i];
    if (self === undefined ? fn(item, i, list) : $call(fn, self, item, i, list)) out.push(item);
  }
  return out;
}
function Array_forEach(fn, self) {
  $check(fn, "forEach");
  const list = this, length = list.length;
  for (let i = 0; i < length && i < list.length; i++) {
    if (self === undefined) fn(list[i], i, list);
    else $call(fn, self, list[i], i, list);
  }
}
function Array_find(fn, self) {
  $check(fn, "find");
  const list = this, length = list.length;
  for (let i = 0; i < length; i++) {
    const item = list[i];
    if (self === undefined ? fn(item, i, list) : $call(fn, self, item, i, list)) return item;
  }
}
function Array_findIndex(fn, self) {
  $check(fn, "findIndex");
  const list = this, length = list.length;
  for (let i = 0; i < length; i++) if (self === undefined ? fn(list[i], i, list) : $call(fn, self, list[i], i, list)) return i;
  return -1;
}
function Array_findLast(fn, self) {
  $check(fn, "findLast");
  const list = this;
  for (let i = list.length - 1; i >= 0; i--) {
    const item = list[i];
    if (self === undefined ? fn(item, i, list) : $call(fn, self, item, i, list)) return item;
  }
}
function Array_findLastIndex(fn, self) {
  $check(fn, "findLastIndex");
  const list = this;
  for (let i = list.length - 1; i >= 0; i--) if (self === undefined ? fn(list[i], i, list) : $call(fn, self, list[i], i, list)) return i;
  return -1;
}
function Array_some(fn, self) {
  $check(fn, "some");
  const list = this, length = list.length;
  for (let i = 0; i < length && i < list.length; i++) if (self === undefined ? fn(list[i], i, list) : $call(fn, self, list[i], i, list)) return true;
  return false;
}
function Array_every(fn, self) {
  $check(fn, "every");
  const list = this, length = list.length;
  for (let i = 0; i < length && i < list.length; i++) if (!(self === undefined ? fn(list[i], i, list) : $call(fn, self, list[i], i, list))) return false;
  return true;
}
function Array_flatMap(fn, self) {
  $check(fn, "flatMap");
  const list = this, length = list.length, out = [];
  for (let i = 0; i < length && i < list.length; i++) {
    const item = self === undefined ? fn(list[i], i, list) : $call(fn, self, list[i], i, list);
    if (Array.isArray(item)) out.push(...item);
    else out.push(item);
  }
  return out;
}
function Array_reduce(fn, ...initial) {
  $check(fn, "reduce");
  const list = this, length = list.length;
  let i = 0, sum;
  if (initial.length > 0) sum = initial[0];
  else if (length === 0) throw new TypeError("Reduce of empty array with no initial value. Give it one: reduce(fn, 0).");
  else sum = list[i++];
  for (; i < length && i < list.length; i++) sum = fn(sum, list[i], i, list);
  return sum;
}
function Array_reduceRight(fn, ...initial) {
  $check(fn, "reduceRight");
  const list = this;
  let i = list.length - 1, sum;
  if (initial.length > 0) sum = initial[0];
  else if (i < 0) throw new TypeError("Reduce of empty array with no initial value. Give it one: reduceRight(fn, 0).");
  else sum = list[i--];
  for (; i >= 0; i--) if (i < list.length) sum = fn(sum, list[i], i, list);
  return sum;
}
function Array_sort(compare) {
  if (compare !== undefined) $check(compare, "sort");
  $writable(this);
  return $replaceItems(this, compare === undefined ? $sortPlain(this) : $sorted(this, compare));
}
function Array_toSorted(compare) {
  if (compare === undefined) return $sortPlain(this);
  $check(compare, "toSorted");
  return $sorted(this, compare);
}
function _sorted(source, compare) {
  const items = [];
  let missing = 0;
  for (const item of source) {
    if (item === undefined) missing++;
    else items.push(item);
  }
  const n = items.length;
  let from = items, to = items.slice();
  for (let width = 1; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      const middle = start + width < n ? start + width : n, end = start + 2 * width < n ? start + 2 * width : n;
      let l = start, r = middle;
      for (let k = start; k < end; k++) {
        if (l < middle && (r >= end || !(compare(from[l], from[r]) > 0))) to[k] = from[l++];
        else to[k] = from[r++];
      }
    }
    const swap = from;
    from = to;
    to = swap;
  }
  for (; missing > 0; missing--) from.push(undefined);
  return from;
}
function Array_from(source, fn, self) {
  const list = $arrayFrom(source);
  if (fn === undefined) return list;
  $check(fn, "Array.from");
  const out = [], length = list.length;
  for (let i = 0; i < length; i++) out.push(self === undefined ? fn(list[i], i) : $call(fn, self, list[i], i));
  return out;
}
function Object_groupBy(items, fn) {
  $check(fn, "Object.groupBy");
  const list = [...items], keys = [];
  for (let i = 0; i < list.length; i++) keys.push(String(fn(list[i], i)));
  return $group(list, keys, {});
}
function Map_groupBy(items, fn) {
  $check(fn, "Map.groupBy");
  const list = [...items], keys = [];
  for (let i = 0; i < list.length; i++) keys.push(fn(list[i], i));
  return $group(list, keys, new Map());
}
function Map_forEach(fn, self) {
  $check(fn, "forEach");
  for (const [key, value] of this.entries()) {
    if (self === undefined) fn(value, key, this);
    else $call(fn, self, value, key, this);
  }
}
function String_replace(pattern, replacement) {
  if (typeof replacement !== "function") return $replace(this, pattern, replacement, false);
  return $replaceWith(this, $places(this, pattern, false), replacement);
}
function String_replaceAll(pattern, replacement) {
  if (typeof replacement !== "function") return $replace(this, pattern, replacement, true);
  return $replaceWith(this, $places(this, pattern, true), replacement);
}
function _replaceWith(text, places, replacement) {
  let out = "", at = 0;
  for (const [start, end, args] of places) {
    out += text.slice(at, start) + String(replacement(...args));
    at = end;
  }
  return out + text.slice(at);
}
function JSON_parse(text, reviver) {
  const value = $parse(text);
  return typeof reviver === "function" ? $revive({ "": value }, "", reviver) : value;
}
function _revive(holder, key, reviver) {
  const value = holder[key];
  if (typeof value === "object" && value !== null) {
    if (Array.isArray(value)) for (let i = 0; i < value.length; i++) value[i] = $revive(value, String(i), reviver);
    else {
      for (const name of Object.keys(value)) {
        const made = $revive(value, name, reviver);
        if (made === undefined) delete value[name];
        else value[name] = made;
      }
    }
  }
  return $call(reviver, holder, key, value);
}
function JSON_stringify(value, replacer, space) {
  if (typeof replacer !== "function") return $stringify(value, replacer, space);
  return $stringify($replaced({ "": value }, "", replacer, []), undefined, space);
}
function _replaced(holder, key, replacer, path) {
  let value = holder[key];
  if (value instanceof Date) value = value.toJSON();
  value = $call(replacer, holder, key, value);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (path.includes(value)) throw new TypeError("An object that contains itself cannot be written as JSON. Write the needed fields.");
  if (path.length > 500) throw new RangeError("Nesting of more than 500 levels cannot be written as JSON.");
  const inner = [...path, value];
  if (Array.isArray(value)) {
    const out = [];
    for (let i = 0; i < value.length; i++) out.push($replaced(value, String(i), replacer, inner));
    return out;
  }
  const out = {};
  for (const name of Object.keys(value)) out[name] = $replaced(value, name, replacer, inner);
  return out;
}
function Promise_new(executor) {
  $check(executor, "new Promise");
  const promise = $promise();
  const reject = $resolver(promise, true);
  try {
    executor($resolver(promise, false), reject);
  } catch (error) {
    reject(error);
  }
  return promise;
}
function Promise_all(list) {
  return new Promise((resolve, reject) => {
    const out = [];
    let left = 1, count = 0;
    for (const item of list) {
      const at = count++;
      left++;
      out.push(undefined);
      Promise.resolve(item).then((value) => {
        out[at] = value;
        if (--left === 0) resolve(out);
      }, reject);
    }
    if (--left === 0) resolve(out);
  });
}
function Promise_allSettled(list) {
  return new Promise((resolve) => {
    const out = [];
    let left = 1, count = 0;
    for (const item of list) {
      const at = count++;
      left++;
      out.push(undefined);
      Promise.resolve(item).then(
        (value) => {
          out[at] = { status: $outcome(item, "fulfilled"), value };
          if (--left === 0) resolve(out);
        },
        (reason) => {
          out[at] = { status: $outcome(item, "rejected"), reason };
          if (--left === 0) resolve(out);
        },
      );
    }
    if (--left === 0) resolve(out);
  });
}
function Promise_race(list) {
  return new Promise((resolve, reject) => {
    const items = [...list];
    for (const item of items) {
      Promise.resolve(item).then(
        (value) => resolve($entrants(items, value)),
        (error) => reject($entrants(items, error)),
      );
    }
  });
}
function Promise_any(list) {
  return new Promise((resolve, reject) => {
    const items = [...list], errors = [];
    let left = items.length, count = 0;
    if (left === 0) reject(new AggregateError([], "All promises were rejected"));
    for (const item of items) {
      const at = count++;
      errors.push(undefined);
      Promise.resolve(item).then(
        (value) => resolve($entrants(items, value)),
        (error) => {
          errors[at] = error;
          if (--left === 0) reject($entrants(items, new AggregateError(errors, "All promises were rejected")));
        },
      );
    }
  });
}
function Promise_finally(fn) {
  if (typeof fn !== "function") return this.then(fn, fn);
  return this.then(
    (value) => Promise.resolve(fn()).then(() => value),
    (error) => Promise.resolve(fn()).then(() => { throw error; }),
  );
}
`;
