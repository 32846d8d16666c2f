import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { verifyWebhook } from '#clients/relying-party';
import { AuditTrail } from '#domain/administration';
import { SqliteEventStore, UnitOfWork } from '#engines/event-store';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { Metrics, SilentLog } from '#telemetry';
import { eventually } from '#testkit/kernel/eventually';

import { openAuditForwarding } from './open-audit-forwarding.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Message {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** As OTLP writes it in JSON. */
interface LogRecord {
  readonly timeUnixNano: string;
  readonly eventName: string;
  readonly body: { readonly stringValue: string };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

describe('the audit trail in other systems', () => {
  let directory: string;
  let server: Server;
  let status: number;
  let messages: Message[];
  let url: string;
  let clock: FixedClock;
  let store: SqliteEventStore;
  let stopping: AbortController;
  let running: Promise<void> | undefined;
  let metrics: Metrics;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'forwarding-'));
    [status, messages, running] = [200, [], undefined];
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        messages.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    clock = new FixedClock();
    store = new SqliteEventStore({ path: ':memory:', clock });
    stopping = new AbortController();
    metrics = new Metrics();
  });
  afterEach(async () => {
    stopping.abort();
    await running;
    server.closeAllConnections();
    server.close();
    await store.close();
    rmSync(directory, { recursive: true });
  });

  const file = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const open = (settings: Readonly<Record<string, string>>) =>
    openAuditForwarding({
      settings: { serviceName: 'countersign', ...settings } as never,
      unitOfWork: new UnitOfWork(store, clock),
      clock,
      log: new SilentLog(),
      metrics,
      egress: undefined,
    });
  const record = (count: number): Promise<unknown> => {
    const trail = new AuditTrail(new UnitOfWork(store, clock));
    const data = { actor: 'first-start', role: 'all', action: 'POST /admin/v1/clients', target: {}, at: clock.now(), status: 201 };
    return Promise.all(
      Array.from({ length: count }, (_, number) => trail.record({ type: 'AdminChangeEnded', data: { changeId: `change ${number}`, ...data } })),
    );
  };
  const valueOf = async (metric: 'lag' | 'entries' | 'failures'): Promise<unknown> =>
    (await metrics.forwarding[metric].get()).values.map(({ value, labels }) => [labels['target'], value]);

  it('comes as log records of OpenTelemetry, with the id of each entry', async () => {
    await record(2);
    const forwarding = open({ auditOtlpEndpoint: url, auditOtlpHeadersFile: file('headers', 'authorization: Bearer token\nX-Tenant: one\n') });
    running = forwarding!.run(stopping.signal);
    await eventually(() => messages.length === 1, { what: 'a message' });
    const [{ path, headers, body }] = messages as [Message];
    expect([path, headers['authorization'], headers['x-tenant'], headers['content-type']]).toEqual([
      ...['/v1/logs', 'Bearer token', 'one', 'application/json'],
    ]);
    const { resourceLogs } = JSON.parse(body) as { resourceLogs: { resource: object; scopeLogs: { logRecords: LogRecord[] }[] }[] };
    expect(JSON.stringify(resourceLogs[0]!.resource)).toContain('"service.name"');
    const records = resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords));
    const ids = (await store.read('audit-log' as never)).map(({ id }) => id);
    const attributes = records.map((one) => Object.fromEntries(one.attributes.map(({ key, value }) => [key, Object.values(value)[0]])));
    expect(attributes).toMatchObject(
      ids.map((id, sequence) => ({ 'log.record.uid': id, 'audit.sequence': sequence, 'audit.actor': 'first-start', 'audit.status': 201 })),
    );
    const first = records[0]!;
    expect([first.timeUnixNano, first.eventName]).toEqual([`${BigInt(clock.now()) * 1_000_000n}`, 'countersign.audit']);
    expect(JSON.parse(first.body.stringValue)).toMatchObject({ eventId: ids[0], sequence: 0, phase: 'ENDED', at: Math.floor(clock.now() / 1_000) });
    await eventually(async () => JSON.stringify(await valueOf('entries')) === '[["otlp",2]]', { what: 'the metric' });
  });

  it('comes as a signed message of Standard Webhooks', async () => {
    await record(3);
    running = open({ auditWebhookUrl: `${url}/audit`, auditWebhookSecretFile: file('secret', SECRET) })!.run(stopping.signal);
    await eventually(() => messages.length === 1, { what: 'a message' });
    const [{ path, headers, body }] = messages as [Message];
    expect(path).toBe('/audit');
    const message = JSON.parse(body) as { type: string; data: { entries: { eventId: string; sequence: number }[] } };
    expect([message.type, message.data.entries.map(({ sequence }) => sequence)]).toEqual(['audit.entries', [0, 1, 2]]);
    expect(headers['webhook-id']).toBe(message.data.entries[0]!.eventId);
    expect(verifyWebhook({ headers, body, secrets: [SECRET], now: clock.now() }).type).toBe('audit.entries');
  });

  it('is sent again until the target takes it, which the metrics tell', async () => {
    status = 503;
    await record(1);
    clock.advance(7_000);
    running = open({ auditOtlpEndpoint: url })!.run(stopping.signal);
    await eventually(() => messages.length > 0, { what: 'a first message' });
    await eventually(async () => JSON.stringify(await valueOf('failures')) === '[["otlp",1]]', { what: 'the failure' });
    expect(await valueOf('lag')).toEqual([['otlp', 7]]);
    status = 200;
    await eventually(() => messages.length > 1, { what: 'a second message', within: 20_000 });
    expect(messages[1]!.body).toBe(messages[0]!.body);
    await eventually(async () => JSON.stringify(await valueOf('lag')) === '[["otlp",0]]', { what: 'no lag' });
  });

  it('goes nowhere without a setting, and each file has to be one of its kind', () => {
    expect(open({})).toBeUndefined();
    const refused = (settings: Readonly<Record<string, string>>) => expect(() => open(settings));
    refused({ auditWebhookUrl: url, auditWebhookSecretFile: file('short', 'whsec_AAAA') }).toThrow(/AUDIT_WEBHOOK_SECRET_FILE names a file/);
    refused({ auditWebhookUrl: url, auditWebhookSecretFile: join(directory, 'away') }).toThrow(/ENOENT/);
    refused({ auditOtlpEndpoint: url, auditOtlpHeadersFile: file('wrong', 'no header') }).toThrow(/AUDIT_OTLP_HEADERS_FILE names a file/);
  });
});
