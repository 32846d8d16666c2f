import unit from './jest.config.js';

/**
 * What we build, judged by programs that share no code with ours: EU DSS and Bouncy Castle (Java 17, Maven, Debian's
 * libbcprov-java libbcpkix-java libbcutil-java), OpenSSL, Python, unzip.
 */
export default {
  ...unit,
  roots: ['<rootDir>/libs/asic', '<rootDir>/libs/pki'],
  testMatch: ['**/*.check.ts'],
  testTimeout: 600_000,
  globals: { ...unit.globals, runsInCi: Boolean(process.env.CI) },
};
