/**
 * The fields of usual nodes that hold other nodes, in the order in which the parser sets them. A node of another type is looked through field by
 * field, which takes several times as long.
 */
export const fieldsOfType: ReadonlyMap<string, readonly string[]> = new Map(
  (
    [
      [["Identifier", "Literal", "TemplateElement", "ThisExpression", "Super", "EmptyStatement", "DebuggerStatement"], []],
      [["TemplateLiteral", "SequenceExpression"], ["expressions"]],
      [
        ["CallExpression", "NewExpression"],
        ["callee", "arguments"],
      ],
      [["MemberExpression"], ["object", "property"]],
      [["ChainExpression", "ExpressionStatement"], ["expression"]],
      [
        ["ConditionalExpression", "IfStatement"],
        ["test", "consequent", "alternate"],
      ],
      [
        ["BinaryExpression", "LogicalExpression", "AssignmentExpression", "AssignmentPattern"],
        ["left", "right"],
      ],
      [
        ["UnaryExpression", "UpdateExpression", "AwaitExpression", "SpreadElement", "RestElement", "ReturnStatement", "ThrowStatement"],
        ["argument"],
      ],
      [["ArrayExpression", "ArrayPattern"], ["elements"]],
      [["ObjectExpression", "ObjectPattern"], ["properties"]],
      [
        ["Property", "MethodDefinition", "PropertyDefinition"],
        ["key", "value"],
      ],
      // What each round of a loop assigns; made by the compiler.
      [["LoopTarget"], ["left"]],
      // `members` is set by the resolver: the fields of a class, which are set by a function of their own.
      [
        ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"],
        ["id", "params", "body", "members"],
      ],
      [
        ["ClassDeclaration", "ClassExpression"],
        ["id", "superClass", "body"],
      ],
      [["ClassBody", "BlockStatement", "StaticBlock"], ["body"]],
      [["ForStatement"], ["init", "test", "update", "body"]],
      [
        ["ForInStatement", "ForOfStatement"],
        ["left", "right", "body"],
      ],
      [["WhileStatement"], ["test", "body"]],
      [["DoWhileStatement"], ["body", "test"]],
      [["SwitchStatement"], ["discriminant", "cases"]],
      [["SwitchCase"], ["consequent", "test"]],
      [["TryStatement"], ["block", "handler", "finalizer"]],
      [["CatchClause"], ["param", "body"]],
      [["LabeledStatement"], ["body", "label"]],
      [["BreakStatement", "ContinueStatement"], ["label"]],
      [["VariableDeclaration"], ["declarations"]],
      [["VariableDeclarator"], ["id", "init"]],
    ] as readonly (readonly [readonly string[], readonly string[]])[]
  ).flatMap(([types, fields]) => types.map((type) => [type, fields] as const)),
);
