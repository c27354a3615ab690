/** Why one operation cannot become a tool, or one part of it was left out: it costs that operation alone. */
export class OperationFault extends Error {
  override readonly name: string = "OperationFault";
}

/** An operation took more steps than one may. It says nothing about the schema that was read last: another operation may still read that. */
export class OperationLimit extends OperationFault {}
