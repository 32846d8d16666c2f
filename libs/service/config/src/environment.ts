const RELAXED: readonly string[] = ['development', 'test'];

/**
 * Whether an environment is guarded: all but `development` and `test`. A guarded environment refuses development keys, the sandbox, the
 * demo, the development trust service, addresses without https, and engines without TLS and credentials.
 */
export const isGuarded = (environment: string): boolean => !RELAXED.includes(environment);

/** Ends the sentence that names a refused setting. */
export const GUARDED = 'since ENVIRONMENT is neither development nor test';
