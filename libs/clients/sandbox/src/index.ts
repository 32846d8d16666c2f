export type { Persona, PlayedLogin, SandboxClient, SandboxPhone, Scanned } from './answers.js';
export { type Faults, type NewPhone, Sandbox } from './sandbox.js';
export { SEEDED_CLIENT } from './seeded-client.js';
export { SandboxError } from './sandbox-error.js';
export type { SandboxOptions } from './program-parameters.js';
export { runningSandbox, startSandbox } from './start-sandbox.js';
export { type AwaitedWebhook, type RecordedWebhook, WEBHOOK_SECRET, type WebhookOptions } from './verified-webhooks.js';
export { type WebhookEvent, WebhookRefused } from '../../relying-party/src/index.js';
