/** A copy of the array with a larger capacity. */
export function grow<Values extends Int32Array | Uint32Array | Uint8Array | Float32Array | Float64Array>(
  values: Values,
  length: number,
): Values {
  const wider = new (values.constructor as new (length: number) => Values)(length);
  wider.set(values);
  return wider;
}
