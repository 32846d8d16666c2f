declare const brand: unique symbol;

/** A type of its own over a plain one, so that a client id is never passed where a session id belongs. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
