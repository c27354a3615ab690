/**
 * Makes programs in which a secret decides: what is written, where, through which reference, in which order and by whom. The same numbers, the same
 * program. Every value is logged at the end on a line of its own.
 */
export function randomFlow(numbers: readonly number[], secretive = true): string {
  return new Flow(numbers, secretive).program();
}

class Flow {
  private at = 0;
  private count = 0;
  private readonly numbers: readonly number[];
  /** The secret decides; otherwise it is only read. */
  private readonly secretive: boolean;

  constructor(numbers: readonly number[], secretive: boolean) {
    this.numbers = numbers;
    this.secretive = secretive;
  }

  program(): string {
    const lines = [
      "const s = await tools.get_secret({});",
      "let n0 = 1, n1 = 2, n2 = 3;",
      "const o0 = { n: 1, m: 2 }, o1 = { n: 3, m: 4 }, o2 = { n: 5, in: { n: 6 } };",
      "const l0 = [1, 2, 3], l1 = [4], rows = [{ id: 0, n: 0 }, { id: 1, n: 0 }, { id: 2, n: 0 }];",
      "const m0 = new Map([['a', 1], ['b', 2]]), e0 = new Set([1, 2]), mo = new Map([[0, o0], [1, o1]]);",
      "let ref = o0, list = l0, fn = (v) => v; const holder = { cur: o1, list: l1 };",
      "const set = (o, v) => { o.n = v; }; const choose = (c, a, b) => { if (c) return a; return b; };",
      "class Box { n = 0; put(v) { this.n = v; return this; } } const b0 = new Box(), b1 = new Box();",
    ];
    const size = 4 + this.pick(9);
    for (let line = 0; line < size; line++) lines.push(this.statement(0));
    for (const shown of ["n0", "n1", "n2", "ref.n", "fn(1)", "holder.cur.n", "b0.n", "b1.n"])
      lines.push(`console.log("${shown}", ${shown});`);
    for (const name of ["o0", "o1", "o2"])
      lines.push(`console.log("${name}", ${name}.n ?? null, Object.keys(${name})[0] ?? null);`, `console.log(${name}.m ?? null);`);
    lines.push("console.log(o2.in?.n ?? null);");
    for (const name of ["l0", "l1", "list"])
      lines.push(
        `console.log("${name}", ${name}.length);`,
        `console.log(${name}[0] ?? null);`,
        `console.log(${name}[1] ?? null);`,
        `console.log(${name}.at(-1) ?? null);`,
      );
    for (let row = 0; row < 3; row++) lines.push(`console.log("rows", rows[${row}]?.n ?? null);`);
    lines.push(
      "console.log('m0', m0.size);",
      "console.log(m0.get('a') ?? null);",
      "console.log([...m0.keys()][0] ?? null);",
      "console.log([...m0.values()].at(-1) ?? null);",
    );
    lines.push("console.log('e0', e0.has(1));", "console.log([...e0][0] ?? null);", "console.log(mo.get(0)?.n ?? null, mo.size);");
    lines.push("return [n0, n1, n2];");
    return lines.join("\n");
  }

  private pick(limit: number): number {
    const value = this.numbers[this.at++ % this.numbers.length] ?? 0;
    return Math.abs(value + Math.floor(this.at / this.numbers.length) * 7) % limit;
  }

  private from<T>(list: readonly T[]): T {
    const known = this.secretive ? list : list.filter((item) => !String(item).startsWith("s."));
    return known[this.pick(known.length)] as T;
  }

  private name(prefix: string): string {
    return `${prefix}_${++this.count}`;
  }

  /** Half of them tell of the secret. */
  private condition(): string {
    return this.from([
      "s.flag",
      "s.n > 30",
      "s.n % 2 === 0",
      "s.list.length > 1",
      "n0 > 1",
      "o0.n > 2",
      "l0.length > 2",
      "m0.has('c')",
      "true",
    ]);
  }

  private number(): string {
    return this.from([
      "0",
      "1",
      "2",
      "3",
      "7",
      "n0",
      "n1",
      "n2",
      "o0.n",
      "o1.m",
      "l0.length",
      "(l0[0] ?? 0)",
      "m0.size",
      "e0.size",
      "s.n",
      "s.list.length",
      "ref.n",
    ]);
  }

  private object(): string {
    const c = this.condition();
    return this.from([
      "o0",
      "o1",
      "o2",
      "ref",
      "holder.cur",
      `(${c} ? o0 : o1)`,
      `(${c} ? ref : { n: 9, m: 9 })`,
      `choose(${c}, o1, o2)`,
      `[o0, o1][${c} ? 0 : 1]`,
      `(rows.find((r) => r.id === (${this.number()}) % 3) ?? o2)`,
      `(mo.get((${this.number()}) % 2) ?? o0)`,
      `(rows[(${this.number()}) % 3] ?? o1)`,
      `({ a: o0, b: o2 })[${c} ? "a" : "b"]`,
    ]);
  }

