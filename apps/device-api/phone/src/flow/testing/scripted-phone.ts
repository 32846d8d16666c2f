import {
  type AcceptedPin,
  type Confirmed,
  type DeviceRecord,
  type DeviceStatus,
  type DeviceStore,
  makeDeviceKeys,
  type OwnDevice,
  type ReadyRequest,
  type SessionPreview,
  type SessionRequest,
  type SigningCertificate,
  toBase64,
  utf8,
  type WebCryptoKeys,
} from '#clients/device';
import type { Reply } from '#web-page/browser';
import type { Entry } from '../entry.js';
import type { OpenRequest } from '../open-request.js';
import { Phone } from '../phone.js';
import type { PhoneMemory } from '../phone-memory.js';
import type { PhoneState } from '../phone-state.js';

export const SESSION = '7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10';
export const RETURN = 'https://rp.example/wait';
export const SCAN: Entry = { kind: 'SCAN', link: { sessionId: SESSION, returnUrl: RETURN } };
export const LINK = `countersign://app/scan?sessionId=${SESSION}&returnUrl=${encodeURIComponent(RETURN)}`;
export const UNREACHABLE = { kind: 'UNREACHABLE' } as const;

export const ok = <Body>(body: Body): Reply<Body> => ({ kind: 'OK', body });
export const refused = (status: number, errorCode: string, payload?: object): Reply<never> => ({
  kind: 'REFUSED',
  status,
  errorCode,
  ...(payload && { payload }),
});

export const statement = { sessionId: SESSION, clientId: 'c', relyingPartyName: 'Harbour Bank', challenge: 'c'.repeat(43), expiresAt: 120 };
export const REQUEST: SessionRequest = {
  sessionId: SESSION,
  signatureType: 'AUTHENTICATION',
  relyingPartyName: 'Harbour Bank',
  expiresAt: 120,
  toBeSigned: toBase64(utf8(JSON.stringify(statement))),
  signatureAlgorithm: 'ES256',
  returnUrl: RETURN,
};

export const PREVIEW: SessionPreview = { relyingPartyName: 'Harbour Bank', signing: false, relyingPartyDomain: 'rp.example' };

export interface Script {
  /** Default: the relying party of {@link REQUEST} asks. A function answers when the test wants. */
  readonly preview?: Reply<SessionPreview> | (() => Promise<Reply<SessionPreview>>);
  readonly scan?: Reply<SessionRequest>;
  /** Default: each PIN is right. */
  readonly pin?: readonly Reply<AcceptedPin>[];
  readonly confirm?: readonly Reply<Confirmed>[];
  readonly decline?: Reply<string>;
  readonly device?: Reply<DeviceStatus>;
  readonly devices?: Reply<readonly OwnDevice[]>;
  /** Of the phone, base64 DER; default: none that can be read. */
  readonly signingCertificate?: string;
  /** Default: this tab showed no request before. */
  readonly openRequest?: OpenRequest;
  readonly renew?: Reply<SigningCertificate>;
  readonly revoke?: readonly Reply<true>[];
  /** Default: the service revokes this phone. */
  readonly remove?: Reply<true>;
  /** Default: each activation code is Ada Byron's. A function answers when the test wants. */
  readonly holder?: Reply<string> | (() => Promise<Reply<string>>);
  readonly enrol?: readonly Reply<DeviceRecord>[];
}

export let keys: WebCryptoKeys;
export const phones: Phone[] = [];
export const record = (): DeviceRecord => ({ deviceId: 'd1', name: 'Chrome', keys, signingCertificate: '', certificateChain: [], enrolledAt: 0 });

export const memoryStore = (kept?: DeviceRecord): DeviceStore & { kept: () => DeviceRecord | undefined } => ({
  load: () => Promise.resolve(kept),
  save: (saved) => Promise.resolve(void (kept = saved)),
  clear: () => Promise.resolve(void (kept = undefined)),
  kept: () => kept,
});

/** An open request that outlives the page. */
export const openRequestOf = (sessionId?: string): OpenRequest => ({
  read: () => sessionId,
  save: (saved) => void (sessionId = saved),
  clear: () => void (sessionId = undefined),
});

