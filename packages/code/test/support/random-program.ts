/** Makes programs of the language from a list of numbers: the same numbers, the same program. */
export function randomProgram(numbers: readonly number[], options: { readonly secret?: boolean; readonly calls?: boolean } = {}): string {
  return new Maker(numbers, options).program();
}

interface Names {
  readonly numbers: string[];
  readonly texts: string[];
  readonly arrays: string[];
  readonly objects: string[];
  readonly functions: string[];
  readonly fixed: Set<string>;
}

class Maker {
  private at = 0;
  private count = 0;
  private loops = 0;
  private inFunction = 0;
  private readonly numbers: readonly number[];
  private readonly options: { readonly secret?: boolean; readonly calls?: boolean };

  constructor(numbers: readonly number[], options: { readonly secret?: boolean; readonly calls?: boolean }) {
    this.numbers = numbers;
    this.options = options;
  }

  program(): string {
    const names: Names = { numbers: ["n0", "n1"], texts: ["t0"], arrays: ["a0"], objects: ["o0"], functions: [], fixed: new Set() };
    const lines = [
      "let n0 = 1, n1 = 5, t0 = 'ab';",
      "const a0 = [3, 1, 2], o0 = { x: 1, y: { z: 2 }, list: [1] };",
      "class Counter { total = 0; add(by) { if (by > 50) return this; this.total += by; return this; } }",
      "const c0 = new Counter();",
    ];
    if (this.options.secret === true) lines.push("const s = await tools.get_secret({});");
    const size = 4 + this.pick(8);
    for (let line = 0; line < size; line++) lines.push(this.statement(names, 0));
    const all = [...names.numbers, ...names.texts, ...names.arrays, ...names.objects, "c0.total"];
    for (const name of all) lines.push(`console.log(${JSON.stringify(name)}, ${name});`);
    for (const key of ["x", "y", "k0", "k1", "k2"]) lines.push(`console.log("o0.${key}", o0.${key} ?? null);`);
    lines.push("console.log('keys', Object.keys(o0).length, a0.length, a0[0] ?? null);");
    lines.push(`return [${names.numbers.join(", ")}];`);
    return lines.join("\n");
  }

  private pick(limit: number): number {
    const value = this.numbers[this.at++ % this.numbers.length] ?? 0;
    // Past the end the numbers repeat, but not in the same places.
    return Math.abs(value + Math.floor(this.at / this.numbers.length) * 7) % limit;
  }

  private from<T>(list: readonly T[]): T {
    return list[this.pick(list.length)] as T;
  }

  private name(prefix: string): string {
    return `${prefix}${++this.count + 1}`;
  }

