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
  FOREACH service IN ARRAY ARRAY['session-api', 'registry', 'timers', 'webhook-dispatcher'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = service) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', service);
    END IF;
    EXECUTE format('ALTER ROLE %I NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', service);
    EXECUTE format('GRANT "read-models" TO %I', service);
    -- What a service creates belongs to all four.
    EXECUTE format('ALTER ROLE %I SET role = %L', service, 'read-models');
  END LOOP;
END
$$;
