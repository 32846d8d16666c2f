import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { hasSchemathesis, SCHEMATHESIS, SCHEMATHESIS_HOOKS, SCHEMATHESIS_SETTINGS } from '../../testkit/programs/schemathesis/build.ts';
import { expectOk, type Phone, RelyingParty, runDirectory, Staff, StandaloneService, startsProcesses } from '../support/index.js';

const REFERENCE = resolve(import.meta.dirname, '../../docs/openapi.json');
/** Generated requests for each operation, beside those at the limits of each field. */
const EXAMPLES = process.env['FUZZ_REQUESTS'] ?? '10';
const SEED = process.env['FUZZ_REQUESTS'] === undefined ? '19' : String(Math.floor(Math.random() * 2 ** 31));
/** Milliseconds. */
const TIME_LIMIT = process.env['FUZZ_REQUESTS'] === undefined ? 600_000 : 7_200_000;

/** What every answer has to keep: the status, type, headers and body that the reference has for the operation; never a 5xx. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
];

/** It moves the clock, makes answers fail or begins everything anew, by its very purpose. */
const SANDBOX = '^/sandbox/v1/(clock|faults|reset)';

/** Its answer does not end. */
const STREAM = '^/relying-party/v1/events$';

/** Against one process: the services of the distributed profile have the same controllers. */
const fuzz = startsProcesses && (hasSchemathesis() || process.env['CI']) ? describe : describe.skip;

fuzz('requests that Schemathesis makes from the reference', () => {
  let service: StandaloneService;
  let given: string;

  beforeAll(async () => {
    service = await StandaloneService.start('generated-requests', { LOG_LEVEL: 'error' });
    const staff = new Staff(service);
    const person = await staff.registerPerson();
    const phone = await staff.phoneOf(person);
    const sparePhone = await staff.newPhone();
    const another = await staff.registerPerson();
    const anothersPhone = await staff.phoneOf(another);
    const [shop, other] = [await RelyingParty.register(service), await RelyingParty.register(service)];
    await staff.ask('PATCH', `/clients/${shop.clientId}`, { redirect_uris: [shop.redirectUri, 'http://localhost:3001/callback'] });
    const endpoint = await staff.ask('POST', `/clients/${other.clientId}/webhook-endpoints`, {
      url: 'https://receiver.example/hook',
      event_types: ['session.scanned'],
    });
    const open = await shop.login();
    const { browser } = await shop.claimed();
    const completed = await shop.completed(phone);
    expectOk(await phone.scan((await shop.login()).sessionId));

    const keyOf = ({ deviceId, key }: Phone) => ({ deviceId, key: key.export({ type: 'pkcs8', format: 'pem' }) });
    given = join(mkdtempSync(join(runDirectory(), 'schemathesis-')), 'given.json');
    writeFileSync(
      given,
      JSON.stringify({
        adminToken: service.adminToken,
        clientId: shop.clientId,
        clientSecret: shop.clientSecret,
        loginCookie: `svc_login=${browser.cookie}`,
        phone: keyOf(phone),
        sparePhone: keyOf(sparePhone),
        ids: {
          clientId: [other.clientId],
          sessionId: [open.sessionId, completed.sessionId],
          identityId: [another.identityId],
          deviceId: [anothersPhone.deviceId],
          endpointId: [endpoint['endpointId']],
        },
        kept: [shop.clientId, person.identityId, phone.deviceId],
      }),
      { mode: 0o600 },
    );
  }, TIME_LIMIT);

  afterAll(() => service.stop());

  it(
    'get the answers that it has, and no failure of the service',
    async () => {
      const { code, said } = await schemathesis(
        ...[
          '--config-file',
          SCHEMATHESIS_SETTINGS,
          'run',
          REFERENCE,
          '--url',
          service.baseUrls[0]!,
          '--phases',
          'examples,coverage,fuzzing',
          '--checks',
          CHECKS.join(','),
        ],
        ...['--max-examples', EXAMPLES, '--seed', SEED, '--exclude-path-regex', `${SANDBOX}|${STREAM}`, '--request-timeout', '20', '--workers', '1'],
        ...['--continue-on-failure', '--no-color'],
      );
      expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    },
    TIME_LIMIT,
  );

  const schemathesis = (...args: readonly string[]): Promise<{ code: number | string; said: string }> =>
    new Promise((done) => {
      execFile(
        SCHEMATHESIS,
        args,
        {
          cwd: dirname(given),
          env: { ...process.env, GIVEN: given, PYTHONPATH: dirname(SCHEMATHESIS_HOOKS), SCHEMATHESIS_HOOKS: 'hooks' },
          timeout: TIME_LIMIT,
          maxBuffer: 2 ** 26,
        },
        (error, stdout, stderr) => {
          done({ code: error ? (error.code ?? 'killed') : 0, said: `${stdout}${stderr}` });
        },
      );
    });
});
