/** The PostgreSQL that the tests use; undefined without one. */
export const postgresUrl = (): string | undefined => process.env['POSTGRES_URL'];
