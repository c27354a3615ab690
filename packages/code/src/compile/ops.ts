/** Instructions of the machine. Operands follow the instruction in the code. */
export const Op = {
  // Values
  Const: 0, // pool index
  Int: 1, // the number
  Undefined: 2,
  Null: 3,
  True: 4,
  False: 5,
  Pop: 6,
  Dup: 7,
  Dup2: 8,
  Swap: 9,
  Rot3: 10, // a b c → c a b
  Rot4: 11, // a b c d → d a b c
  This: 12,
  NewTarget: 13,
  Global: 14, // pool index of its name
  // Names
  Local: 15, // slot
  LocalChecked: 16, // slot, pool index of the name
  SetLocal: 17, // slot
  SetLocalChecked: 18, // slot, pool index of the name
  Env: 19, // hops, slot, pool index of the name
  SetEnv: 20, // hops, slot, pool index of the name
  InitEnv: 21, // hops, slot
  Unset: 22, // slot
  Enter: 23, // size
  Leave: 24, // how many
  CopyEnv: 25,
  Argument: 26, // index
  RestArguments: 27, // index
  AssignConst: 28, // pool index of the name
  Missing: 29, // pool index of the name: nobody declares it
  // Properties
  Get: 30, // pool index of the key
  GetElement: 31,
  Set: 32, // pool index
  SetElement: 33,
  Delete: 34, // pool index
  DeleteElement: 35,
  GetMethod: 36, // pool index; a → a f
  GetMethodElement: 37, // a k → a f
  ToKey: 38,
  GetSuper: 39, // k → this f
  In: 40,
  InstanceOf: 41,
  // Objects
  NewObject: 42,
  Define: 43, // pool index; o v → o
  DefineElement: 44, // o k v → o
  DefineMethod: 45, // o k f → o; operand: names the function
  SpreadObject: 46, // o v → o
  NewArray: 47, // number of values
  Append: 48, // a v → a
  SpreadArray: 49, // a v → a
  Template: 50, // number of parts
  RegExp: 51, // pool indexes of pattern and flags
  RestObject: 52, // o k… → o; operand: number of keys taken
  // Functions
  Closure: 53, // function index
  Call: 54, // number of arguments; f a… → r
  CallMethod: 55, // number of arguments; o f a… → r
  CallSpread: 56, // f a → r
  CallMethodSpread: 57, // o f a → r
  New: 58,
  NewSpread: 59,
  SuperCall: 60, // number of arguments
  SuperCallSpread: 61,
  SetThis: 62,
  InitFields: 63,
  Class: 64, // function index of the constructor, has parent
  Method: 65, // is static; c k f → c
  Fields: 66, // c f → c
  NameFunction: 67, // k f → k f
  Return: 68,
  Await: 69,
  // Control
  Jump: 70,
  JumpFalse: 71,
  JumpTrue: 72,
  JumpFalseKeep: 73,
  JumpTrueKeep: 74,
  JumpNullishKeep: 75,
  JumpNotNullishKeep: 76,
  JumpNotUndefined: 77, // keeps it
  Step: 78,
  Loop: 79, // jumps back
  Try: 80, // where an exception goes
  EndTry: 81,
  Throw: 82,
  Unwind: 83, // handlers, environments to leave, contexts
  Iterate: 84,
  Next: 85, // slot of the iterator, where to go at the end
  NextOrUndefined: 86, // slot of the iterator
  RestIterator: 87, // slot
  Keys: 88, // for…in
  CheckObject: 89, // a pattern needs an object
  CheckSuper: 90,
  // Operators
  Add: 91,
  Subtract: 92,
  Multiply: 93,
  Divide: 94,
  Remainder: 95,
  Power: 96,
  BitAnd: 97,
  BitOr: 98,
  BitXor: 99,
  ShiftLeft: 100,
  ShiftRight: 101,
  ShiftRightUnsigned: 102,
  Equal: 103,
  NotEqual: 104,
  Same: 105,
  NotSame: 106,
  Less: 107,
  LessEqual: 108,
  Greater: 109,
  GreaterEqual: 110,
  Not: 111,
  Negate: 112,
  Plus: 113,
  BitNot: 114,
  TypeOf: 115,
  Void: 116,
  Increment: 117,
  Decrement: 118,
  ToNumeric: 119,
  // Labels: only in code that tracks them
  ContextPush: 120,
  ContextRaise: 121,
  ContextJoin: 122, // region index
  // Classes
  FieldKey: 123, // c k → c: the name of a field that was computed
  GetFieldKey: 124, // index
  Home: 125, // is static; c f → c f
  InitLocal: 127, // slot: a new variable, so that it does not matter what was there
  CalleeJoin: 126, // region index, is a method; only in code that tracks labels
} as const;
