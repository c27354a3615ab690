import { parseSync } from "rolldown/utils";

/**
 * Every small change of a source text that a test might notice:
 * `[{ start, end, line, operator, replacement, prefix?, atLoad }]`, in the order of the text. `start` to `end` is always an expression, so
 * that a changed expression can stand beside the original one; `prefix` is what a shorthand property needs before it. What is `atLoad` runs
 * when the file is loaded, not in a function.
 *
 * Types, comments, imports, texts for people and calls of a log are left alone.
 */
export function findMutants(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} is no program: ${errors[0].message}`);
  const found = [];
  const functions = functionsOf(program);
  const lineOf = lineFinder(text);
  const add = ({ start, end }, operator, replacement, prefix) => {
    const original = text.slice(start, end);
    if (original === replacement) return;
    const atLoad = !functions.some((inside) => inside.start < start && end <= inside.end);
    found.push({ start, end, line: lineOf(start), operator, original, replacement, ...(prefix && { prefix }), atLoad });
  };
  visit(program, { text, add }, []);
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** All functions; fields of an object of a class are evaluated when it is made. */
function functionsOf(node, found = []) {
  if (/Function|PropertyDefinition/.test(node.type) && node.static !== true) found.push(node);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === "string") functionsOf(child, found);
  return found;
}

/** Whether the text can still be read after one change; the compiler of types is not asked. */
export function isProgram(file, text) {
  return parseSync(file, text).errors.length === 0;
}

function visit(node, tools, parents) {
  if (isLeftAlone(node, parents)) return;
  mutate[node.type]?.(node, tools, parents);
  const inner = [...parents, node];
  for (const [key, value] of Object.entries(node)) {
    if (skipped(node, key)) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === "string") visit(child, tools, inner);
  }
}

const transparent = new Set(["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression", "TSInstantiationExpression"]);

function isLeftAlone(node, parents) {
  if (node.type.startsWith("TS")) return !transparent.has(node.type);
  if (node.type.startsWith("Import") || node.type === "ExportAllDeclaration") return true;
  if (node.type === "ExpressionStatement" && node.directive) return true;
  if (node.type === "CallExpression" && isLog(node)) return true;
  if (node.type === "Property" && node.key.type === "Identifier" && forPeople.has(node.key.name))
    return isText(node.value) || isTexts(node.value);
  return node.type === "TemplateLiteral" && parents.at(-1)?.type === "TaggedTemplateExpression";
}

function skipped(node, key) {
  if (key === "typeAnnotation" || key === "typeArguments" || key === "typeParameters" || key === "returnType" || key === "implements")
    return true;
  if (key === "source" || key === "attributes") return node.type.startsWith("Export") || node.type.startsWith("Import");
  return key === "key" && node.computed !== true;
}

const forPeople = new Set(
  "description title summary help message usage label hint fix example examples reason text note placeholder usageHint".split(" "),
);

const isTexts = ({ type, elements }) => type === "ArrayExpression" && elements.every((element) => element !== null && isText(element));

const isText = ({ type, operator }) =>
  type === "Literal" || type === "TemplateLiteral" || (type === "BinaryExpression" && operator === "+");

/** `log.info(…)`, `console.error(…)`, `this.logger.warn(…)` */
function isLog({ callee }) {
  if (callee.type !== "MemberExpression") return false;
  const { object } = callee;
  const name = object.type === "MemberExpression" ? object.property.name : object.name;
  return /^(?:console|log|logger)$/i.test(name ?? "");
}

const opposite = { "===": "!==", "!==": "===", "==": "!=", "!=": "==", "<": ">=", ">": "<=", "<=": ">", ">=": "<" };

const mutate = {
  IfStatement: ({ test }, tools) => mutateCondition(test, tools, ["true", "false"]),
  ConditionalExpression: ({ test }, tools) => mutateCondition(test, tools, ["true", "false"]),
  WhileStatement: ({ test }, tools) => mutateCondition(test, tools, ["false"]),
  ForStatement: ({ test }, tools) => test && mutateCondition(test, tools, ["false"]),

  BinaryExpression(node, { text, add }) {
    const operator = opposite[node.operator];
    if (operator !== undefined) add(node, "comparison", `${source(text, node.left)} ${operator} ${source(text, node.right)}`);
  },

  LogicalExpression(node, { text, add }) {
    const [left, right] = [source(text, node.left), source(text, node.right)];
    if (node.operator === "??") add(node, "option ignored", right);
    else add(node, "and/or", `${left} ${node.operator === "&&" ? "||" : "&&"} ${right}`);
  },

  UnaryExpression(node, { text, add }) {
    if (node.operator === "!") add(node, "not", source(text, node.argument));
  },

  ReturnStatement: ({ argument }, tools) => argument && mutateReturned(argument, tools),
  ArrowFunctionExpression: ({ body }, tools) => body.type !== "BlockStatement" && mutateReturned(body, tools),

  ExpressionStatement({ expression }, { add }) {
    const called = expression.type === "AwaitExpression" || isVoid(expression) ? expression.argument : expression;
    const call = called.type === "ChainExpression" ? called.expression : called;
    if (call.type === "CallExpression" && call.callee.type !== "Super" && !isLog(call)) add(expression, "call removed", "undefined");
  },

  Literal(node, { add }, parents) {
    if (isReturned(parents)) return;
    const changed = changedLiteral(node);
    if (changed !== undefined) add(node, "literal", changed);
  },

  TemplateLiteral(node, { add }, parents) {
    const isName = node.quasis.every(({ value }) => !/\s/.test(value.cooked ?? " ")) && node.quasis.some(({ value }) => value.raw !== "");
    if (isName && !isReturned(parents)) add(node, "literal", '""');
  },

  ArrayExpression(node, { add }, parents) {
    if (node.elements.length > 0 && !isReturned(parents)) add(node, "literal", "[]");
  },

  /** An option of a call that is not handed on. */
  Property(node, { add }, parents) {
    const [call, object] = parents.slice(-2);
    if (object?.type !== "ObjectExpression" || !isArgument(object, call) || node.kind !== "init" || node.method) return;
    if (node.value.type === "Literal" || node.value.type === "ArrayExpression" || isUndefined(node.value)) return;
    add(node.value, "option ignored", "undefined", node.shorthand ? `${node.key.name}: ` : undefined);
  },

  /** An option that is not read. */
  MemberExpression(node, { add }, parents) {
    if (node.object.type !== "Identifier" || !/(?:options|config|settings)$/i.test(node.object.name) || node.computed) return;
    if (isRead(node, parents)) add(node, "option ignored", "undefined");
  },
};

function mutateCondition(test, { add }, values) {
  if (test.type === "Literal") return;
  for (const value of values) add(test, "condition", value);
}

function mutateReturned(value, { add }) {
  if (isUndefined(value) || isVoid(value)) return;
  if (isYesOrNo(value)) for (const constant of ["true", "false"]) add(value, "return", constant);
  else add(value, "return", (value.type === "Literal" ? changedLiteral(value) : undefined) ?? (isText(value) ? '""' : "undefined"));
}

const isYesOrNo = ({ type, operator }) =>
  (type === "BinaryExpression" && operator in opposite) || (type === "UnaryExpression" && operator === "!");

function changedLiteral({ value }) {
  if (typeof value === "boolean") return String(!value);
  if (typeof value === "number") return value === 0 ? "1" : "0";
  if (typeof value !== "string" || /\s/.test(value)) return undefined;
  return value === "" ? '"x"' : '""';
}

/** The value of a `return` is changed as such, not a second time as a literal. */
function isReturned(parents) {
  const parent = parents.at(-1);
  return parent?.type === "ReturnStatement" || parent?.type === "ArrowFunctionExpression";
}

const isVoid = (node) => node.type === "UnaryExpression" && node.operator === "void";

const isUndefined = (node) => node.type === "Identifier" && node.name === "undefined";

const isArgument = (node, call) => /^(?:Call|New)Expression$/.test(call?.type ?? "") && call.arguments.includes(node);

/** Neither assigned to, nor called, nor the beginning of a longer path, which would throw instead. */
function isRead(node, parents) {
  const at = parents.at(-1).type === "ChainExpression" ? 2 : 1;
  const parent = parents.at(-at);
  const [child] = at === 2 ? [parents.at(-1)] : [node];
  if (parent.type === "MemberExpression") return parent.object !== child;
  if (/^(?:Call|New)Expression$/.test(parent.type)) return parent.callee !== child;
  if (/^(?:Assignment|Update)Expression$/.test(parent.type)) return parent.left !== child && parent.argument !== child;
  if (parent.type === "UnaryExpression") return parent.operator !== "delete";
  return !/^(?:Property|AssignmentPattern|ArrayPattern|TSNonNullExpression|For(?:In|Of)Statement|TaggedTemplateExpression)$/.test(
    parent.type,
  );
}

const source = (text, node) => text.slice(node.start, node.end);

function lineFinder(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