  private statement(names: Names, depth: number): string {
    const inner = (): Names => ({
      numbers: [...names.numbers],
      texts: [...names.texts],
      arrays: [...names.arrays],
      objects: [...names.objects],
      functions: [...names.functions],
      fixed: new Set(names.fixed),
    });
    const block = (scope = inner()): string => {
      const size = 1 + this.pick(3);
      const lines: string[] = [];
      for (let line = 0; line < size; line++) lines.push(this.statement(scope, depth + 1));
      return `{ ${lines.join(" ")} }`;
    };
    const target = (): string => {
      const free = names.numbers.filter((name) => !names.fixed.has(name));
      return this.from(free.length === 0 ? ["n0"] : free);
    };
    switch (this.pick(depth > 3 ? 12 : 27)) {
      case 0: {
        const name = this.name("n");
        const line = `let ${name} = ${this.number(names)};`;
        names.numbers.push(name);
        return line;
      }
      case 1:
        return `${target()} ${this.from(["=", "+=", "-=", "*=", "|=", "^="])} ${this.number(names)};`;
      case 2:
        return `${target()}${this.from(["++", "--"])};`;
      case 3:
        return `${this.from(names.arrays)}.push(${this.number(names)});`;
      case 4:
        return `${this.from(names.objects)}.${this.from(["x", "k0", "k1", "k2"])} = ${this.number(names)};`;
      case 5:
        return `${this.from(names.texts)} += ${this.text(names)};`;
      case 6:
        return `${this.from(names.arrays)}[${this.pick(3)}] = ${this.number(names)};`;
      case 7:
        return `delete ${this.from(names.objects)}.${this.from(["x", "k0", "k1"])};`;
      case 8:
        return `${this.from(names.arrays)}.${this.from(["pop()", "shift()", "reverse()", "sort()", "sort((a, b) => b - a)", "splice(1, 1)", "unshift(4)"])};`;
      case 9:
        return names.functions.length > 0
          ? `${target()} = ${this.from(names.functions)}(${this.number(names)});`
          : `${target()} = ${this.number(names)};`;
      case 10:
        return `${this.from(names.objects)}[${this.from(["'k' + " + String(this.pick(3)), this.text(names)])}] = ${this.number(names)};`;
      case 11:
        return this.options.calls === true && this.inFunction === 0
          ? `${target()} = (await tools.add({ a: ${this.number(names)}, b: 1 })).sum;`
          : `c0.add(${this.number(names)});`;
      case 12:
      case 13:
        return `if (${this.condition(names)}) ${block()}${this.pick(2) === 0 ? ` else ${block()}` : ""}`;
      case 14: {
        const name = this.name("i");
        const scope = inner();
        scope.numbers.push(name);
        scope.fixed.add(name);
        this.loops++;
        const body = block(scope);
        this.loops--;
        return `for (let ${name} = 0; ${name} < ${1 + this.pick(4)}; ${name}++) ${body}`;
      }
      case 15: {
        const name = this.name("e");
        const scope = inner();
        scope.numbers.push(name);
        scope.fixed.add(name);
        this.loops++;
        const body = block(scope);
        this.loops--;
        return `for (const ${name} of ${this.from(names.arrays)}.slice(0, 3)) ${body}`;
      }
      case 16:
        return this.loops > 0
          ? `if (${this.condition(names)}) ${this.from(["break", "continue"])};`
          : `{ ${this.statement(inner(), depth + 1)} }`;
      case 17: {
        const caught = this.name("caught");
        const thrown = this.pick(2) === 0 ? `if (${this.condition(names)}) throw new Error("e" + ${this.number(names)}); ` : "";
        return `try { ${thrown}${this.statement(inner(), depth + 1)} } catch (${caught}) { t0 += ${caught}.message.length > 9 ? "long" : "short"; }${this.pick(3) === 0 ? ` finally ${block()}` : ""}`;
      }
      case 18: {
        const name = this.name("f");
        const scope = inner();
        const parameter = this.name("p");
        scope.numbers.push(parameter);
        // Calls of other functions would recurse for ever.
        scope.functions.length = 0;
        const loops = this.loops;
        this.loops = 0;
        this.inFunction++;
        const early = this.pick(2) === 0 ? `if (${this.condition(scope)}) return ${this.number(scope)}; ` : "";
        const line = `function ${name}(${parameter}) { ${early}${this.statement(scope, depth + 1)} return ${this.number(scope)}; }`;
        this.inFunction--;
        this.loops = loops;
        names.functions.push(name);
        return line;
      }
      case 19:
        return `switch (${this.number(names)} % 4) { case 0: ${this.statement(inner(), depth + 2)} break; case 1: ${this.statement(inner(), depth + 2)} default: ${this.statement(inner(), depth + 2)} }`;
      case 20:
        return `${this.from(names.arrays)}.slice(0, 3).forEach((v) => { if (v > ${this.number(names)}) ${target()} += v; });`;
      case 21: {
        const name = this.name("a");
        const line = `const ${name} = ${this.array(names)};`;
        names.arrays.push(name);
        return line;
      }
      case 22: {
        const name = this.name("o");
        const line = `const ${name} = { ...${this.from(names.objects)}, k0: ${this.number(names)} };`;
        names.objects.push(name);
        return line;
      }
      case 23: {
        const [first, rest] = [this.name("n"), this.name("a")];
        const line = `const [${first} = 7, ...${rest}] = ${this.from(names.arrays)};`;
        names.numbers.push(first);
        names.fixed.add(first);
        names.arrays.push(rest);
        return line;
      }
      case 24: {
        const name = this.name("alias");
        return `{ const ${name} = ${this.from(names.objects)}; if (${this.condition(names)}) ${name}.k1 = ${this.number(names)}; }`;
      }
      case 25:
        return `${target()} = ${this.from(names.arrays)}.${this.from(["filter", "map"])}((v) => v ${this.from([">", "%"])} ${2 + this.pick(3)}).length;`;
      default: {
        const name = this.name("t");
        const line = `let ${name} = ${this.text(names)};`;
        names.texts.push(name);
        return line;
      }
    }
  }

