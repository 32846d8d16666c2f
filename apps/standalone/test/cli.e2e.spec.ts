import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, jest } from '@jest/globals';
import { PNG } from 'pngjs';

import { Phone } from '#clients/software-phone';
import { eventually } from '#testkit/kernel/eventually';
import { proveEndpoint } from '#testkit/webhook/prove-endpoint';
import { ProvingReceiver } from '#testkit/webhook/proving-receiver';

import { UUID, UNKNOWN, MARI, directory, baseUrl, standalone, cli, json, useCli } from './cli.fixture.js';

// Each command is a process, and some tests need many of them.
jest.setTimeout(240_000);

useCli();

describe('clients', () => {
  it('registers one and shows its secret once; the secret works', async () => {
    const { exitCode, stdout, stderr } = await cli([
      'clients',
      'create',
      '--name',
      'Harbour Library',
      '--redirect-uri',
      'https://a.example/cb',
      'https://b.example/cb',
      '--attribute',
      'name',
      '--predicate',
      'ageOver*',
    ]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('not shown again');
    const [, clientId = '', clientSecret = ''] = /client_id +(\S+)\nclient_secret +(\S+)/.exec(stdout) ?? [];
    const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
    expect((await fetch(`${baseUrl}/relying-party/v1/nothing`, { headers: { authorization } })).status).toBe(404);
    expect(await json('clients', 'show', clientId)).toMatchObject({
      name: 'Harbour Library',
      redirectUris: ['https://a.example/cb', 'https://b.example/cb'],
      allowedAttributes: ['name'],
      allowedPredicates: ['ageOver*'],
    });
  });

  it('lists them in a table for people and as JSON for scripts', async () => {
    const { stdout } = await cli(['clients', 'list']);
    const [headings, first] = stdout.split('\n');
    expect(headings).toMatch(/^CLIENT ID +NAME +STATE +REDIRECT URIS$/);
    expect(first).toMatch(UUID);
    expect(first?.indexOf('Harbour')).toBe(headings?.indexOf('NAME'));
    expect((await json('clients', 'list')).clients).toHaveLength(1);
  });

  it('requests every page, so the list is complete', async () => {
    for (let batch = 0; batch < 110; batch += 10) {
      const names = Array.from({ length: 10 }, (_, index) => `Shop ${batch + index}`);
      const headers = { authorization: `Bearer ${standalone.platform.adminToken.reveal()}`, 'content-type': 'application/json' };
      await Promise.all(
        names.map((name) =>
          fetch(`${baseUrl}/admin/v1/clients`, { method: 'POST', headers, body: JSON.stringify({ name, redirect_uris: ['https://a.example/cb'] }) }),
        ),
      );
    }
    expect((await json('clients', 'list')).clients).toHaveLength(111);
  });

  it('changes the given fields only', async () => {
    const { clientId } = await json('clients', 'create', '--name', 'Changing', '--redirect-uri', 'https://a.example/cb', '--attribute', 'name');
    expect(await json('clients', 'update', clientId, '--name', 'Changed')).toMatchObject({ name: 'Changed', allowedAttributes: ['name'] });
    expect(await json('clients', 'update', clientId, '--nothing')).toMatchObject({ name: 'Changed', allowedAttributes: [], allowedPredicates: [] });
    expect((await cli(['clients', 'update', clientId])).exitCode).toBe(2);
  });

  it('rotates a secret after a confirmation, and the old one stops working', async () => {
    const { clientId, clientSecret } = await json('clients', 'create', '--name', 'Rotating', '--redirect-uri', 'https://a.example/cb');
    expect(await cli(['clients', 'rotate-secret', clientId])).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--yes') });
    const issued = await json('clients', 'rotate-secret', clientId, '--yes');
    const status = async (secret: string) =>
      (await fetch(`${baseUrl}/relying-party/v1/nothing`, { headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` } })).status;
    expect([await status(clientSecret), await status(issued.clientSecret)]).toEqual([401, 404]);
  });
});

describe('a client that staff disables', () => {
  it('is refused as with a wrong secret until it is enabled again', async () => {
    const { clientId, clientSecret } = await json('clients', 'create', '--name', 'Disabled', '--redirect-uri', 'https://a.example/cb');
    const status = async () =>
      (await fetch(`${baseUrl}/relying-party/v1/nothing`, { headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` } })).status;
    expect(await status()).toBe(404);
    expect((await cli(['clients', 'disable', clientId])).stdout).toMatch(/state +disabled/);
    expect(await status()).toBe(401);
    expect(await json('clients', 'enable', clientId)).toMatchObject({ clientId, enabled: true });
    expect(await status()).toBe(404);
    expect((await cli(['clients', 'disable', UNKNOWN])).stderr).toMatch(/^error: client_not_found/);
  });
});

