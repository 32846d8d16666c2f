import { AnchorSettings } from './anchor-settings.js';
import { httpUrl, text } from './formats.js';
import { Setting } from './setting.decorator.js';

/** Where the audit trail goes to, such as a SIEM. */
export class AuditForwardingSettings extends AnchorSettings {
  @Setting({
    env: 'AUDIT_OTLP_ENDPOINT',
    as: httpUrl,
    meaning:
      'Collector of logs (OTLP over HTTP, JSON), without `/v1/logs`, that gets every entry of the audit trail ([operator.md](operator.md#the-audit-trail-in-a-siem)). A guarded environment needs an https address or one on loopback. Unset: none.',
  })
  readonly auditOtlpEndpoint?: string;

  @Setting({
    env: 'AUDIT_OTLP_HEADERS_FILE',
    as: text,
    meaning:
      'File with headers for `AUDIT_OTLP_ENDPOINT`, one `name: value` a line, such as `authorization: Bearer …`. It is read again for each message.',
  })
  readonly auditOtlpHeadersFile?: string;

  @Setting({
    env: 'AUDIT_WEBHOOK_URL',
    as: httpUrl,
    meaning:
      'Address that gets every entry of the audit trail as messages of Standard Webhooks. A guarded environment needs an https address or one on loopback. It needs `AUDIT_WEBHOOK_SECRET_FILE`. Unset: none.',
  })
  readonly auditWebhookUrl?: string;

  @Setting({
    env: 'AUDIT_WEBHOOK_SECRET_FILE',
    as: text,
    meaning:
      'File with the secret that signs the messages to `AUDIT_WEBHOOK_URL`: `whsec_` and the base64 of 24 to 64 bytes. It is read again for each message.',
  })
  readonly auditWebhookSecretFile?: string;
}
