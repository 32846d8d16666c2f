import { type InvalidSettings } from './load-settings.js';
import { loadPlatformSettings } from './load-platform-settings.js';

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    loadPlatformSettings(environment);
    return [];
  } catch (error) {
    return (error as InvalidSettings).problems;
  }
};

describe('the callers of a sandbox', () => {
  it('are this machine alone by default', () => {
    expect(loadPlatformSettings({})).toMatchObject({ sandboxAllowedNetworks: [], sandboxAllowedHosts: [] });
  });

  it('are the networks and names of the settings', () => {
    const settings = {
      SANDBOX_ALLOWED_NETWORKS: '172.17.0.0/16, fd00:1::/64,10.1.2.3',
      SANDBOX_ALLOWED_HOSTS: 'sandbox, host.docker.internal:3000,172.17.0.1,[fd00:1::1]:3000',
    };
    expect(loadPlatformSettings(settings)).toMatchObject({
      sandboxAllowedNetworks: ['172.17.0.0/16', 'fd00:1::/64', '10.1.2.3'],
      sandboxAllowedHosts: ['sandbox', 'host.docker.internal:3000', '172.17.0.1', '[fd00:1::1]:3000'],
    });
  });

  it.each([
    '0.0.0.0/0',
    '0.0.0.0/00',
    '::/0',
    '0.0.0.0/1',
    '128.0.0.0/1',
    '10.0.0.0/7',
    '::ffff:0:0/96',
    '::ffff:0.0.0.0/97',
    '2000::/3',
    '1.2.3.4/0',
  ])('are never everybody: %s', (network) => {
    for (const ENVIRONMENT of ['development', 'test'])
      expect(problemsOf({ ENVIRONMENT, SANDBOX_ALLOWED_NETWORKS: `172.17.0.0/16,${network}` })).toEqual([
        expect.stringMatching(/^SANDBOX_ALLOWED_NETWORKS must not hold everything, .*\(entry 2\)/),
      ]);
  });

  it.each(['localhost/8', 'sandbox', '10.0.0.0/33', '*', '172.17.0.0-172.17.0.9'])('are given as networks: %s', (network) => {
    expect(problemsOf({ SANDBOX_ALLOWED_NETWORKS: network })).toEqual([
      'SANDBOX_ALLOWED_NETWORKS must list IP addresses or networks such as 10.0.0.0/8.',
    ]);
  });

  it.each([
    '*',
    '*.example',
    'http://sandbox',
    'sandbox/',
    'sandbox:',
    'sandbox:0',
    'sandbox:65536',
    'a b',
    'user@sandbox',
    '[sandbox]',
    'fd00::1',
    '.',
    '256.1.1.1',
  ])('address it by a name of one host: %s', (host) => {
    expect(problemsOf({ SANDBOX_ALLOWED_HOSTS: host })).toEqual([
      'SANDBOX_ALLOWED_HOSTS must list names of hosts such as sandbox or host.docker.internal:3000.',
    ]);
  });

  it.each(['production', 'staging', 'dev'])('are nobody in a guarded environment, as %s', (ENVIRONMENT) => {
    const problems = problemsOf({ ENVIRONMENT, SANDBOX_ALLOWED_NETWORKS: '172.17.0.0/16', SANDBOX_ALLOWED_HOSTS: 'sandbox' });
    for (const name of ['SANDBOX_ALLOWED_NETWORKS', 'SANDBOX_ALLOWED_HOSTS'])
      expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${name} must be empty, .* Leave ${name} out\\.$`)));
  });
});
