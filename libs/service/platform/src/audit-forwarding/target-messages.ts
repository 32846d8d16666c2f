import type { ForwardedEntry } from '#domain/administration';
import { webhookSignature } from '#domain/webhook';
import { type Clock, epochSeconds, type Secret } from '#kernel';
import { otlpLogs } from '#telemetry';

import type { TargetMessage } from './posting-target.js';

/** Names the kind of a log record. */
const EVENT_NAME = 'countersign.audit';

/** The entries as log records of OpenTelemetry (OTLP over HTTP, JSON). What a search wants stands in attributes, the whole entry in the body. `headers`: credentials. */
export const otlpMessage =
  (serviceName: string, headers: () => Readonly<Record<string, string>>) =>
  async (entries: readonly ForwardedEntry[]): Promise<TargetMessage> => ({
    headers: { ...headers(), 'content-type': 'application/json' },
    body: await otlpLogs(entries.map(recordOf), serviceName),
  });

const recordOf = ({ eventId, at, ...entry }: ForwardedEntry) => ({
  id: eventId,
  at,
  eventName: EVENT_NAME,
  attributes: attributesOf(entry),
  body: JSON.stringify(shown({ eventId, at, ...entry })),
});

const attributesOf = (entry: Omit<ForwardedEntry, 'eventId' | 'at'>): Readonly<Record<string, string | number>> => {
  const { sequence, phase, changeId, actor, role, action, requestId, status, errorCode } = entry;
  return {
    'audit.sequence': sequence,
    'audit.phase': phase,
    'audit.change_id': changeId,
    'audit.actor': actor,
    'audit.role': role,
    'audit.action': action,
    ...(requestId !== undefined && { 'audit.request_id': requestId }),
    ...(status !== undefined && { 'audit.status': status }),
    ...(errorCode !== undefined && { 'audit.error_code': errorCode }),
  };
};

/** The entries as one message of Standard Webhooks 1.0. Its id is that of its first entry; a receiver knows entries by their own ids, since a message that is sent again may hold more of them. */
export const webhookMessage =
  (clock: Clock, secret: () => Secret<string>) =>
  (entries: readonly ForwardedEntry[]): TargetMessage => {
    const id = entries[0]?.eventId ?? '';
    const timestamp = epochSeconds(clock.now());
    const body = JSON.stringify({ type: 'audit.entries', timestamp: new Date(clock.now()).toISOString(), data: { entries: entries.map(shown) } });
    return {
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': `${timestamp}`,
        'webhook-signature': webhookSignature({ id, timestamp, body }, [secret()]),
      },
      body,
    };
  };

/** As `GET /admin/v1/audit` shows it: times are epoch seconds. */
const shown = (entry: ForwardedEntry): object => ({ ...entry, at: epochSeconds(entry.at) });
