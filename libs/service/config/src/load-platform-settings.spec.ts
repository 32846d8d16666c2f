import type { InvalidSettings } from './load-settings.js';
import { loadPlatformSettings } from './load-platform-settings.js';
import { PlatformSettings } from './platform-settings.js';
import { settingsOf } from './setting.decorator.js';

const PRODUCTION = {
  ENVIRONMENT: 'production',
  BASE_URL: 'https://id.example',
  LOGIN_URL: 'https://id.example/login',
  APP_URL: 'https://phone.example',
  PORTAL_URL: 'https://portal.example/portal',
  FOUR_EYES: 'true',
  ANCHOR_DIR: '/mnt/checkpoints',
};

const SCRAM = { KAFKA_BROKERS: 'kafka:9092', KAFKA_TLS: 'true', KAFKA_SASL: 'scram-sha-512', KAFKA_USER: 'user', KAFKA_PASSWORD_FILE: '/run/kafka' };

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    loadPlatformSettings(environment);
    return [];
  } catch (error) {
    return (error as InvalidSettings).problems;
  }
};

describe('the settings', () => {
  it('have a default for every variable', () => {
    expect(loadPlatformSettings({})).toMatchObject({
      environment: 'development',
      host: '127.0.0.1',
      port: 3000,
      dataDirectory: './data',
      keyDirectory: 'data/keys',
      baseUrl: 'http://localhost:3000',
      loginUrl: 'http://localhost:3000/login',
      appUrl: 'http://localhost:3000/phone',
      appScheme: 'countersign',
      sessionTtl: 120,
      pushSessionTtl: 300,
      codeTtl: 60,
      handoffTtl: 60,
      signingBuildTtl: 60,
      resultRetention: 1800,
      sandbox: true,
      demo: true,
      demoPort: 3001,
      webhookAllowedNetworks: ['127.0.0.0/8', '::1/128'],
      pushAllowedNetworks: ['127.0.0.0/8', '::1/128'],
      fourEyes: false,
      trustedProxies: [],
      authenticationFailureLimit: 300,
      webhookPingLimit: 1,
      webhookPingLimitWindow: 10,
      webhookRecoverLimit: 6,
      webhookRecoverLimitWindow: 3600,
    });
    expect(loadPlatformSettings({}).opsPort).toBeUndefined();
  });

  it('derive addresses from the port and paths from the data directory', () => {
    expect(loadPlatformSettings({ PORT: '8080', DATA_DIR: '/srv/data' })).toMatchObject({
      baseUrl: 'http://localhost:8080',
      loginUrl: 'http://localhost:8080/login',
      demoPort: 8081,
      keyDirectory: '/srv/data/keys',
    });
  });

  it('treat an empty variable as absent', () => {
    expect(loadPlatformSettings({ PORT: '', OPS_PORT: ' ' }).port).toBe(3000);
  });

  describe('with an address in which a % begins no percent-encoding', () => {
    /** All settings that hold addresses, by their names; those of Kafka are hosts and ports. */
    const ADDRESSES = settingsOf(PlatformSettings)
      .map(({ env }) => env)
      .filter((env) => /_URLS?$|_ENDPOINT$|_SUBJECT$/.test(env));

    it('are those of an inventory', () => {
      expect(ADDRESSES).toEqual(
        expect.arrayContaining(['BASE_URL', 'ESDB_URL', 'REDIS_URL', 'POSTGRES_URL', 'TSA_URLS', 'OTEL_EXPORTER_OTLP_ENDPOINT']),
      );
      expect(ADDRESSES.length).toBeGreaterThanOrEqual(14);
    });

    it.each(ADDRESSES)('are refused in words, without the value: %s', (name) => {
      const scheme = { ESDB_URL: 'esdb', REDIS_URL: 'redis', POSTGRES_URL: 'postgres' }[name] ?? 'https';
      for (const stray of ['%zz', '%', '%a', '%ff', '%c3%28']) {
        const problems = problemsOf({ [name]: `${scheme}://host/${stray}` });
        expect(problems.filter((problem) => problem.startsWith(`${name} holds a % that begins no percent-encoding: encode % as %25`))).toHaveLength(
          1,
        );
      }
    });

    it.each([
      ['REDIS_URL', 'redis://u:p%zz@127.0.0.1:6390', 'REDIS_PASSWORD_FILE'],
      ['REDIS_URL', 'redis://u%:secret@a:6379,b:6379', 'REDIS_PASSWORD_FILE'],
      ['POSTGRES_URL', 'postgres://u:100%@host/database', 'POSTGRES_PASSWORD_FILE'],
      ['ESDB_URL', 'esdb://u:p%zz@host:2113', 'ESDB_PASSWORD_FILE'],
    ])('are told where else the password of %s may stand', (name, value, file) => {
      expect(problemsOf({ [name]: value })).toContain(`${name} holds a % that begins no percent-encoding: encode % as %25, or use ${file}.`);
    });

    it('are no problem once it is encoded', () => {
      expect(problemsOf({ REDIS_URL: 'redis://u:p%25zz@127.0.0.1:6390', POSTGRES_URL: 'postgres://u:%C3%A4@host/database' })).toEqual([]);
    });
  });

  it('remove the slash at the end of an address', () => {
    expect(loadPlatformSettings({ BASE_URL: 'http://localhost:3000/' }).baseUrl).toBe('http://localhost:3000');
  });

  it.each([
    [{ PORT: 'http' }, 'PORT must be a whole number.'],
    [{ PORT: '0' }, 'PORT must not be less than 1.'],
    [{ SANDBOX: 'yes' }, 'SANDBOX must be true or false.'],
    [{ BASE_URL: 'localhost:3000' }, 'BASE_URL must be an http or https address without user, query and fragment.'],
    [{ BASE_URL: 'https://id.example/login' }, 'BASE_URL must have no path: the service answers at the root of its host, where its cookie is valid.'],
    [{ BASE_URL: 'http://localhost/?a' }, 'BASE_URL must be an http or https address without user, query and fragment.'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES must list IP addresses or networks such as 10.0.0.0/8.'],
    [{ ENVIRONMENT: 'Test 1' }, 'ENVIRONMENT must be a letter of a-z, followed by at most 31 of a-z, 0-9 and -.'],
    [{ ENVIRONMENT: '1st' }, 'ENVIRONMENT must be a letter of a-z, followed by at most 31 of a-z, 0-9 and -.'],
    [{ ENVIRONMENT: 'a'.repeat(33) }, 'ENVIRONMENT must be a letter of a-z, followed by at most 31 of a-z, 0-9 and -.'],
    [{ ADMIN_TOKEN: 'short' }, 'ADMIN_TOKEN must be at least 16 visible ASCII characters.'],
    [{ OPS_PORT: '3000' }, 'OPS_PORT must differ from PORT; leave it out to have both on one port.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be debug, info, warn, error or silent.'],
    [{ CODE_TTL: '0' }, 'CODE_TTL must not be less than 1.'],
    [{ WEBHOOK_PING_LIMIT: '0' }, 'WEBHOOK_PING_LIMIT must not be less than 1.'],
    [{ WEBHOOK_RECOVER_LIMIT_WINDOW: '0' }, 'WEBHOOK_RECOVER_LIMIT_WINDOW must not be less than 1.'],
    [{ ESDB_URL: 'http://127.0.0.1:2113' }, 'ESDB_URL must be a connection string such as esdb://host:2113?tls=false.'],
    [{ KAFKA_BROKERS: 'kafka-1' }, 'KAFKA_BROKERS must list brokers such as kafka-1:9092.'],
    [{ KAFKA_BROKERS: 'kafka-1:9092,kafka-2:99999' }, 'KAFKA_BROKERS must list brokers such as kafka-1:9092.'],
    [{ KAFKA_BROKERS: 'http://kafka-1:9092' }, 'KAFKA_BROKERS must list brokers such as kafka-1:9092.'],
    [{ REDIS_URL: 'redis-1:6379' }, 'REDIS_URL must be an address such as redis://host:6379.'],
    [{ REDIS_URL: 'http://redis-1:6379' }, 'REDIS_URL must be an address such as redis://host:6379.'],
    [{ REDIS_URL: 'redis://a:6379,,' }, 'REDIS_URL must be an address such as redis://host:6379.'],
    [{ REDIS_URL: 'redis://a:6379,b:6379' }, 'REDIS_URL names several hosts: set REDIS_CLUSTER=true.'],
    [{ REDIS_CLUSTER: 'true' }, 'REDIS_CLUSTER needs REDIS_URL.'],
    [{ KAFKA_SASL: 'gssapi' }, 'KAFKA_SASL must be plain or scram-sha-512.'],
    [{ AUDIT_WEBHOOK_URL: 'https://siem.example/audit' }, 'AUDIT_WEBHOOK_URL needs AUDIT_WEBHOOK_SECRET_FILE.'],
    [{ AUDIT_OTLP_HEADERS_FILE: '/run/headers' }, 'AUDIT_OTLP_HEADERS_FILE needs AUDIT_OTLP_ENDPOINT.'],
    [{ KAFKA_SASL: 'plain' }, 'KAFKA_SASL needs KAFKA_USER and KAFKA_PASSWORD_FILE.'],
    [{ KAFKA_USER: 'user' }, 'KAFKA_USER and KAFKA_PASSWORD_FILE need KAFKA_SASL, plain or scram-sha-512.'],
    [{ KAFKA_CA_FILE: '/run/ca.pem' }, 'KAFKA_CA_FILE and KAFKA_CERT_FILE need KAFKA_TLS=true.'],
    [{ ESDB_CERT_FILE: '/run/cert.pem' }, 'ESDB_CERT_FILE and ESDB_KEY_FILE belong together: set both or none.'],
    [{ REDIS_CA_FILE: '/run/ca.pem', REDIS_URL: 'redis://host:6379' }, 'REDIS_CA_FILE needs a REDIS_URL that begins with rediss://.'],
    [
      { POSTGRES_CA_FILE: '/run/ca.pem', POSTGRES_URL: 'postgres://user@host/database' },
      'POSTGRES_CA_FILE needs a POSTGRES_URL with sslmode=verify-full.',
    ],
    [{ TSA_URLS: 'https://tsa.example, tsa.example' }, 'TSA_URLS must list http or https addresses.'],
    [{ TSA_POLICY: 'qualified' }, 'TSA_POLICY must be an object identifier such as 1.3.6.1.4.1.32473.1.2.'],
    [
      { TSA_URLS: 'https://a.example,http://b.example', TSA_LOGIN_FILE: '/run/login' },
      'TSA_LOGIN_FILE and TSA_KEY_STORE need TSA_URLS that begin with https://.',
    ],
    [{ TSA_KEY_STORE: '/run/tsa.p12' }, 'TSA_LOGIN_FILE and TSA_KEY_STORE need TSA_URLS that begin with https://.'],
    [
      { OCSP_KEY_STORE: '/run/ocsp.p12', OCSP_URL: 'http://a.example' },
      'OCSP_LOGIN_FILE and OCSP_KEY_STORE need an OCSP_URL that begins with https://.',
    ],
    [{ CONTAINER_LEVEL: 'T' }, 'CONTAINER_LEVEL must be LT or LTA.'],
    [{ CA_CMP_URL: 'http://ca.example' }, 'CA_CMP_URL needs either CA_CMP_SECRET_FILE or CA_CMP_KEY_STORE.'],
    [
      { CA_CMP_URL: 'http://ca.example', CA_CMP_SECRET_FILE: '/run/secret', CA_CMP_KEY_STORE: '/run/ca.p12', CA_CMP_SIGNERS: '/run/ca.pem' },
      'CA_CMP_URL needs either CA_CMP_SECRET_FILE or CA_CMP_KEY_STORE.',
    ],
    [
      { CA_CMP_URL: 'http://ca.example', CA_CMP_KEY_STORE: '/run/ca.p12' },
      'CA_CMP_KEY_STORE needs CA_CMP_SIGNERS: the certificates that may sign the answers of the certificate authority.',
    ],
    [{ CA_STEP_URL: 'http://ca.example' }, 'CA_STEP_URL needs CA_STEP_KEY_FILE: the key of the provisioner.'],
    [
      { CA_STEP_URL: 'http://ca.example', CA_STEP_KEY_FILE: '/run/key', CA_CMP_URL: 'http://ca.example', CA_CMP_SECRET_FILE: '/run/secret' },
      'CA_STEP_URL and CA_CMP_URL name two certificate authorities: leave one out.',
    ],
  ])('%j is refused by name', (environment, problem) => {
    expect(problemsOf(environment as Record<string, string>)).toEqual([problem]);
  });

  it('accept the addresses of engines', () => {
    const engines = {
      ESDB_URL: 'esdb+discover://a:2113,b:2113',
      KAFKA_BROKERS: 'kafka-1:9092, 10.0.0.2:9092,[fd00::1]:9092',
      REDIS_URL: 'rediss://user:password@redis:6380/1',
    };
    expect(loadPlatformSettings(engines)).toMatchObject({
      kafkaBrokers: ['kafka-1:9092', '10.0.0.2:9092', '[fd00::1]:9092'],
      redisUrl: engines.REDIS_URL,
    });
  });

  it('name every wrong setting at once, and never a value', () => {
    const problems = problemsOf({ PORT: 'x', SANDBOX: '1', SESSION_TTL: 'hunter2' });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('require the login page on the same site, since its cookie is Lax', () => {
    const refused = 'BASE_URL and LOGIN_URL must be of the same site (scheme and registrable domain), or browsers would not send the login cookie.';
    const site = (base: string, login: string) => problemsOf({ BASE_URL: base, LOGIN_URL: login });
    expect(site('https://api.example.com', 'https://login.example.com')).toEqual([]);
    expect(site('http://localhost:3000', 'http://localhost:4000/login')).toEqual([]);
    expect(site('https://api.example.com', 'https://login.example.org')).toEqual([refused]);
    expect(site('https://api.example.com', 'http://login.example.com')).toEqual([refused]);
    expect(site('https://a.co.uk', 'https://b.co.uk')).toEqual([refused]);
    expect(site('https://a.github.io', 'https://b.github.io')).toEqual([refused]);
    expect(site('http://127.0.0.1:1', 'http://localhost:1')).toEqual([refused]);
  });

  it('name problems of one setting and between settings at once', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud', BASE_URL: 'https://a.example', LOGIN_URL: 'https://b.test' })).toEqual([
      'PORT must be a whole number.',
      'LOG_LEVEL must be debug, info, warn, error or silent.',
      expect.stringContaining('must be of the same site'),
    ]);
  });
});