  private list(): string {
    const c = this.condition();
    return this.from(["l0", "l1", "list", "holder.list", `(${c} ? l0 : l1)`, `choose(${c}, list, l1)`]);
  }

  private block(depth: number): string {
    const size = 1 + this.pick(2);
    const lines: string[] = [];
    for (let line = 0; line < size; line++) lines.push(this.statement(depth + 1));
    return `{ ${lines.join(" ")} }`;
  }

  private statement(depth: number): string {
    switch (this.pick(depth > 2 ? 17 : 30)) {
      case 0:
      case 1:
        return `${this.from(["n0", "n1", "n2"])} = ${this.number()};`;
      case 2:
        return `${this.object()}.${this.from(["n", "m", "k"])} = ${this.number()};`;
      case 3:
        return `ref = ${this.object()};`;
      case 4:
        return `holder.cur = ${this.object()};`;
      case 5:
        return `list = ${this.list()};`;
      case 6:
        return `${this.list()}.push(${this.number()});`;
      case 7:
        return `${this.list()}.${this.from(["pop()", "shift()", "reverse()", "unshift(8)", "splice(0, 1)", "fill(6)", "sort()", "splice(1, 0, 5)"])};`;
      case 8:
        return `m0.set("${this.from(["a", "b", "c", "d"])}", ${this.number()});`;
      case 9:
        return `m0.delete("${this.from(["a", "b", "c"])}");`;
      case 10:
        return `${this.from(["e0.add(3)", "e0.add(4)", "e0.delete(1)", "e0.delete(2)"])};`;
      case 11:
        return `set(${this.object()}, ${this.number()});`;
      case 12:
        return `choose(${this.condition()}, b0, b1).put(${this.number()});`;
      case 13:
        return `fn = choose(${this.condition()}, fn, (v) => v + ${this.pick(3)});`;
      case 14:
        return `delete ${this.object()}.${this.from(["m", "k"])};`;
      case 15:
        return `mo.set((${this.number()}) % 2, ${this.object()});`;
      case 16:
        return `n0 = [...${this.list()}, ${this.number()}][${this.pick(2)}] ?? 0;`;
      case 17:
      case 18:
      case 19:
        return `if (${this.condition()}) ${this.block(depth)}${this.pick(2) === 0 ? "" : ` else ${this.block(depth)}`}`;
      case 20: {
        const i = this.name("i");
        return `for (let ${i} = 0; ${i} < (${this.number()}) % 4; ${i}++) { if (${this.condition()}) ${this.from(["break", "continue"])}; ${this.statement(depth + 1)} }`;
      }
      case 21: {
        const e = this.name("e");
        return `try { if (${this.condition()}) throw new Error("x"); ${this.statement(depth + 1)} } catch (${e}) ${this.block(depth)}`;
      }
      case 22: {
        const f = this.name("f");
        return `const ${f} = () => { if (${this.condition()}) return 1; ${this.statement(3)} return 2; }; n1 = ${f}();`;
      }
      case 23:
        return `rows.forEach((r) => { if (${this.condition()}) r.n += ${this.number()}; });`;
      case 24:
        return `rows.filter((r) => (${this.condition()} ? r.id > 0 : r.id < 1)).forEach((r) => { r.n = ${this.number()}; });`;
      case 25:
        return `for (const v of ${this.from(["l0", "l1", "m0.values()", "e0", "s.list"])}) { n2 = v; if (n2 > 50) break; }`;
      case 26: {
        const [f, g] = [this.name("w"), this.name("w")];
        const waits = (): string => `for (let i = 0; i < (${this.number()}) % 4; i++) await null;`;
        return `const ${f} = async () => { ${waits()} ${this.statement(3)} }, ${g} = async () => { ${waits()} ${this.statement(3)} }; await Promise.all([${f}(), ${g}()]);`;
      }
      case 27: {
        const [p, f] = [this.name("p"), this.name("w")];
        return `const ${f} = async () => { if (${this.condition()}) await null; ${this.statement(3)} }; const ${p} = ${f}(); ${this.from(["await null;", ""])} ${this.statement(3)} await ${p};`;
      }
      case 28:
        return `await (${this.condition()} ? Promise.resolve(1) : Promise.resolve(2)).then((v) => { n1 = v; });`;
      default:
        return `try { if (${this.condition()}) Object.freeze(o2.in); o2.in.n = ${this.number()}; n2 = 1; } catch { n2 = 2; }`;
    }
  }
}
