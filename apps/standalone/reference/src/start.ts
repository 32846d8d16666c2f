import { nameClosedComboboxes } from './name-closed-comboboxes.js';
import { styleUnderPolicy } from './style-under-policy.js';

interface Scalar {
  createApiReference(target: string, configuration: object): void;
}

declare global {
  // The two names that Scalar's bundle uses.
  var Scalar: Scalar;
  var __zod_globalConfig: object;
}

// Zod tries whether the page may evaluate text. The policy forbids it, so it must not try.
globalThis.__zod_globalConfig = { jitless: true };

const nonce = document.querySelector('meta[property="csp-nonce"]')?.getAttribute('content') ?? '';
styleUnderPolicy(nonce);
nameClosedComboboxes(document.body);

// Scalar's script is deferred: it has run when the document is complete.
document.addEventListener('DOMContentLoaded', () => {
  globalThis.Scalar.createApiReference('#reference', {
    url: '/openapi.json',
    nonce,
    theme: 'none',
    withDefaultFonts: false,
    defaultOpenFirstTag: true,
    // Nothing leaves the service: no telemetry, no proxy, no external client, no assistant. Credentials last as long as the page.
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    persistAuth: false,
    authentication: { preferredSecurityScheme: 'client' },
  });
  document.getElementById('not-started')?.remove();
});
