import type { Level } from '#signatures/asic';
import type { Rule } from '#signatures/asic';
import type { Forgery } from './forge-container.js';

/** The answer of an independent validator. Each of the two misses some rules. */
export type Verdict = 'accepts' | 'refuses';

/** One wrong container, and the validators that must refuse it: a row of specification/signing.md#wrong-containers. */
export interface WrongContainer {
  readonly title: string;
  readonly container: Buffer;
  /** The rule that our own verification must name. */
  readonly rule: Rule;
  /** EU DSS with the demands of AsicCheck, and BcCheck. */
  readonly dss: Verdict;
  readonly bouncyCastle: Verdict;
  /** The level that is asked for. Default LT. */
  readonly level?: Level;
}

/** A row of the table, with the function that makes its container. */
export type Row = Omit<WrongContainer, 'container'> & { readonly forge: () => Promise<Buffer> };

export type Forging = (forgery: Forgery) => () => Promise<Buffer>;

/** Both validators refuse the container. */
export const BOTH = { dss: 'refuses', bouncyCastle: 'refuses' } as const;
