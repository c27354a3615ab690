/** Why one operation cannot become a tool, or one part of it was left out: it costs that operation alone. */
export class OperationFault extends Error {
  override readonly name: string = "OperationFault";
}
