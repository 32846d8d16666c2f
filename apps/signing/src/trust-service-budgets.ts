import type { RouteBudgets } from '#service/http';

const DEVELOPMENT = {
  because: 'the trust service of development, which no guarded environment has; requests are small and read at most one certificate',
};

/** The routes below `/pki` (specification/conventions.md#budgets-of-routes). */
export const TRUST_SERVICE_BUDGETS: RouteBudgets = {
  'POST /pki/ocsp': DEVELOPMENT,
  'GET /pki/ocsp/*': DEVELOPMENT,
  'POST /pki/tsa': DEVELOPMENT,
  'GET /pki/root.crl': DEVELOPMENT,
  'GET /pki/root.cer': DEVELOPMENT,
  'GET /pki/issuing.cer': DEVELOPMENT,
};
