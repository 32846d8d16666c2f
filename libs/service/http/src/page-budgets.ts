import type { RouteBudgets } from './route-budgets.js';

const FILES = { because: 'built files, which cost no read of the store and are kept by browsers' };

/** The routes of a page that is served under its public address. */
export const pageBudgets = (url: string): RouteBudgets => {
  const mount = new URL(url).pathname.replace(/\/+$/, '');
  return { [`GET ${mount}/`]: FILES, [`GET ${mount}/*`]: FILES, ...(mount !== '' && { [`GET ${mount}`]: FILES }) };
};
