import { describe, expect, it } from '@jest/globals';

import { productSources } from '../../testkit/inventories/product-sources.ts';
import { PARSERS } from './parsers.ts';

/** Errors by which a reader refuses its input. Those that no parser of the list throws, and why. */
const OTHERS: Readonly<Record<string, string>> = {
  BadKeyStore: 'a file of the operator',
  BadProtection: 'judged of a message that the parsers have read',
  BadProvisionerKey: 'a file of the operator',
  UnreadableFile: 'a file of the operator',
  UnreadableXml: 'becomes an UnknownManifest',
};

/** Every source that reads JSON: the group of parsers that reads it, or where the text comes from. */
const JSON_FROM: Readonly<Record<string, string>> = {
  'apps/cli/src/admin-api.ts': 'an answer of this service, to the command line',
  'apps/cli/src/commands/identities.ts': 'a file of the operator',
  'apps/cli/src/store/backup-file.ts': 'the header of a backup, before its MAC is checked; a person has asked for it',
  'apps/cli/src/store/backup-mac.ts': 'the last line of a backup, which carries its MAC',
  'apps/cli/src/store/published-history.ts': 'history: what is no JSON is a wrong use of the command',
  'apps/console/page/src/openid-keys.ts': 'what a person types at the portal: what is no JSON is not sent',
  'apps/device-api/src/compact-jws.ts': 'jws',
  'apps/device-api/src/device-proof.ts': 'jws, of a right signature',
  'apps/login-bff/page/src/login-storage.ts': 'the same page',
  'apps/standalone/src/front/serve-guide.ts': 'a file of the build',
  'apps/standalone/src/front/serve-welcome.ts': 'a file of the build',
  'apps/standalone/src/front/served-document.ts': 'a file of the build',
  'apps/standalone/src/parse-stored-json.ts': 'a file of DATA_DIR',
  'apps/standalone/src/write-openapi.ts': 'a file of the project, when documents are generated',
  'libs/clients/device/src/crypto/authentication-check.ts': 'an answer of this service, to the phone',
  'libs/clients/relying-party/cli/src/authorization.ts': 'a key file of the person who runs the program',
  'libs/clients/relying-party/src/login-evidence.ts': 'evidence of a login, at a relying party: what is no JSON is refused',
  'libs/clients/relying-party/src/read-answer.ts': 'an answer of this service, to a relying party',
  'libs/clients/relying-party/src/webhook.ts': 'a webhook of a right signature, at a relying party',
  'libs/clients/sandbox/src/program-file.ts': 'a file of the package that the tests have installed',
  'libs/clients/sandbox/src/sandbox-calls.ts': 'an answer of the sandbox, to a test',
  'libs/clients/sandbox/src/started-at.ts': 'the first line of the sandbox, to a test: what is no JSON fails the start',
  'libs/clients/software-phone/src/reply.ts': 'an answer of this service, to the sandbox',
  'libs/domain/administration/src/audit/check-saved-entry.ts': 'history',
  'libs/domain/identity/src/erasure-list/file/file-erasure-lines.ts':
    'a line of the list of erasures, before its MAC is checked: what is no JSON is left out',
  'libs/domain/openid/src/domain/authorization-request.ts': 'authorization',
  'libs/domain/openid/src/keys/signing-keys.ts': 'a key file',
  'libs/domain/relying-party/src/domain/client-keys.ts': 'client-keys',
  'libs/domain/relying-party/src/read-models/clients-projection.ts': 'a read model of ours',
  'libs/domain/relying-party/src/read-models/list-waiting-changes.ts': 'a read model of ours',
  'libs/domain/session/src/approval/check-approval.ts': 'bytes that this service has made',
  'libs/domain/session/src/domain/properties.ts': 'properties',
  'libs/domain/session/src/status/redis/stored-status.ts': 'records',
  'libs/domain/session/src/use-cases/find-asked-approval.ts': 'bytes that this service has made',
  'libs/domain/webhook/src/read-models/deliveries-projection.ts': 'a read model of ours',
  'libs/engines/event-store/src/eventstoredb/admin-interface.ts': 'an answer of the event store about itself',
  'libs/engines/event-store/src/eventstoredb/records-messages.ts': 'metadata that this service has made',
  'libs/engines/event-store/src/eventstoredb/stored-record.ts': 'an event, before its MAC is checked: what is no JSON counts as forged',
  'libs/engines/event-store/src/sqlite/recorded-event.ts': 'an event, before its MAC is checked',
  'libs/engines/event-store/src/sqlite/stored-streams.ts': 'an event, at a migration',
  'libs/engines/job-queue/src/sqlite/statements.ts': 'a job of ours',
  'libs/engines/message-bus/src/kafka/kafka-compacted-topic.ts': 'a line of the list of erasures, before its MAC is checked',
  'libs/engines/message-bus/src/kafka/record.ts': 'records',
  'libs/engines/read-model/src/projection-state.ts': 'a read model of ours',
  'libs/kernel/src/duplicate-key.ts': 'json',
  'libs/kernel/src/parsed-json.ts': 'the sources that call it, which stand here as well',
  'libs/kernel/src/sealer.ts': 'a value that its tag proves to be ours',
  'libs/service/config/src/key-file.ts': 'a key file',
  'libs/service/config/src/key-files.ts': 'a key file',
  'libs/service/config/src/key-seal.ts': 'a key file',
  'libs/service/config/src/signing-pair.ts': 'a key file',
  'libs/service/http/src/json-body.ts': 'json',
  'libs/service/platform/src/backup/read-store.ts': 'the process of this service, by its socket',
  'libs/service/platform/src/doctor/check-running.ts': 'an answer of this service, to the doctor',
  'libs/service/platform/src/movable-clock.ts': 'a file of the sandbox',
  'libs/service/platform/src/open-vapid-keys.ts': 'a key file',
  'libs/signatures/pki/src/step-ca/provisioner-key.ts': 'a file of the operator',
  'libs/signatures/pki/src/step-ca/step-certificate-authority.ts': 'an answer of the CA of the settings, by TLS',
  'libs/web-page/calls/src/reply.ts': 'an answer of this service, to its pages',
  'libs/web-page/first-frame/src/page-config.ts': 'the page itself',
};

describe('the inventory of parsers', () => {
  const sources = productSources();

  it('has each reader that refuses its input by an error of its own', () => {
    const refusals = sources
      .filter(({ path }) => !path.startsWith('libs/clients/relying-party/'))
      .flatMap(({ text }) =>
        [...text.matchAll(/export class ((?:Unreadable|Malformed|Bad|Unknown)\w*) extends Error/g)].map(([, name = '']) => name),
      );
    const thrown = Object.values(PARSERS).flatMap((parser) => parser.refusals.map(({ name }) => name));
    expect(refusals.length).toBeGreaterThan(10);
    expect(refusals.filter((name) => !thrown.includes(name)).toSorted()).toEqual(Object.keys(OTHERS).toSorted());
  });

  it('knows where each source that reads JSON has it from', () => {
    const reading = sources.filter(({ text }) => /\bJSON\.parse\(|\bparsed(?:Json|Object)\(|response\.json\(\)/.test(text)).map(({ path }) => path);
    expect(reading.toSorted()).toEqual(Object.keys(JSON_FROM).toSorted());
  });
});
