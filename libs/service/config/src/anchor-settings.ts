import { Matches } from 'class-validator';

import { EgressSettings } from './egress-settings.js';
import { flag, httpUrl, text } from './formats.js';
import { Absent } from './rules.js';
import { Setting } from './setting.decorator.js';

/** Where the checkpoints of the history lie. */
export class AnchorSettings extends EgressSettings {
  @Setting({
    env: 'ANCHOR_DIR',
    as: text,
    meaning:
      'Folder for the checkpoints of the history and their leaves, on another disk or another machine than the store, shared by all services. It has to exist. With the embedded store a guarded environment wants it on another disk than `DATA_DIR`. A guarded environment has to name it or `ANCHOR_URL`. Without both no checkpoints are made, and a store from which events were removed is not noticed after a restart.',
  })
  readonly anchorDirectory?: string;

  @Setting({
    env: 'ANCHOR_URL',
    as: httpUrl,
    meaning:
      'Address, with https, under which a server on another machine than the store keeps the checkpoints and their leaves, besides `ANCHOR_DIR` or in its place: `PUT` stores a file whole or not at all, `GET` answers it, `DELETE` may be refused. Shared by all services.',
  })
  @Absent()
  @Matches(/^https:/, { message: '$property must be an https address' })
  readonly anchorUrl?: string;

  @Setting({ env: 'ANCHOR_TOKEN_FILE', as: text, meaning: 'File with the Bearer token for `ANCHOR_URL`. It is read again for each request.' })
  readonly anchorTokenFile?: string;

  @Setting({
    env: 'ANCHOR_CA_FILE',
    as: text,
    meaning: 'File of PEM certificates: the CA of `ANCHOR_URL`. Unset: the CAs that Node trusts. It is read again for each new connection.',
  })
  readonly anchorCaFile?: string;

  @Setting({
    env: 'ANCHOR_TIMESTAMPS',
    as: flag,
    fallback: 'false',
    meaning:
      'Whether the newest checkpoint gets a time-stamp (RFC 3161) of the authorities in `TSA_URLS` once an hour, which is kept beside it and verified when the history is compared. It needs `TRUST_ANCHORS`; in `development` and `test` the development trust service will do.',
  })
  readonly anchorTimestamps!: boolean;
}