describe('a client that staff deletes', () => {
  it('is gone after a confirmation, and its name is free', async () => {
    const create = ['clients', 'create', '--name', 'Deleted', '--redirect-uri', 'https://a.example/cb'];
    const { clientId, clientSecret } = await json(...create);
    expect(await cli(['clients', 'delete', clientId])).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('(Deleted)') });
    expect(await cli(['clients', 'delete', clientId, '--yes'])).toMatchObject({ exitCode: 0, stdout: `Deleted ${clientId}.\n` });
    const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
    expect((await fetch(`${baseUrl}/relying-party/v1/nothing`, { headers: { authorization } })).status).toBe(401);
    expect((await cli(['clients', 'delete', clientId, '--yes'])).stderr).toMatch(/^error: client_not_found/);
    expect((await json(...create)).clientId).not.toBe(clientId);
  });
});

describe('the logo of a client', () => {
  it('is uploaded from a file, shown, saved and removed', async () => {
    const { clientId } = await json('clients', 'create', '--name', 'Pictured', '--redirect-uri', 'https://a.example/cb');
    const [file, saved] = [join(directory, 'logo.png'), join(directory, 'saved.png')];
    await writeFile(file, PNG.sync.write(new PNG({ width: 64, height: 48 })));
    expect((await cli(['logos', 'show', clientId])).stdout).toBe('None.\n');
    const uploaded = (await cli(['logos', 'upload', clientId, file])).stdout;
    const [, hash = ''] = /^STATE +WIDTH +HEIGHT +HASH\nshown +64 +48 +([0-9a-f]{64})\n$/.exec(uploaded) ?? [];
    expect((await cli(['logos', 'show', clientId, '--save', saved])).stdout).toBe(uploaded);
    expect(PNG.sync.read(await readFile(saved))).toMatchObject({ width: 64, height: 48 });
    expect((await cli(['logos', 'approve', clientId, hash])).stdout).toBe(uploaded);
    expect((await cli(['logos', 'approve', clientId, '0'.repeat(64)])).stderr).toMatch(/^error: logo_not_found/);
    expect((await cli(['logos', 'upload', clientId, join(directory, 'nothing.png')])).exitCode).toBe(2);
    expect(await cli(['logos', 'remove', clientId])).toMatchObject({ exitCode: 2, stdout: '' });
    expect((await cli(['logos', 'remove', clientId, '--yes'])).stdout).toBe(`Removed the logo of ${clientId}.\n`);
    expect(await cli(['logos', 'show', clientId, '--save', saved])).toMatchObject({ exitCode: 2, stderr: 'error: --save: the client has no logo\n' });
  });
});

