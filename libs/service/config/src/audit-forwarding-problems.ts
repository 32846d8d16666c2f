import type { AuditForwardingSettings } from './audit-forwarding-settings.js';

/** Settings of the targets of the audit trail that do not go together. */
export const auditForwardingProblems = (settings: Partial<AuditForwardingSettings>): readonly string[] => {
  const { auditOtlpEndpoint, auditOtlpHeadersFile, auditWebhookUrl, auditWebhookSecretFile } = settings;
  return [
    ...(auditOtlpHeadersFile !== undefined && auditOtlpEndpoint === undefined ? ['AUDIT_OTLP_HEADERS_FILE needs AUDIT_OTLP_ENDPOINT.'] : []),
    ...(auditWebhookUrl !== undefined && auditWebhookSecretFile === undefined ? ['AUDIT_WEBHOOK_URL needs AUDIT_WEBHOOK_SECRET_FILE.'] : []),
    ...(auditWebhookSecretFile !== undefined && auditWebhookUrl === undefined ? ['AUDIT_WEBHOOK_SECRET_FILE needs AUDIT_WEBHOOK_URL.'] : []),
  ];
};
