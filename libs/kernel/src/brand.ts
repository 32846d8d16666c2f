declare const brand: unique symbol;

/** A distinct type over a plain one, so that a client id is never passed where a session id belongs. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
