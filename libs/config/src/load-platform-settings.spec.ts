import type { InvalidSettings } from './load-settings.js';
import { loadPlatformSettings } from './load-platform-settings.js';

const PRODUCTION = { ENVIRONMENT: 'production', BASE_URL: 'https://id.example', LOGIN_URL: 'https://login.example', APP_URL: 'https://phone.example', SANDBOX: 'false', DEMO: 'false' };

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    loadPlatformSettings(environment);
    return [];
  } catch (error) {
    return (error as InvalidSettings).problems;
  }
};

describe('the settings', () => {
  it('need nothing', () => {
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
      trustedProxies: [],
      authenticationFailureLimit: 300,
    });
    expect(loadPlatformSettings({}).opsPort).toBeUndefined();
  });

  it('follow the port and the folder that are set', () => {
    expect(loadPlatformSettings({ PORT: '8080', DATA_DIR: '/srv/data' })).toMatchObject({
      baseUrl: 'http://localhost:8080',
      loginUrl: 'http://localhost:8080/login',
      demoPort: 8081,
      keyDirectory: '/srv/data/keys',
    });
  });

  it('take an empty variable for an absent one', () => {
    expect(loadPlatformSettings({ PORT: '', OPS_PORT: ' ' }).port).toBe(3000);
  });

  it('end an address without a slash', () => {
    expect(loadPlatformSettings({ BASE_URL: 'http://localhost:3000/' }).baseUrl).toBe('http://localhost:3000');
  });

  it.each([
    [{ PORT: 'http' }, 'PORT must be a whole number.'],
    [{ PORT: '0' }, 'PORT must not be less than 1.'],
    [{ SANDBOX: 'yes' }, 'SANDBOX must be true or false.'],
    [{ BASE_URL: 'localhost:3000' }, 'BASE_URL must be an http or https address without user, query and fragment.'],
    [{ BASE_URL: 'http://localhost/?a' }, 'BASE_URL must be an http or https address without user, query and fragment.'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES must list IP addresses or networks such as 10.0.0.0/8.'],
    [{ ENVIRONMENT: 'Test 1' }, 'ENVIRONMENT must be 1 to 32 of a-z, 0-9 and -.'],
    [{ ADMIN_TOKEN: 'short' }, 'ADMIN_TOKEN must be at least 16 visible ASCII characters.'],
    [{ OPS_PORT: '3000' }, 'OPS_PORT must differ from PORT; leave it out to have both on one port.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be debug, info, warn, error or silent.'],
    [{ CODE_TTL: '0' }, 'CODE_TTL must not be less than 1.'],
    [{ ESDB_URL: 'http://127.0.0.1:2113' }, 'ESDB_URL must be a connection string such as esdb://host:2113?tls=false.'],
    [{ KAFKA_BROKERS: 'kafka-1' }, 'KAFKA_BROKERS must list brokers such as kafka-1:9092.'],
    [{ KAFKA_BROKERS: 'kafka-1:9092,kafka-2:99999' }, 'KAFKA_BROKERS must list brokers such as kafka-1:9092.'],
    [{ KAFKA_BROKERS: 'http://kafka-1:9092' }, 'KAFKA_BROKERS must list brokers such as kafka-1:9092.'],
    [{ REDIS_URL: 'redis-1:6379' }, 'REDIS_URL must be an address such as redis://host:6379.'],
    [{ REDIS_URL: 'http://redis-1:6379' }, 'REDIS_URL must be an address such as redis://host:6379.'],
    [{ TSA_URLS: 'https://tsa.example, tsa.example' }, 'TSA_URLS must list http or https addresses.'],
  ])('%j is refused by name', (environment, problem) => {
    expect(problemsOf(environment as Record<string, string>)).toEqual([problem]);
  });

  it('take engines by their addresses', () => {
    const engines = { ESDB_URL: 'esdb+discover://a:2113,b:2113', KAFKA_BROKERS: 'kafka-1:9092, 10.0.0.2:9092,[fd00::1]:9092', REDIS_URL: 'rediss://user:password@redis:6380/1' };
    expect(loadPlatformSettings(engines)).toMatchObject({ kafkaBrokers: ['kafka-1:9092', '10.0.0.2:9092', '[fd00::1]:9092'], redisUrl: engines.REDIS_URL });
  });

  it('name everything that is wrong at once, and never a value', () => {
    const problems = problemsOf({ PORT: 'x', SANDBOX: '1', SESSION_TTL: 'hunter2' });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain('hunter2');
  });

  it('want the login page on the same site, since its cookie is Lax', () => {
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

  it('are strict in production', () => {
    const { LOGIN_URL: _, ...rest } = PRODUCTION;
    expect(problemsOf(rest)).toEqual([]);
    expect(problemsOf({ ...rest, SANDBOX: '' })).toEqual(['SANDBOX must be false in production.']);
    expect(problemsOf({ ...rest, DEMO: 'true' })).toEqual(['DEMO must be false in production.']);
    expect(problemsOf({ ...rest, APP_URL: 'http://phone.example' })).toEqual(['APP_URL must be an https address in production.']);
    expect(loadPlatformSettings(rest).webhookAllowedNetworks).toEqual([]);
  });
});
