-- The rights of each service in PostgreSQL: psql -v ON_ERROR_STOP=1 --dbname countersign -f deploy/rights/postgresql.sql, as the owner of the database.
-- Repeat it after an upgrade. Then give each role a password (\password registry). docs/operator.md#least-rights
--
-- The read models belong to one role without a login: registry lists and rebuilds those of the other services too. No service may do more, and no other service connects.
DO $$
DECLARE
  service text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'read-models') THEN
    CREATE ROLE "read-models" NOLOGIN;
  END IF;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO "read-models"', current_database());
  REVOKE ALL ON SCHEMA public FROM PUBLIC;
  GRANT USAGE, CREATE ON SCHEMA public TO "read-models";
  FOREACH service IN ARRAY ARRAY['registry', 'timers', 'webhook-dispatcher'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = service) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', service);
    END IF;
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', service);
    EXECUTE format('GRANT "read-models" TO %I', service);
    -- What a service creates belongs to all three.
    EXECUTE format('ALTER ROLE %I SET role = %L', service, 'read-models');
  END LOOP;
  -- A release before gave session-api the read models too; it never used them.
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'session-api') THEN
    REVOKE "read-models" FROM "session-api";
    ALTER ROLE "session-api" RESET role;
  END IF;
END
$$;