export const phoneWith = (script: Script = {}, enrolled = true) => {
  const calls: string[] = [];
  const states: PhoneState[] = [];
  const left: string[] = [];
  const memories: PhoneMemory[] = [];
  const { signingCertificate = '', openRequest = openRequestOf() } = script;
  const store = memoryStore(enrolled ? { ...record(), signingCertificate } : undefined);
  const answer = <Body>(name: string, reply: Reply<Body> | undefined): Promise<Reply<Body>> => {
    calls.push(name);
    return reply ? Promise.resolve(reply) : Promise.reject(new Error(`nothing to answer to ${name}`));
  };
  let pins = 0;
  let confirms = 0;
  let enrols = 0;
  let revokes = 0;
  const phone = new Phone({
    api: {
      device: () => answer('device', script.device),
      devices: () => answer('devices', script.devices),
      renewCertificate: () => answer('renew', script.renew),
      revokeDevice: (_, deviceId, proof) => answer(`revoke ${deviceId} ${proof}`, script.revoke?.[(revokes += 1) - 1]),
      removeThisDevice: () => answer('remove', script.remove ?? ok<true>(true)),
      preview: (_, { sessionId }) => {
        calls.push(`preview ${sessionId}`);
        const { preview = ok(PREVIEW) } = script;
        return typeof preview === 'function' ? preview() : Promise.resolve(preview);
      },
      scan: (_, { sessionId, returnUrl, admission }, via) =>
        answer(`scan ${sessionId === SESSION} ${returnUrl} ${via ?? 'qr'} ${admission ?? ''}`.trim(), script.scan),
      judgePin: (_, sessionId, { pinProof, code }) =>
        answer(`pin ${sessionId} ${pinProof} ${code ?? ''}`.trim(), script.pin ? script.pin[(pins += 1) - 1] : ok({})),
      confirm: (_, sessionId, { pinProof, signature, signingTime, code }) =>
        answer(`confirm ${sessionId} ${pinProof} ${signature} ${signingTime ?? ''} ${code ?? ''}`.trim(), script.confirm?.[(confirms += 1) - 1]),
      decline: (_, sessionId, reason) => answer(`decline ${sessionId} ${reason ?? ''}`.trim(), script.decline ?? ok('CANCELLED')),
      prepareLeaveMessage: (_, sessionId) => Promise.resolve<ReadyRequest>({ url: `leave ${sessionId}`, init: {} }),
    },
    store,
    memory: { load: () => Promise.resolve(undefined), save: (memory) => Promise.resolve(void memories.push(memory)) },
    openRequest,
    enrolment: {
      holder: (code) => {
        calls.push(`holder ${code}`);
        const { holder = ok('Ada Byron') } = script;
        return typeof holder === 'function' ? holder() : Promise.resolve(holder);
      },
      enrol: (code, pin, holder) => answer(`enrol ${code} ${pin} ${holder}`, script.enrol?.[(enrols += 1) - 1]),
    },
    appScheme: 'countersign',
    now: () => 0,
    sendOnLeaving: ({ url }) => left.push(url),
    onChange: (state) => states.push(state),
  });
  phones.push(phone);
  return { phone, calls, states, left, store, memories, kinds: () => states.map(({ kind }) => kind), last: () => states.at(-1) };
};

/** A phone whose person went on with the link that opened it. */
export const wentOn = async (script: Script) => {
  const fixture = phoneWith({ scan: ok(REQUEST), ...script });
  await fixture.phone.start(SCAN);
  await fixture.phone.links.proceed();
  return fixture;
};

/** A phone that shows the request and waits for the PIN. */
export const atPin = async (script: Script) => {
  const fixture = await wentOn(script);
  fixture.phone.proceed();
  return fixture;
};

/** Gives the tests of the file their device keys, and ends each phone: an open request keeps a message ready, which needs a running timer. */
export const usePhones = (): void => {
  beforeAll(async () => {
    keys = await makeDeviceKeys();
  });

  afterEach(() => phones.splice(0).forEach((phone) => phone.leave()));
};
