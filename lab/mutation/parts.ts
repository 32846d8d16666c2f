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
    mutate: ['libs/engines/event-store/src/authentication/*.ts', '!**/*.spec.ts'],
    roots: ['libs/engines/event-store/src/authentication'],
    tests: ['**/authentication/*.spec.ts', '!**/*.contract.spec.ts'],
  },
  {
    name: 'credentials',
    mutate: [
      ...files('libs/service/http/src', 'basic-credentials', 'basic-authentication', 'bearer-authentication'),
      ...files('libs/service/http/src', 'failure-throttle', 'network-of', 'portal-authentication'),
      ...files(
        'libs/domain/relying-party/src',
        'domain/client-secret',
        'use-cases/authenticate-client',
        'domain/redirect-uri',
        'domain/webhook-endpoints.evolve',
      ),
      ...files('libs/domain/administration/src', 'domain/admin-token', 'use-cases/authenticate-administrator'),
    ],
    roots: ['libs/service/http/src', 'libs/domain/relying-party/src', 'libs/domain/administration/src'],
    tests: [
      '**/{authentication,portal-authentication,failure-throttle,network-of,basic-credentials,authenticate-*,redirect-uri,webhook-endpoints.decider,client.decider,admin-token}.spec.ts',
    ],
  },
  {
    name: 'code-redemption',
    mutate: [
      ...files('libs/domain/session/src/approval', 'check-approval', 'verified-signatures'),
      ...files('libs/domain/session/src/use-cases', 'exchange-token', 'authorize-login', 'verify-signature', 'check-signer'),
    ],
    roots: ['libs/domain/session/src'],
    tests: ['**/{exchange-token,authorize-login,verify-signature,prepare-statement,check-approval,verified-signatures,build-signature}.spec.ts'],
  },
  {
    name: 'codes',
    mutate: files('libs/domain/session/src/domain', 'pkce', 'qr-frames', 'redirect', 'return-url'),
    roots: ['libs/domain/session/src/domain'],
    tests: ['**/domain/{dynamic-qr.decider,derived-values,pkce,redirect,return-url}.spec.ts'],
  },
  {
    name: 'session-domain',
    mutate: [
      'libs/domain/session/src/domain/*.ts',
      '!**/*.spec.ts',
      '!libs/domain/session/src/domain/{pkce,qr-frames,redirect,return-url,session.errors,session.commands}.ts',
    ],
    roots: ['libs/domain/session/src/domain'],
    tests: ['**/domain/*.spec.ts'],
  },
  {
    name: 'phones',
    mutate: [
      ...files(
        'libs/domain/identity/src/domain',
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
      'libs/domain/identity/src/use-cases/check-pin.ts',
      ...files('apps/device-api/src', 'compact-jws', 'proof-ids/memory-proof-ids'),
    ],
    roots: ['libs/domain/identity/src', 'apps/device-api'],
    tests: ['**/libs/domain/identity/src/domain/*.spec.ts', '**/check-pin.spec.ts', '**/{compact-jws,memory-proof-ids}.spec.ts'],
  },
  {
    name: 'device-proofs',
    mutate: ['apps/device-api/src/device-proof.ts'],
    roots: ['apps/device-api/test'],
    tests: ['**/device-proof.spec.ts'],
  },
  {
    name: 'scans',
    mutate: ['libs/domain/session/src/use-cases/scan-session.ts'],
    roots: ['libs/domain/session/src/use-cases'],
    tests: ['**/{scan-session,scan-session-rules,scan-document}.spec.ts'],
  },
  {
    name: 'approvals',
    mutate: ['libs/domain/session/src/use-cases/confirm-session.ts'],
    roots: ['libs/domain/session/src/use-cases'],
    tests: ['**/{confirm-session,confirm-in-one-commit,cancelled-signature,judge-pin}.spec.ts'],
  },
  {
    name: 'clients',
    mutate: [
      ...files('libs/domain/relying-party/src/domain', 'client.decider', 'client-consent', 'client-logo', 'client-terms', 'properties'),
      ...files('libs/domain/relying-party/src/domain', 'own-client', 'registered', 'webhook-decisions', 'webhook-endpoint'),
      ...files('libs/domain/relying-party/src/domain/name', 'one-script', 'skeleton'),
      ...files('libs/domain/administration/src/domain', 'portal-members'),
    ],
    roots: ['libs/domain/relying-party/src/domain', 'libs/domain/administration/src/domain'],
    tests: ['**/domain/**/*.spec.ts'],
  },
  {
    name: 'addresses',
    mutate: files('libs/domain/webhook/src/domain', 'reachable-networks', 'webhook-url'),
    roots: ['libs/domain/webhook/src/domain'],
    tests: ['**/{reachable-networks,webhook-url}.spec.ts'],
  },
  {
    name: 'messages',
    mutate: [
      ...files('libs/domain/webhook/src/domain', 'delivery', 'delivery-request', 'lane', 'message-body', 'retention', 'retry-after', 'schedule'),
      ...files('libs/domain/webhook/src/domain', 'webhook-message', 'webhook-secret'),
      ...files('libs/domain/push/src/domain', 'push-subscription', 'retry'),
    ],
    roots: ['libs/domain/webhook/src/domain', 'libs/domain/push/src/domain'],
    tests: ['**/domain/*.spec.ts', '!**/{reachable-networks,webhook-url}.spec.ts'],
  },
  {
    name: 'revocation',
    mutate: files('libs/signatures/asic/src/verify', 'check-revocation', 'check-time-stamp'),
    roots: ['libs/signatures/asic/src/verify'],
    tests: ['**/verify/{check-revocation,check-signature,verify-container}.spec.ts'],
  },
  {
    name: 'lists',
    mutate: files('libs/signatures/pki/src/crl', 'crl', 'status-by-lists'),
    roots: ['libs/signatures/pki/src/crl'],
    // the other one changes each byte of a list
    tests: ['**/{crl,status-by-lists}.spec.ts'],
  },
  {
    name: 'container-signature',
    mutate: ['libs/signatures/asic/src/verify/check-signature.ts'],
    roots: ['libs/signatures/asic/src/verify'],
    tests: ['**/verify/check-signature.spec.ts'],
  },
  {
    name: 'der',
    mutate: files('libs/signatures/pki/src/der', 'der-reader', 'read-time'),
    roots: ['libs/signatures/pki/src/der'],
    tests: ['**/der-reader.spec.ts'],
  },
  {
    name: 'signatures-once',
    mutate: ['libs/signatures/pki/src/cms/verified-signatures.ts'],
    roots: ['libs/signatures/pki/src/cms'],
    tests: ['**/verified-signatures.spec.ts'],
  },
  {
    name: 'ocsp',
    mutate: ['libs/signatures/pki/src/ocsp/ocsp-response.ts'],
    roots: ['libs/signatures/pki/src/ocsp'],
    // the other one changes each byte of a response in turn
    tests: ['**/ocsp-response-rules.spec.ts'],
  },
  {
    name: 'signed-data',
    mutate: ['libs/signatures/pki/src/cms/signed-data.ts'],
    roots: ['libs/signatures/pki/src/cms'],
    tests: ['**/cms/{signed-data,signed-data-rules}.spec.ts'],
  },
];

/** The part that the environment names; the first one for tools that only read the configuration. */
export const partOf = (name: string | undefined): Part => PARTS.find((part) => part.name === name) ?? PARTS[0]!;