  private number(names: Names, depth = 0): string {
    const secret = this.options.secret === true;
    switch (this.pick(depth > 2 ? 4 : secret ? 15 : 13)) {
      case 0:
        return String(this.pick(20));
      case 1:
      case 2:
        return this.from(names.numbers);
      case 3:
        return `${this.from(names.arrays)}.length`;
      case 4:
        return `(${this.number(names, depth + 1)} ${this.from(["+", "-", "*", "%", "&", "<<"])} ${this.number(names, depth + 1)})`;
      case 5:
        return `(${this.condition(names, depth + 1)} ? ${this.number(names, depth + 1)} : ${this.number(names, depth + 1)})`;
      case 6:
        return `(${this.from(names.objects)}.${this.from(["x", "k0", "k1"])} ?? ${this.number(names, depth + 1)})`;
      case 7:
        return `(${this.from(names.arrays)}[${this.pick(4)}] ?? 0)`;
      case 8:
        return `${this.from(names.texts)}.length`;
      case 9:
        return `Math.max(${this.number(names, depth + 1)}, ${this.number(names, depth + 1)})`;
      case 10:
        return `${this.from(names.arrays)}.reduce((a, b) => (a + b) % 1000, 0)`;
      case 11:
        return `(${this.from(names.objects)}.y?.z ?? 9)`;
      case 12:
        return `${this.from(names.arrays)}.indexOf(${this.number(names, depth + 1)})`;
      default:
        return this.from(["s.n", "s.list.length", "s.value.length", "s.list[0]"]);
    }
  }

  private text(names: Names): string {
    const secret = this.options.secret === true;
    switch (this.pick(secret ? 5 : 4)) {
      case 0:
        return `"${this.from(["x", "yy", "k0", "zz-z"])}"`;
      case 1:
        return this.from(names.texts);
      case 2:
        return `\`<\${${this.number(names, 2)}}>\``;
      case 3:
        return `${this.from(names.texts)}.slice(0, 4).replace(/[a-x]/g, (c) => c.toUpperCase())`;
      default:
        return "s.value";
    }
  }

  private array(names: Names): string {
    switch (this.pick(4)) {
      case 0:
        return `[${this.number(names)}, ${this.number(names)}]`;
      case 1:
        return `${this.from(names.arrays)}.map((v, i) => (v + i) % 100)`;
      case 2:
        return `[...${this.from(names.arrays)}.slice(0, 5), ${this.number(names)}]`;
      default:
        return `${this.from(names.arrays)}.filter((v) => v !== ${this.number(names)})`;
    }
  }

  private condition(names: Names, depth = 0): string {
    if (this.options.secret === true && this.pick(3) === 0)
      return this.from(["s.n > 20", "s.value.startsWith('h')", "s.list.includes(1)", "s.flag", "s.n % 2 === 0"]);
    switch (this.pick(depth > 2 ? 1 : 4)) {
      case 0:
        return `${this.number(names, 2)} ${this.from(["<", ">", "===", "!=="])} ${this.number(names, 2)}`;
      case 1:
        return `(${this.condition(names, depth + 1)} && ${this.condition(names, depth + 1)})`;
      case 2:
        return `!(${this.condition(names, depth + 1)} || ${this.number(names, 2)})`;
      default:
        return `"${this.from(["x", "k0", "k2"])}" in ${this.from(names.objects)}`;
    }
  }
}
