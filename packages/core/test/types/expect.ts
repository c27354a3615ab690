/** Compiles only if the argument is `true`. */
export type Expect<Holds extends true> = Holds;

/** True for types that are the same, `any` and `unknown` told apart. */
export type Equal<One, Other> = (<Probe>() => Probe extends One ? 1 : 2) extends <Probe>() => Probe extends Other ? 1 : 2 ? true : false;

/** One object type out of an intersection, so that two ways to write it compare as the same. */
export type Flat<Type> = { [Key in keyof Type]: Type[Key] };