describe('webhooks', () => {
  it('are added, pinged, looked at, disabled, and removed', async () => {
    const received: string[] = [];
    const proof = new ProvingReceiver();
    const receiver = createServer((request, response) => {
      void text(request).then((body) => {
        if (proof.answer(request, body, response)) return;
        received.push(String(request.headers['webhook-id']));
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    const { clientId } = await json('clients', 'create', '--name', 'Told', '--redirect-uri', 'https://a.example/cb');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
    const added = await cli(['webhooks', 'add', clientId, '--url', url, '--event-type', 'session.completed']);
    const [, endpointId = '', secret = ''] = /endpoint_id +(\S+)\nsecret +(whsec_\S+)/.exec(added.stdout) ?? [];
    expect((await cli(['webhooks', 'list', clientId])).stdout).toMatch(
      new RegExp(`${endpointId} +${url} +enabled +session.completed +no: NOT_TRIED`),
    );
    expect((await cli(['webhooks', 'recover', clientId, endpointId, '--since', '2026-01-01T00:00:00Z'])).stderr).toMatch(
      /^error: endpoint_not_confirmed/,
    );
    await proveEndpoint({
      receiver: proof,
      secret,
      ping: () => cli(['webhooks', 'ping', clientId, endpointId]),
      shown: async () => ({ state: / yes\n/.test((await cli(['webhooks', 'list', clientId])).stdout) && 'confirmed' }),
    });
    const proofId = UUID.exec((await cli(['webhooks', 'deliveries', clientId, endpointId])).stdout)?.[0] ?? '';

    const pinged = await cli(['webhooks', 'ping', clientId, endpointId]);
    const [deliveryId = ''] = UUID.exec(pinged.stdout) ?? [];
    await eventually(() => received.length > 0, { what: 'the ping arrives' });
    expect(received).toEqual([deliveryId]);
    expect((await cli(['webhooks', 'deliveries', clientId, endpointId])).stdout).toMatch(
      new RegExp(`${deliveryId} +endpoint.ping +succeeded +1 +204 +\\d{4}-\\d\\d-\\d\\dT[\\d:]+Z +- +-`),
    );
    expect((await cli(['webhooks', 'deliveries', clientId, endpointId, '--after', deliveryId])).stdout).toContain(proofId);
    expect((await cli(['webhooks', 'deliveries', clientId, endpointId, '--after', proofId])).stdout).toBe('None.\n');
    expect((await cli(['webhooks', 'retry', clientId, endpointId, deliveryId])).exitCode).toBe(0);
    expect((await cli(['webhooks', 'recover', clientId, endpointId, '--since', '2026-01-01T00:00:00Z'])).stdout).toBe('On their way: 0.\n');
    expect((await cli(['webhooks', 'recover', clientId, endpointId, '--since', 'yesterday'])).exitCode).toBe(2);
    expect((await cli(['webhooks', 'rotate-secret', clientId, endpointId])).stdout).toMatch(/^secret +whsec_/);
    await cli(['webhooks', 'update', clientId, endpointId, '--url', 'http://127.0.0.1:1/']);
    await cli(['webhooks', 'ping', clientId, endpointId]);
    for (let shown = ''; !/ enabled, failing since \d{4}-\d\d-\d\dT/.test(shown);) shown = (await cli(['webhooks', 'list', clientId])).stdout;
    expect((await cli(['webhooks', 'disable', clientId, endpointId])).stdout).toContain('disabled: STAFF');
    expect((await cli(['webhooks', 'enable', clientId, endpointId])).stdout).toMatch(/state +enabled/);
    expect((await cli(['webhooks', 'update', clientId, endpointId])).exitCode).toBe(2);
    expect((await cli(['webhooks', 'remove', clientId, endpointId, '--yes'])).stdout).toBe(`Removed ${endpointId}.\n`);
    expect((await cli(['webhooks', 'ping', clientId, endpointId])).stderr).toMatch(/^error: endpoint_not_found/);
    await new Promise((resolve) => receiver.close(resolve));
  });
});

describe('identities, devices and sessions', () => {
  it('manage a person from the registration to the erasure', async () => {
    const created = await cli(['identities', 'create', '--file', '-', '--json'], {}, JSON.stringify(MARI));
    const { identityId } = JSON.parse(created.stdout);
    expect((await cli(['identities', 'list'])).stdout).toMatch(new RegExp(`${identityId} +Mari +Maasikas +EE +48001010001 +1980-01-01`));

    const code = await cli(['identities', 'activation-code', identityId]);
    const activationCode = /activation code +(\S+)/.exec(code.stdout)?.[1] ?? '';
    expect(code.stdout).toMatch(/good until +\d{4}-\d\d-\d\dT[\d:]+Z/);
    const phone = await Phone.enrol({ baseUrl, activationCode, name: "Mari's phone", platform: 'test', pin: '1470' });

    expect((await cli(['devices', 'list', identityId])).stdout).toMatch(new RegExp(`${phone.deviceId} +Mari's phone +test +ACTIVE`));
    expect(await cli(['devices', 'revoke', identityId, phone.deviceId, '--yes'])).toMatchObject({
      exitCode: 0,
      stdout: `Revoked ${phone.deviceId}.\n`,
    });
    expect((await json('devices', 'list', identityId)).devices).toMatchObject([{ status: 'REVOKED' }]);

    expect((await cli(['identities', 'delete', identityId])).exitCode).toBe(2);
    expect((await cli(['identities', 'delete', identityId, '--yes'])).exitCode).toBe(0);
    expect((await cli(['identities', 'list'])).stdout).toBe('None.\n');
  });

  it('show the timeline of a session', async () => {
    const { clientId, clientSecret } = await json('clients', 'create', '--name', 'Timed', '--redirect-uri', 'https://a.example/cb');
    const created = await fetch(`${baseUrl}/relying-party/v1/session`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        signature_type: 'AUTHENTICATION',
        redirect_uri: 'https://a.example/cb',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      }),
    });
    const { sessionId } = (await created.json()) as { sessionId: string };
    const { stdout } = await cli(['session', 'timeline', sessionId]);
    expect(stdout).toMatch(
      new RegExp(`session +${sessionId}\nclient_id +${clientId}\nstatus +PENDING\n\nAT +# +EVENT +DETAILS\n\\S+Z +0 +SessionCreated`),
    );
    const list = ['session', 'list', '--client', clientId];
    let listed = '';
    await eventually(async () => (listed = (await cli(list)).stdout).includes('PENDING'));
    expect(listed).toMatch(
      new RegExp(
        `^SESSION ID +TYPE +STATUS +REASON +CREATED AT +CHANGED AT +CLIENT ID\n${sessionId} +AUTHENTICATION +PENDING +- +\\S+Z +\\S+Z +${clientId}\n$`,
      ),
    );
    expect((await cli([...list, '--status', 'expired'])).stdout).toBe('None.\n');
    expect((await cli([...list, '--type', 'signing', '--since', '2026-01-01T00:00:00Z'])).stdout).toBe('None.\n');
    expect(await cli([...list, '--status', 'done'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^error: invalid_request: .*status/),
    });
    expect((await cli([...list, '--since', 'yesterday'])).exitCode).toBe(2);
    const watching = cli(['session', 'timeline', sessionId, '--watch']);
    const watchingAsJson = cli(['session', 'timeline', sessionId, '--watch', '--json']);
    await fetch(`${baseUrl}/relying-party/v1/session/${sessionId}`, {
      method: 'DELETE',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    });
    const { exitCode, stdout: watched } = await watching;
    expect(exitCode).toBe(0);
    expect(watched).toMatch(/^\S+Z {2}0 {2}SessionCreated\n\S+Z {2}1 {2}SessionCancelled {2}reason=WITHDRAWN\n$/);
    expect(
      (await watchingAsJson).stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toEqual(['SessionCreated', 'SessionCancelled']);
  });
});
