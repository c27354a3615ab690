/** Why one operation cannot become a tool, or one part of it was left out: it costs that operation alone. Its message is the fact and the next step. */
export class OperationFault extends Error {
  override readonly name: string = "OperationFault";
  /** What is wrong, as a sentence. */
  readonly fact: string;

  constructor(fact: string, nextStep = "Mend the document, or exclude the operation.") {
    super(`${fact} ${nextStep}`);
    this.fact = fact;
  }
}

/** An operation took more steps than one may. It says nothing about the schema that was read last: another operation may still read that. */
export class OperationLimit extends OperationFault {}
