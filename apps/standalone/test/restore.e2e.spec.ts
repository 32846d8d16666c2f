import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';
import { eventually } from '#testkit/kernel/eventually';

import { reservePort } from '../../../testkit/processes/reserve-port.ts';
import { backUp } from '../../cli/src/store/back-up.js';
import { makeBackupKey } from '../../cli/src/store/backup-key.js';
import { restore } from '../../cli/src/store/restore.js';
import { startStandalone } from '../src/start.js';

const ADMIN_TOKEN = 'the-token-of-the-operator';
const PERSON = { given_name: 'Mari', family_name: 'Maasikas', date_of_birth: '1971-01-01', country: 'EE' };

let directory: string;
let port: number;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restore-'));
  port = await reservePort();
});
afterEach(() => rm(directory, { recursive: true }));

const dataDirectory = (): string => join(directory, 'data');
const location = () => ({ dataDirectory: dataDirectory(), keyDirectory: join(dataDirectory(), 'keys'), environment: 'test' });
/** Starts the service, and stops it at the end of the block. */
const start = async (): Promise<AsyncDisposable> => {
  const environment = { ENVIRONMENT: 'test', DATA_DIR: dataDirectory(), PORT: String(port), ADMIN_TOKEN, DEMO: 'false', LOG_LEVEL: 'silent' };
  const service = await startStandalone(loadPlatformSettings(environment));
  return { [Symbol.asyncDispose]: () => service.close() };
};
const administer = async (method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`http://127.0.0.1:${port}/admin/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  return { status: answer.status, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
};
const identity = (personalCode: string) => ({ ...PERSON, personal_code: personalCode });
const register = async (personalCode: string): Promise<string> => {
  const { status, json } = await administer('POST', '/identities', identity(personalCode));
  expect(status).toBe(201);
  return json['identityId'] as string;
};
/** Whether the store has the person; one that it has not is registered now. */
const isKnown = async (personalCode: string): Promise<boolean> => (await administer('POST', '/identities', identity(personalCode))).status === 409;
const erase = async (identityId: string): Promise<void> => expect((await administer('DELETE', `/identities/${identityId}`)).status).toBe(204);

describe('a restoration on one host', () => {
  it('loses nothing that was answered before the backup, and brings no erased person back', async () => {
    const recipient = await makeBackupKey(join(directory, 'key'));
    const known = Array.from({ length: 6 }, (_, number) => `known-${number}`);
    const backup = await (async () => {
      await using _ = await start();
      const [before, after] = [await register('erased-before'), await register('erased-after')];
      for (const personalCode of known) await register(personalCode);
      await erase(before);
      const taking = backUp({ ...location(), to: join(directory, 'backups'), recipients: [recipient] });
      await Promise.all(known.map((personalCode) => register(`${personalCode}-meanwhile`)));
      const { file } = await taking;
      await erase(after);
      await register('later');
      return file;
    })();

    await restore({ ...location(), file: backup, identityFile: join(directory, 'key'), replace: true });

    await using _ = await start();
    for (const personalCode of known) expect(await isKnown(personalCode)).toBe(true);
    expect(await isKnown('later')).toBe(false);
    expect(await isKnown('erased-before')).toBe(false);
    await eventually(async () => !(await isKnown('erased-after')), { what: 'the person is erased again', within: 60_000 });
  }, 180_000);
});
