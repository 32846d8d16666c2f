/** SHA-512 of `Hello!`, in hex. */
const DOCUMENT_HASH =
  '3a928aa2cc3bf291a4657d1b51e0e087dfb1dea060c89d20776b8943d24e712ea65778fe608ddaee0a191bc6680483ad12be1f357389a2380f660db246be5844';

/** A request for a certificate (RFC 2986) with a key on P-256. */
const SIGNING_CSR =
  'MIHLMHMCAQAwETEPMA0GA1UEAwwGZGV2aWNlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAETKDloILNzYiGAH12BpKnhjJd1nonroiP1Gsuf9rwadV+FgTp+2NYRz7KDJpO81m2MTFretrBVcb1IdiLk3afj6AAMAoGCCqGSM49BAMCA0gAMEUCIQCyP4LvDUB8qfOS7PjndHUZa/R5xwQL4WnGRsN1WQFNtgIgCQrmLBR4YaT8xOQs7MAlxGyk0fZxOlokvZZc/65Xtqc=';

const PIN_PROOF = 'wc2iY2KCi2kmZRIFK5fLNynjsFLkreR8Ch4zg97-c8c';
const ACTIVATION_CODE = 'the code in the link that the person got';
const CHANGE = { change_id: '0b0e7f4c-6a4f-4a52-9d0c-3f6f9b1c2d3e' };
const ENDPOINT = { url: 'https://shop.example/countersign', event_types: ['session.completed', 'session.cancelled'] };

/** 32 by 32 pixels of one colour. */
const LOGO = 'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAKklEQVR42mOQz/enKWIYtWDUglELRi0YtWDUglELRi0YtWDUglELhooFAMYhdC7kggMCAAAAAElFTkSuQmCC';

/** A body for each operation that takes one, by method and path. The demo client can send the login and the exchange of its code (RFC 7636, appendix B). */
export const REQUEST_EXAMPLES: Readonly<Record<string, object>> = {
  'POST /relying-party/v1/session': {
    signature_type: 'AUTHENTICATION',
    redirect_uri: 'http://localhost:3001/callback',
    state: 'af0ifjsldkj',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  },
  'POST /relying-party/v1/session/token': {
    code: 'the code in the redirect of the completion',
    code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  },
  'POST /relying-party/v1/create-signing-request': {
    subject_id: '9f0c2a51-7b1e-4d0a-8a5e-0d7c6f1b2a34',
    signed_data_hash: DOCUMENT_HASH,
    signed_data_name: 'contract.pdf',
    title: 'Contract',
  },
  'POST /login-ui/v1/session/claim': { handoffToken: 'the token in the address of the page' },

  'POST /app/v1/device': {
    name: 'My phone',
    platform: 'iOS 19',
    signing_csr: SIGNING_CSR,
    pin_proof: PIN_PROOF,
    activation_code: ACTIVATION_CODE,
  },
  'POST /app/v1/device/holder': { activation_code: ACTIVATION_CODE },
  'POST /app/v1/device/certificate': { signing_csr: SIGNING_CSR },
  'POST /app/v1/devices/{deviceId}/revoke': { pin_proof: PIN_PROOF },
  'PUT /app/v1/push-subscription': {
    endpoint: 'https://push.example/subscriptions/af0ifjsldkj',
    keys: {
      p256dh: 'BEyg5aCCzc2IhgB9dgaSp4YyXdZ6J66Ij9RrLn_a8GnVfhYE6ftjWEc-ygyaTvNZtjExa3rawVXG9SHYi5N2n48',
      auth: 'AAECAwQFBgcICQoLDA0ODw',
    },
  },
  'POST /app/v1/session/{sessionId}/scan': { return_url: 'https://shop.example/back', via: 'qr' },
  'POST /app/v1/session/{sessionId}/pin': { pin_proof: PIN_PROOF },
  'POST /app/v1/session/{sessionId}/confirm': { pin_proof: PIN_PROOF, signature: 'base64 of the signature over toBeSigned' },
  'POST /app/v1/session/{sessionId}/decline': { reason: 'DECLINED' },

  'POST /admin/v1/clients': {
    name: 'Example shop',
    redirect_uris: ['https://shop.example/back'],
    allowed_attributes: ['givenName'],
    allowed_predicates: ['ageOver18'],
  },
  'PATCH /admin/v1/clients/{clientId}': { redirect_uris: ['https://shop.example/back', 'https://shop.example/another'] },
  'PUT /admin/v1/clients/{clientId}/logo': { image: LOGO },
  'POST /admin/v1/clients/{clientId}/logo/approval': { hash: '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d' },
  'POST /admin/v1/clients/{clientId}/waiting-change/acceptance': CHANGE,
  'POST /admin/v1/clients/{clientId}/waiting-change/refusal': CHANGE,
  'POST /admin/v1/clients/{clientId}/webhook-endpoints': ENDPOINT,
  'PATCH /admin/v1/clients/{clientId}/webhook-endpoints/{endpointId}': { enabled: false },
  'POST /admin/v1/clients/{clientId}/webhook-endpoints/{endpointId}/recover': { since: 1_795_000_000 },
  'POST /admin/v1/clients/{clientId}/invitations': { label: 'shop-owner', role: 'owner' },
  'PATCH /admin/v1/clients/{clientId}/members/{subjectId}': { role: 'developer' },
  'PATCH /admin/v1/members/{subjectId}': { roles: ['read', 'support'] },
  'POST /admin/v1/invitations': { label: 'help-desk', roles: ['support'] },
  'POST /admin/v1/admin-tokens': { name: 'deploy-robot', role: 'operator', expires_at: 1_819_756_800 },
  'POST /admin/v1/identities': {
    given_name: 'Mari',
    family_name: 'Maasikas',
    personal_code: '47101010033',
    date_of_birth: '1971-01-01',
    country: 'EE',
    email: 'mari@shop.example',
    phone_number: '+37255501234',
  },
  'POST /admin/v1/identities/search': { country: 'EE', personal_code: '47101010033' },

  'POST /sandbox/v1/phones': { persona: 'ok' },
  'POST /sandbox/v1/phones/{phoneId}/scan': { qr: 'the text of the QR code' },
  'POST /sandbox/v1/phones/{phoneId}/login': { url: 'http://localhost:3000/login/?t=the-token' },
  'POST /sandbox/v1/clients': { redirect_uris: ['http://localhost:5173/callback'] },
  'POST /sandbox/v1/clock': { advance_seconds: 60 },
};
