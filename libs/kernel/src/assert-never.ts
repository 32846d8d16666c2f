/** Closes an exhaustive switch: a forgotten case does not compile. */
export const assertNever = (value: never): never => {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
};
