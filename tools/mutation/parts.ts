/** Code that is mutated together, with the tests that must notice the changes. */
export interface Part {
  readonly name: string;
  /** Files whose faults would let a wrong person in, or accept a wrong statement. */
  readonly mutate: readonly string[];
  /** Folders with its unit tests. With fewer folders a mutant is judged sooner, and a test near the code must notice it. */
  readonly roots: readonly string[];
  readonly tests: readonly string[];
}

const files = (folder: string, ...names: readonly string[]): readonly string[] => names.map((name) => `${folder}/${name}.ts`);

export const PARTS: readonly Part[] = [
  {
    name: 'kernel',
    mutate: files('libs/kernel/src', 'base64', 'digest', 'es256', 'key-ring', 'locating-token', 'plain-text', 'sealer', 'secret', 'subject-keys'),
    roots: ['libs/kernel/src'],
    tests: ['**/{base64,digest,es256,key-ring,locating-token,plain-text,sealer,secret,subject-keys}.spec.ts'],
  },
  {
    name: 'event-macs',
    mutate: ['libs/event-store/src/authentication/*.ts', '!**/*.spec.ts'],
    roots: ['libs/event-store/src/authentication'],
    tests: ['**/authentication/*.spec.ts', '!**/*.contract.spec.ts'],
  },
  {
    name: 'credentials',
    mutate: [
      ...files('libs/http/src', 'basic-credentials', 'basic-authentication', 'bearer-authentication'),
      ...files('libs/http/src', 'failure-throttle', 'network-of', 'portal-authentication'),
      ...files(
        'libs/relying-party/src',
        'domain/client-secret',
        'use-cases/authenticate-client',
        'domain/redirect-uri',
        'domain/webhook-endpoints.evolve',
      ),
      ...files('libs/administration/src', 'domain/admin-token', 'use-cases/authenticate-administrator'),
    ],
    roots: ['libs/http/src', 'libs/relying-party/src', 'libs/administration/src'],
    tests: [
      '**/{authentication,portal-authentication,failure-throttle,network-of,basic-credentials,authenticate-*,redirect-uri,webhook-endpoints.decider,client.decider,admin-token}.spec.ts',
    ],
  },
  {
    name: 'code-redemption',
    mutate: [
      ...files('libs/session/src/approval', 'check-approval', 'verified-signatures'),
      ...files('libs/session/src/use-cases', 'exchange-token', 'authorize-login', 'verify-signature', 'check-signer'),
    ],
    roots: ['libs/session/src'],
    tests: ['**/{exchange-token,authorize-login,verify-signature,prepare-statement,check-approval,verified-signatures,build-signature}.spec.ts'],
  },
  {
    name: 'codes',
    mutate: files('libs/session/src/domain', 'assert-frame', 'pkce', 'qr-frames', 'redirect', 'return-url'),
    roots: ['libs/session/src/domain'],
    tests: ['**/domain/{dynamic-qr.decider,derived-values,pkce,redirect,return-url}.spec.ts'],
  },
  {
    name: 'session-domain',
    mutate: [
      'libs/session/src/domain/*.ts',
      '!**/*.spec.ts',
      '!libs/session/src/domain/{assert-frame,pkce,qr-frames,redirect,return-url,session.errors,session.commands}.ts',
    ],
    roots: ['libs/session/src/domain'],
    tests: ['**/domain/*.spec.ts'],
  },
  {
    name: 'phones',
    mutate: [
      ...files(
        'libs/identity/src/domain',
        'activation-grants',
        'authentication-key',
        'certificate-renewal',
        'check-personal-data',
        'device-status',
        'device.decider',
        'identity.decider',
        'pin-ladder',
        'pin-proofs',
        'subject-ids',
      ),
      'libs/identity/src/use-cases/check-pin.ts',
      ...files('apps/device-api/src', 'compact-jws', 'proof-ids/memory-proof-ids'),
    ],
    roots: ['libs/identity/src', 'apps/device-api'],
    tests: ['**/libs/identity/src/domain/*.spec.ts', '**/check-pin.spec.ts', '**/{compact-jws,memory-proof-ids}.spec.ts'],
  },
  {
    name: 'device-proofs',
    mutate: ['apps/device-api/src/device-proof.ts'],
    roots: ['apps/device-api/test'],
    tests: ['**/device-proof.spec.ts'],
  },
  {
    name: 'scans',
    mutate: ['libs/session/src/use-cases/scan-session.ts'],
    roots: ['libs/session/src/use-cases'],
    tests: ['**/{scan-session,scan-session-rules,scan-document}.spec.ts'],
  },
  {
    name: 'approvals',
    mutate: ['libs/session/src/use-cases/confirm-session.ts'],
    roots: ['libs/session/src/use-cases'],
    tests: ['**/{confirm-session,confirm-in-one-commit,cancelled-signature,judge-pin}.spec.ts'],
  },
  {
    name: 'clients',
    mutate: [
      ...files('libs/relying-party/src/domain', 'client.decider', 'client-consent', 'client-logo', 'client-terms', 'properties'),
      ...files('libs/relying-party/src/domain', 'own-client', 'registered', 'webhook-decisions', 'webhook-endpoint'),
      ...files('libs/relying-party/src/domain/name', 'one-script', 'skeleton'),
      ...files('libs/administration/src/domain', 'portal-members'),
    ],
    roots: ['libs/relying-party/src/domain', 'libs/administration/src/domain'],
    tests: ['**/domain/**/*.spec.ts'],
  },
  {
    name: 'addresses',
    mutate: files('libs/webhook/src/domain', 'reachable-networks', 'webhook-url'),
    roots: ['libs/webhook/src/domain'],
    tests: ['**/{reachable-networks,webhook-url}.spec.ts'],
  },
  {
    name: 'messages',
    mutate: [
      ...files('libs/webhook/src/domain', 'delivery', 'delivery-request', 'lane', 'message-body', 'retention', 'retry-after', 'schedule'),
      ...files('libs/webhook/src/domain', 'webhook-message', 'webhook-secret'),
      ...files('libs/push/src/domain', 'push-subscription', 'retry'),
    ],
    roots: ['libs/webhook/src/domain', 'libs/push/src/domain'],
    tests: ['**/domain/*.spec.ts', '!**/{reachable-networks,webhook-url}.spec.ts'],
  },
  {
    name: 'revocation',
    mutate: files('libs/asic/src/verify', 'check-revocation', 'check-time-stamp'),
    roots: ['libs/asic/src/verify'],
    tests: ['**/verify/{check-revocation,check-signature,verify-container}.spec.ts'],
  },
  {
    name: 'lists',
    mutate: files('libs/pki/src/crl', 'crl', 'status-by-lists'),
    roots: ['libs/pki/src/crl'],
    // the other one changes each byte of a list
    tests: ['**/{crl,status-by-lists}.spec.ts'],
  },
  {
    name: 'container-signature',
    mutate: ['libs/asic/src/verify/check-signature.ts'],
    roots: ['libs/asic/src/verify'],
    tests: ['**/verify/check-signature.spec.ts'],
  },
  {
    name: 'der',
    mutate: files('libs/pki/src/der', 'der-reader', 'read-time'),
    roots: ['libs/pki/src/der'],
    tests: ['**/der-reader.spec.ts'],
  },
  {
    name: 'signatures-once',
    mutate: ['libs/pki/src/cms/verified-signatures.ts'],
    roots: ['libs/pki/src/cms'],
    tests: ['**/verified-signatures.spec.ts'],
  },
  {
    name: 'ocsp',
    mutate: ['libs/pki/src/ocsp/ocsp-response.ts'],
    roots: ['libs/pki/src/ocsp'],
    // the other one changes each byte of a response in turn
    tests: ['**/ocsp-response-rules.spec.ts'],
  },
  {
    name: 'signed-data',
    mutate: ['libs/pki/src/cms/signed-data.ts'],
    roots: ['libs/pki/src/cms'],
    tests: ['**/cms/{signed-data,signed-data-rules}.spec.ts'],
  },
];

/** The part that the environment names; the first one for tools that only read the configuration. */
export const partOf = (name: string | undefined): Part => PARTS.find((part) => part.name === name) ?? PARTS[0]!;
