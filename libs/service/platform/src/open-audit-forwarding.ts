import { type ForwardingTarget, ForwardAuditTrail, TargetUnavailable } from '#domain/administration';
import { GuardedPost, isWebhookSecret, ReachableNetworks } from '#domain/webhook';
import { InvalidSettings } from '#service/config';
import { MountedFile, UnreadableFile } from '#engines/access';
import { growing, recurUntil, retry, Secret } from '#kernel';

import { PostingTarget } from './audit-forwarding/posting-target.js';
import { otlpMessage, webhookMessage } from './audit-forwarding/target-messages.js';
import type { PlatformParts } from './platform-parts.js';

/** Milliseconds between two looks at the trail, and between tries while a target takes nothing. */
const INTERVAL = 2_000;
const WAITS = growing({ first: 2_000, longest: 60_000 });

type Parts = Pick<PlatformParts, 'settings' | 'unitOfWork' | 'clock' | 'log' | 'metrics' | 'egress'>;

/** Sends the audit trail to other systems. */
export interface AuditForwarding {
  /** Sends what is recorded until the signal. Does not reject. To be run by one process at a time: two would send entries twice. */
  run(signal: AbortSignal): Promise<void>;
}

/** Undefined where no setting names a target. Throws InvalidSettings for a file that cannot be read. */
export const openAuditForwarding = (parts: Parts): AuditForwarding | undefined => {
  // The operator names these addresses, so networks inside are reached too.
  const post = new GuardedPost({ networks: new ReachableNetworks(['0.0.0.0/0', '::/0']), egress: parts.egress });
  const targets = targetsOf(parts, post);
  if (targets.length === 0) return undefined;
  return {
    run: async (signal) => {
      await Promise.all(targets.map((target) => forward(parts, target, signal)));
      post.close();
    },
  };
};

const targetsOf = ({ settings, clock }: Parts, post: GuardedPost): readonly ForwardingTarget[] => {
  const { auditOtlpEndpoint, auditOtlpHeadersFile, auditWebhookUrl, auditWebhookSecretFile, serviceName } = settings;
  const targets: ForwardingTarget[] = [];
  if (auditOtlpEndpoint !== undefined) {
    const headers = auditOtlpHeadersFile === undefined ? () => ({}) : parsed('AUDIT_OTLP_HEADERS_FILE', auditOtlpHeadersFile, headersIn);
    targets.push(new PostingTarget({ name: 'otlp', url: `${auditOtlpEndpoint}/v1/logs`, post, messageOf: otlpMessage(serviceName, headers) }));
  }
  if (auditWebhookUrl !== undefined && auditWebhookSecretFile !== undefined) {
    const secret = parsed('AUDIT_WEBHOOK_SECRET_FILE', auditWebhookSecretFile, secretIn);
    targets.push(new PostingTarget({ name: 'webhook', url: auditWebhookUrl, post, messageOf: webhookMessage(clock, secret) }));
  }
  return targets;
};

/** Reads the file now, for the start, and again for each message. */
const parsed = <Value>(setting: string, path: string, parse: (text: string) => Value | undefined): (() => Value) => {
  const file = new MountedFile(setting, path);
  const read = (): Value => {
    const value = parse(file.read());
    if (value === undefined) throw new UnreadableFile(setting, 'it has another form');
    return value;
  };
  try {
    read();
  } catch (error) {
    if (error instanceof UnreadableFile) throw new InvalidSettings([`${error.message}.`], { cause: error });
    throw error;
  }
  return read;
};

/** One `name: value` a line. */
const headersIn = (text: string): Readonly<Record<string, string>> | undefined => {
  const pairs = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([ -~]+)$/.exec(line));
  if (pairs.some((pair) => !pair)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair![1]!.toLowerCase(), pair![2]!.trim()]));
};

const secretIn = (text: string): Secret<string> | undefined => (isWebhookSecret(text) ? new Secret(text) : undefined);

const forward = async ({ unitOfWork, clock, log, metrics }: Parts, target: ForwardingTarget, signal: AbortSignal): Promise<void> => {
  const { lag, entries, failures } = metrics.forwarding;
  const label = { target: target.name };
  const forwarding = new ForwardAuditTrail({
    unitOfWork,
    clock,
    target,
    lags: (milliseconds) => lag.set(label, milliseconds / 1_000),
    sent: (count) => entries.inc(label, count),
  });
  let told: string | undefined;
  const onRetry = (error: unknown): void => {
    failures.inc(label);
    const reason = error instanceof TargetUnavailable ? error.message : 'the trail cannot be read';
    // Once for each reason: a target may be away for days.
    if (reason !== told) log.error('the audit trail is not forwarded', { component: 'audit-forwarding', reason: `${target.name}: ${reason}`, error });
    told = reason;
  };
  const work = async (): Promise<void> => {
    await retry(() => forwarding.execute(signal), { waits: WAITS, signal, onRetry });
    told = undefined;
  };
  await recurUntil(signal, { clock, interval: INTERVAL, work });
  lag.remove(label);
};
