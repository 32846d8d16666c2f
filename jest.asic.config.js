import unit from './jest.config.js';

/** Containers judged by programs that share no code with ours: EU DSS, Bouncy Castle and OpenSSL. Needs Java 17 and Maven. */
export default { ...unit, roots: ['<rootDir>/libs/asic'], testMatch: ['**/*.check.ts'], testTimeout: 600_000 };
