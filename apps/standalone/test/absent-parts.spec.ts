import { describe, expect, it } from '@jest/globals';

import { documentedFields } from '#testkit/inventories/documented-operations';
import { productPackages, productSources } from '#testkit/inventories/product-sources';

/** What no source and no package has, or which sources alone have it, and why. `requirement`: the rows of docs/security/asvs.md that say so. */
interface Absence {
  readonly requirement: readonly string[];
  readonly what: string;
  readonly sources?: RegExp;
  readonly packages?: RegExp;
  /** Of requests and answers. */
  readonly fields?: RegExp;
  /** By path. */
  readonly but?: Readonly<Record<string, string>>;
}

const ABSENT: readonly Absence[] = [
  {
    requirement: ['1.2.5'],
    what: 'programs of the system',
    sources: /node:child_process/,
    but: {
      'libs/domain/relying-party/src/logo/bounded-child.ts': 'Node with one program of ours and no argument of a request',
      'libs/clients/sandbox/src/sandbox-program.ts': 'the package for tests: Node with the program of the sandbox, started by the developer',
      'libs/clients/sandbox/src/started-at.ts': 'the same: its types alone',
    },
  },
  {
    requirement: ['1.2.4'],
    what: 'queries that are put together of values',
    sources: /\bsql\.(raw|lit)\(/,
    but: { 'libs/domain/session/src/read-models/timer-tables.ts': 'a number of the settings' },
  },
  { requirement: ['1.2.6'], what: 'LDAP', sources: /ldaps?:\/\//, packages: /ldap/ },
  {
    requirement: ['1.2.7', '1.5.1'],
    what: 'XPath, and parsers of XML of others',
    sources: /XPath|DOMParser\(/,
    packages: /xpath|xml|sax(es)?$|libxml/,
  },
  { requirement: ['1.2.8'], what: 'LaTeX', packages: /latex|^tex$/ },
  {
    requirement: ['1.2.9', '1.3.12'],
    what: 'regular expressions that are put together at run time',
    sources: /new RegExp\(/,
    but: {
      'apps/standalone/src/open-api/keywords.ts': 'of a rule of our own classes',
      'libs/domain/relying-party/src/domain/name/joiners.ts': 'of constants',
      'libs/domain/relying-party/src/domain/name/one-script.ts': 'of constants',
      'libs/kernel/browser/src/index.ts': 'of a constant',
      'libs/kernel/src/plain-text.ts': 'of a constant',
      'libs/signatures/asic/src/signed-data-name.ts': 'of constants',
      'libs/signatures/asic/src/verify/foreign/read-xml.ts': 'of constants',
      'libs/signatures/pki/src/certificates/issued-certificate.ts': 'words of a certificate, escaped',
      'libs/web-page/browser/src/fingerprint-groups.ts': 'of a constant',
      'libs/web-page/src/compressed.ts': 'of two names of ours',
      'libs/web-page/src/security-headers.ts': 'of two names of ours',
    },
  },
  { requirement: ['1.2.10'], what: 'exports of tables', sources: /text\/csv|spreadsheetml/, packages: /csv|xlsx|exceljs|papaparse/ },
  {
    requirement: ['1.2.3', '1.3.2'],
    what: 'code that is put together at run time',
    sources: /(?<![.\w#])eval\(|new Function\(|node:vm'|setTimeout\(['"`]/,
  },
  {
    requirement: ['1.3.1', '3.2.2'],
    what: 'HTML that is set as a text',
    sources: /\.(inner|outer)HTML\b|insertAdjacentHTML|document\.write|createContextualFragment/,
  },
  { requirement: ['1.3.5'], what: 'templates and style sheets of users', fields: /css|style|template|html|markdown/i },
  { requirement: ['1.3.8'], what: 'Java', packages: /^(node-)?java$|jndi/ },
  { requirement: ['1.3.7'], what: 'engines of templates', packages: /handlebars|mustache|^ejs$|^pug$|nunjucks|liquidjs|^eta$|@fastify\/view/ },
  { requirement: ['1.3.9'], what: 'memcache', packages: /memcache/ },
  { requirement: ['1.3.10'], what: 'format strings', sources: /\bformat\b.*from 'node:util'|util\.format\(/ },
  { requirement: ['1.3.11', '6.3.6'], what: 'mail', sources: /smtps?:\/\/|mailto:.*fetch/, packages: /mailer|smtp|sendmail|mailgun|postmark/ },
  {
    requirement: ['1.5.2'],
    what: 'deserialization into classes of the sender',
    sources: /node:v8'|\bdeserialize\(|js-yaml'/,
    but: { 'apps/standalone/src/sandbox.ts': 'setFlagsFromString alone, for the memory of the packed sandbox' },
  },
  {
    requirement: ['3.5.5'],
    what: 'messages between windows',
    sources: /\.postMessage\(|\.onmessage\b|addEventListener\(\s*'message'/,
  },
  { requirement: ['3.5.6'], what: 'JSONP', sources: /jsonp/i, packages: /jsonp/ },
  { requirement: ['4.3.1', '4.3.2'], what: 'GraphQL', packages: /graphql|apollo|mercurius/ },
  {
    requirement: ['4.4.1', '4.4.2', '4.4.3', '4.4.4'],
    what: 'WebSocket',
    sources: /new WebSocket\(|new EventSource\(/,
    packages: /^ws$|websocket|socket\.io/,
  },
  {
    requirement: ['4.2.3', '4.2.4'],
    what: 'servers of HTTP/2 and HTTP/3',
    sources: /createSecureServer|http2: true|node:quic/,
  },
  {
    requirement: ['5.2.3', '5.2.5'],
    what: 'unpacking',
    sources: /\b(inflate|gunzip|unzip|brotliDecompress)\w*\b.*from 'node:zlib'|DecompressionStream|from '(yauzl|pngjs)'/,
    but: {
      'libs/domain/relying-party/decode-picture/src/index.ts': 'a logo: in a child process, with a limit of the bytes that come out',
      'libs/signatures/asic/src/zip/bytes-in-memory.ts': 'gives the next one its bytes',
      'libs/signatures/asic/src/zip/zip-reader.ts': 'a container: limits of entries, of their ratio, of the bytes that come out',
    },
  },
  { requirement: ['5.4.1', '5.4.2'], what: 'names of files in headers', sources: /content-disposition/i },
  { requirement: ['6.5.8'], what: 'one-time passwords by time', packages: /(^|[^a-z])(t|h)?otp|speakeasy|2fa/ },
  { requirement: ['6.6.1'], what: 'the telephone network', sources: /sms:|tel:\+/, packages: /twilio|vonage|(^|-)sms/ },
  {
    requirement: [
      '6.1.2',
      '6.2.1',
      '6.2.2',
      '6.2.3',
      '6.2.4',
      '6.2.5',
      '6.2.6',
      '6.2.7',
      '6.2.8',
      '6.2.9',
      '6.2.10',
      '6.2.11',
      '6.2.12',
      '6.4.3',
      '11.4.2',
      '11.4.4',
    ],
    what: 'passwords',
    packages: /bcrypt|argon|scrypt-|pbkdf|zxcvbn/,
    fields: /passw|passphrase/i,
  },
  { requirement: ['6.4.2'], what: 'secret questions', fields: /question|captcha/i },
  {
    requirement: ['10.4.5', '10.4.8'],
    what: 'refresh tokens',
    sources: /refresh_token/,
    fields: /refresh_?token/i,
  },
  {
    requirement: ['10.4.15', '10.6.2'],
    what: 'rich requests and log-outs by the browser of OpenID Connect',
    sources: /authorization_details|end_session/,
    fields: /authorization_?details|end_session/i,
  },
  { requirement: ['6.8.3'], what: 'SAML', packages: /saml/ },
  {
    requirement: ['11.2.4'],
    what: 'comparisons of secrets beside the one that takes constant time',
    sources: /timingSafeEqual/,
    but: {
      'libs/kernel/src/digest.ts': 'the one of the services',
      'libs/clients/relying-party/src/state.ts': 'the same, in the package that stands alone',
      'libs/clients/relying-party/src/webhook.ts': 'the same, in the package that stands alone',
      'libs/signatures/pki/src/cmp/cmp-protection.ts': 'of the MAC of a message of the CA',
    },
  },
  {
    requirement: ['11.3.1', '11.3.2', '11.3.3', '11.3.4', '11.3.5'],
    what: 'ciphers beside the one of stored values',
    sources: /create(C|Dec)ipher(iv)?\(|subtle\.encrypt\(/,
    but: { 'libs/kernel/src/sealer.ts': 'AES-256-GCM' },
  },
  {
    requirement: ['11.5.1', '11.5.2'],
    what: 'random values beside those of the one source',
    sources: /Math\.random|\brandom(Bytes|UUID|Int|Fill)\b|getRandomValues/,
    but: {
      'libs/kernel/src/randomness.ts': 'the one of the services: the generator of the system',
      'libs/service/http/src/connection-errors.ts': 'the id of a request, which is no secret',
      'libs/service/http/src/request-id.ts': 'the id of a request, which is no secret',
      'libs/clients/relying-party/cli/src/authorization.ts': 'the same generator, in the package that stands alone: the id of an assertion',
      'libs/clients/relying-party/cli/src/follow-events.ts': 'Math.random, for the pause before another connection',
      'libs/clients/relying-party/cli/src/run.ts': 'the same generator: the secret that signs to the own server',
      'libs/clients/relying-party/src/pkce.ts': 'the same generator, in the package that stands alone',
      'libs/clients/relying-party/src/relying-party-client.ts': 'the same generator: an idempotency key',
      'libs/clients/relying-party/src/return-token.ts': 'the same generator',
      'libs/clients/relying-party/src/state.ts': 'the same generator',
      'libs/clients/relying-party/src/service-calls.ts': 'Math.random, for the pause before a repeated call',
      'libs/clients/device/src/crypto/device-proof.ts': 'the generator of the browser',
      'libs/signatures/asic/src/attach/container-file.ts': 'the name of a file that is being written',
    },
  },
  {
    requirement: ['11.4.1', '11.4.3'],
    what: 'SHA-1 and MD5',
    sources: /'(md5|sha1|SHA-1|MD5)'/,
    but: {
      'libs/kernel/src/ids.ts': 'UUIDs of version 5 (RFC 9562), which protect nothing',
      'libs/signatures/pki/src/cmp/cmp-protection.ts': 'the HMAC of a CA that knows no other, where no collision helps',
      'libs/signatures/pki/src/cms/signing-certificate.ts': 'names a certificate in an older time-stamp',
      'libs/signatures/pki/src/development/answer-ocsp.ts': 'names a responder (RFC 6960)',
      'libs/signatures/pki/src/development/issue-root-crl.ts': 'names a key (RFC 5280, 4.2.1.2)',
      'libs/signatures/pki/src/ocsp/ocsp-request.ts': 'names a certificate (RFC 6960)',
    },
  },
  {
    requirement: ['1.3.6', '13.2.4', '13.2.5', '13.2.6', '15.3.2'],
    what: 'connections to others, beside those of the drivers of engines',
    sources:
      /\b(request|connect|createConnection)\b[^;]*\} from 'node:(http|https|net|tls)'|\bcreateConnection\b[^;]*from 'node:net'|(?<![.\w'])fetch\(/,
    but: {
      'apps/cli/src/admin-api.ts': 'the command line: BASE_URL',
      'apps/console/page/src/portal-api.ts': 'a page: its own origin',
      'apps/device-api/phone/service-worker/service-worker.ts': 'a page: its own origin',
      'apps/device-api/phone/src/main.ts': 'a page: BASE_URL',
      'apps/login-bff/page/src/hosted-api.ts': 'a page: BASE_URL',
      'apps/sandbox/src/hosted-page/hosted-page.ts': 'the sandbox calls itself, at its own address',
      'apps/sandbox/src/hosted-page/log-in-on-hosted-page.ts': 'the sandbox calls itself, at its own address',
      'apps/sandbox/src/phones/own-calls.ts': 'as before',
      'apps/standalone/guide/src/site-search.ts': 'a page: its own origin',
      'libs/clients/device/src/api/phone-api.ts': 'the package for apps: BASE_URL',
      'libs/clients/sandbox/src/sandbox-calls.ts': 'the package for tests: the sandbox on this machine',
      'libs/clients/relying-party/cli/src/follow-events.ts': 'the program of relying parties: the address of its command line',
      'libs/clients/relying-party/cli/src/forward.ts': 'the program of relying parties: this machine, unless its command line says otherwise',
      'libs/clients/relying-party/src/service-calls.ts': 'the package for relying parties, and console with it: BASE_URL or INTERNAL_URL',
      'libs/web-page/first-frame/src/open-program.ts': 'a page: its own files',
      'libs/domain/webhook/src/delivery/guarded-exchange.ts': 'webhooks, pushes and keys of relying parties: checked addresses',
      'libs/engines/egress/src/connect-tunnel.ts': 'EGRESS_PROXY',
      'libs/engines/egress/src/egress-proxy.ts': 'EGRESS_PROXY, or EGRESS_DIRECT',
      'libs/engines/event-store/src/eventstoredb/admin-interface.ts': 'EVENTSTORE_URL',
      'libs/engines/transparency-log/src/https-place.ts': 'ANCHOR_URL',
      'libs/service/platform/src/backup/read-store.ts': 'the socket of the backup in DATA_DIR',
      'libs/service/platform/src/doctor/ask-address.ts': 'the doctor: addresses of the settings',
      'libs/signatures/pki/src/http/exchange.ts': 'trust services of the settings, and the places that an issued certificate names',
    },
  },
  {
    requirement: ['15.4.1', '15.4.3', '15.4.4'],
    what: 'threads that share memory',
    sources: /node:(worker_threads|cluster)'|new SharedArrayBuffer|new Worker\(/,
  },
  ...['17.1.1', '17.1.2', '17.2.1', '17.2.2', '17.2.3', '17.2.4', '17.2.5', '17.2.6', '17.2.7', '17.2.8', '17.3.1', '17.3.2'].map((requirement) => ({
    requirement: [requirement],
    what: 'WebRTC',
    sources: /RTCPeerConnection/,
    packages: /webrtc|wrtc|simple-peer/,
  })),
];

const sources = productSources();
const fields = documentedFields();
const packages = productPackages();

describe('the inventories', () => {
  it('hold the sources of every part, and the packages of production', () => {
    expect(sources.length).toBeGreaterThan(900);
    for (const part of [
      'apps/registry/src/',
      'apps/device-api/phone/',
      'libs/domain/relying-party/decode-picture/',
      'libs/web-page/browser/',
      'libs/kernel/src/',
    ])
      expect([part, sources.some(({ path }) => path.startsWith(part))]).toEqual([part, true]);
    expect(sources.filter(({ path }) => /spec|\/test\//.test(path))).toEqual([]);
    expect(packages).toEqual(expect.arrayContaining(['fastify', 'find-my-way', 'pngjs']));
    expect(packages).not.toContain('jest');
    expect(fields).toEqual(expect.arrayContaining(['redirect_uris', 'activation_code', 'subjectId']));
  });
});

describe('no source and no package of the product has', () => {
  it.each(ABSENT.map((absence) => [absence.what, absence.requirement.join(', '), absence] as const))(
    '%s (%s), but where it is said',
    (_, _requirements, { sources: pattern, packages: names, fields: members, but = {} }) => {
      const found = pattern ? sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path) : [];
      expect(found).toEqual(Object.keys(but).toSorted());
      expect(packages.filter((name) => names?.test(name))).toEqual([]);
      expect(fields.filter((name) => members?.test(name))).toEqual([]);
    },
  );
});

describe('the packages of production', () => {
  it('hold native code in two of them, each of which is optional', () => {
    const native = productPackages('native');
    expect([...new Set(native.map((name) => name.replace(/^@msgpackr-extract\/.*/, 'msgpackr-extract')))]).toEqual(['msgpackr-extract', 'pkcs11js']);
  });
});

describe('the packages', () => {
  it('have their hashes in the lock file', () => {
    expect(productPackages('without a hash')).toEqual([]);
  });
});

describe('cookies', () => {
  it('are set by two sources, each of which gives all of its cookies the same attributes', () => {
    const setting = sources.filter(({ text }) => /setCookie\(reply|\.setCookie\(|'set-cookie'/.test(text)).map(({ path }) => path);
    expect(setting).toEqual(['apps/console/src/portal-cookies.ts', 'apps/login-bff/src/login-cookie.ts']);
    const textOf = (path: string): string => sources.find((source) => source.path === path)?.text ?? '';
    expect(textOf('apps/console/src/portal-cookies.ts')).toContain("'Path=/; HttpOnly; SameSite=Lax; Secure'");
    expect(textOf('apps/login-bff/src/login-cookie.ts')).toContain("{ httpOnly: true, secure: true, sameSite: 'lax', path: '/login-ui/v1' }");
  });
});