describe('a relaxed environment', () => {
  it.each(['development', 'test'])('%s listens on loopback', (name) => {
    for (const host of ['127.0.0.1', '127.8.8.8', '::1', 'localhost']) expect(problemsOf({ ENVIRONMENT: name, HOST: host })).toEqual([]);
    for (const host of ['0.0.0.0', '::', '192.168.0.7', 'service.example', '::ffff:10.0.0.1'])
      expect(problemsOf({ ENVIRONMENT: name, HOST: host })).toEqual([
        expect.stringMatching(/^HOST must be a loopback address .* DEVELOPMENT_NETWORK=true/),
      ]);
  });

  it('listens on other addresses with DEVELOPMENT_NETWORK', () => {
    expect(problemsOf({ HOST: '0.0.0.0', DEVELOPMENT_NETWORK: 'true' })).toEqual([]);
  });

  it('takes engines without TLS', () => {
    expect(problemsOf({ ESDB_URL: 'esdb://127.0.0.1:2113?tls=false', KAFKA_BROKERS: 'kafka:9092', REDIS_URL: 'redis://127.0.0.1:6379' })).toEqual([]);
  });
});

describe('a guarded environment', () => {
  const guarded = (more: Record<string, string>, name = 'production') => problemsOf({ ...PRODUCTION, ENVIRONMENT: name, ...more });

  it('refuses a weak ADMIN_TOKEN', () => {
    expect(guarded({ ADMIN_TOKEN: 'nS9yvJmq3tB1xZ0eKdLw7RfUaPcGhQi' })).toEqual([
      expect.stringMatching(
        /^ADMIN_TOKEN must be at least 32 random characters, .* Make one with openssl rand -base64 32, or leave ADMIN_TOKEN out\.$/,
      ),
    ]);
  });

  it.each([
    ['CA_CMP_URL', { CA_CMP_SECRET_FILE: '/run/secret' }],
    ['CA_STEP_URL', { CA_STEP_KEY_FILE: '/run/key' }],
  ])('needs external time-stamps and roots beside an external certificate authority: %s', (name, credentials) => {
    const authority = { [name]: 'https://ca.example', ...credentials };
    expect(guarded(authority)).toEqual([expect.stringMatching(new RegExp(`^${name} needs TSA_URLS and TRUST_ANCHORS, `))]);
    const others = { TSA_URLS: 'https://tsa.example', TRUST_ANCHORS: '/run/roots.pem' };
    expect(guarded({ ...authority, ...others })).toEqual([]);
    expect(guarded({ ...authority, ...others, [name]: 'http://ca.example' })).toEqual([
      expect.stringMatching(new RegExp(`^${name} must be an https address or on loopback, `)),
    ]);
  });

  it.each(['production', 'prod', 'staging', 'testing', 'dev'])('is every other name, as %s: on any address, without sandbox and demo', (name) => {
    const settings = loadPlatformSettings({ ...PRODUCTION, ENVIRONMENT: name, HOST: '0.0.0.0' });
    expect(settings).toMatchObject({ sandbox: false, demo: false, webhookAllowedNetworks: [], pushAllowedNetworks: [] });
  });

  it.each([
    [
      { BASE_URL: 'http://id.example', LOGIN_URL: 'http://id.example/login' },
      ['BASE_URL must be an https address', 'LOGIN_URL must be an https address'],
    ],
    [{ APP_URL: 'http://phone.example' }, ['APP_URL must be an https address']],
    [{ PORTAL_URL: 'http://portal.example' }, ['PORTAL_URL must be an https address']],
    [{ SANDBOX: 'true' }, ['SANDBOX must be false']],
    [{ DATA_DIR: ':memory:' }, ['DATA_DIR must be a folder']],
    [{ DEMO: 'true' }, ['DEMO must be false']],
    [{ ESDB_URL: 'esdb://user:password@host:2113?tls=false' }, ['ESDB_URL must use TLS']],
    [{ ESDB_URL: 'esdb://user:password@host:2113?TLS=false' }, ['ESDB_URL must use TLS']],
    [{ ESDB_URL: 'esdb+discover://user:password@a:2113,b:2113?tls=true&tlsVerifyCert=false' }, ['ESDB_URL must use TLS and check the certificate']],
    [{ ESDB_URL: 'esdb://host:2113?tls=true' }, ['ESDB_URL must hold a user and a password']],
    [{ ESDB_URL: 'esdb://user@host:2113' }, ['ESDB_URL must hold a user and a password']],
    [{ ESDB_URL: 'esdb://host:2113?tls=false' }, ['ESDB_URL must use TLS', 'ESDB_URL must hold a user and a password']],
    [{ KAFKA_BROKERS: 'kafka:9092' }, ['KAFKA_TLS must be true', 'KAFKA_SASL must name a way to log in']],
    [{ KAFKA_BROKERS: 'kafka:9092', KAFKA_TLS: 'true' }, ['KAFKA_SASL must name a way to log in']],
    [{ ...SCRAM, KAFKA_TLS: 'false' }, ['KAFKA_TLS must be true']],
    [{ POSTGRES_URL: 'postgres://user:password@host/database' }, ['POSTGRES_URL must use TLS that checks the certificate, and a password']],
    [
      { POSTGRES_URL: 'postgres://user@host/database?sslmode=verify-full' },
      ['POSTGRES_URL must use TLS that checks the certificate, and a password'],
    ],
    [{ REDIS_URL: 'redis://user:password@host:6379' }, ['REDIS_URL must use TLS and a password']],
    [{ REDIS_URL: 'rediss://host:6379' }, ['REDIS_URL must use TLS and a password']],
    [{ REDIS_URL: 'redis://user:password@a:6379,b:6379', REDIS_CLUSTER: 'true' }, ['REDIS_URL must use TLS and a password']],
    [{ AUDIT_OTLP_ENDPOINT: 'http://siem:4318' }, ['AUDIT_OTLP_ENDPOINT must be an https address or on loopback']],
    [
      { AUDIT_WEBHOOK_URL: 'http://siem/audit', AUDIT_WEBHOOK_SECRET_FILE: '/run/secret' },
      ['AUDIT_WEBHOOK_URL must be an https address or on loopback'],
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, ['OTEL_EXPORTER_OTLP_ENDPOINT must be an https address or on loopback']],
    [{ INTERNAL_URL: 'http://session-api:3000' }, ['INTERNAL_URL must be an https address or on loopback']],
    [{ INTERNAL_URL: 'http://127.0.0.1.example:3000' }, ['INTERNAL_URL must be an https address or on loopback']],
  ])('refuses %j in one line that names the setting and the remedy', (settings, expected) => {
    expect(guarded(settings as Record<string, string>)).toEqual(
      expected.map((start) => expect.stringMatching(new RegExp(`^${start}[^\n]* (Set|Leave|such as) [^\n]*[^\n]\\.$`))),
    );
  });

  it.each([
    { INTERNAL_URL: 'http://127.0.0.1:3000' },
    { INTERNAL_URL: 'http://[::1]:3000' },
    { INTERNAL_URL: 'https://session-api' },
    { AUDIT_OTLP_ENDPOINT: 'https://siem:4318', AUDIT_OTLP_HEADERS_FILE: '/run/headers' },
    { AUDIT_WEBHOOK_URL: 'http://127.0.0.1:9000/audit', AUDIT_WEBHOOK_SECRET_FILE: '/run/secret' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:4318' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' },
    { ESDB_URL: 'esdb://user:password@host:2113' },
    { ESDB_URL: 'esdb+discover://user:password@a:2113,b:2113?tls=true&tlsCAFile=/run/ca.pem' },
    { REDIS_URL: 'rediss://user:password@host:6379' },
    { REDIS_URL: 'rediss://:password@host:6379/1' },
    { REDIS_URL: 'rediss://user:password@a:6379,b:6379', REDIS_CLUSTER: 'true' },
    { REDIS_URL: 'rediss://user@host:6379', REDIS_PASSWORD_FILE: '/run/redis', REDIS_CA_FILE: '/run/ca.pem' },
    { ESDB_URL: 'esdb://user@host:2113', ESDB_PASSWORD_FILE: '/run/esdb', ESDB_CA_FILE: '/run/ca.pem' },
    { ESDB_URL: 'esdb://host:2113', ESDB_CERT_FILE: '/run/cert.pem', ESDB_KEY_FILE: '/run/key.pem' },
    SCRAM,
    { KAFKA_BROKERS: 'kafka:9092', KAFKA_TLS: 'true', KAFKA_CERT_FILE: '/run/cert.pem', KAFKA_KEY_FILE: '/run/key.pem' },
    { POSTGRES_URL: 'postgres://user@host/database?sslmode=verify-full', POSTGRES_PASSWORD_FILE: '/run/postgres', POSTGRES_CA_FILE: '/run/ca.pem' },
  ])('accepts %j', (settings) => {
    expect(guarded(settings as Record<string, string>)).toEqual([]);
  });

  it('names all refusals at once, and no value', () => {
    const problems = problemsOf({
      ENVIRONMENT: 'prod',
      SANDBOX: 'true',
      DEMO: 'true',
      ESDB_URL: 'esdb://admin:hunter2@host:2113?tls=false',
      KAFKA_BROKERS: 'hunter2:9092',
      REDIS_URL: 'redis://:hunter2@host:6379',
      POSTGRES_URL: 'postgres://user:hunter2@host/database',
      TRUSTED_PROXIES: '0.0.0.0/0',
      PUSH_ALLOWED_NETWORKS: '169.254.0.0/16',
      PUSH_LIMIT: '1000000000',
    });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      ...['BASE_URL', 'LOGIN_URL', 'APP_URL', 'PORTAL_URL'],
      ...['SANDBOX', 'DEMO', 'ESDB_URL', 'KAFKA_TLS', 'KAFKA_SASL', 'REDIS_URL', 'POSTGRES_URL'],
      ...['APP_URL', 'PORTAL_URL', 'TRUSTED_PROXIES', 'PUSH_ALLOWED_NETWORKS', 'PUSH_LIMIT', 'FOUR_EYES', 'ANCHOR_DIR'],
    ]);
    expect(problems.join()).not.toContain('hunter2');
  });
});
