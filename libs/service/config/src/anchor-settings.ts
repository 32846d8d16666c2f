import { EgressSettings } from './egress-settings.js';
import { text } from './formats.js';
import { Setting } from './setting.decorator.js';

/** Where the checkpoints of the history lie. */
export class AnchorSettings extends EgressSettings {
  @Setting({
    env: 'ANCHOR_DIR',
    as: text,
    meaning:
      'Folder for the checkpoints of the history and their leaves, on another disk or another machine than the store, shared by all services. It has to exist. A guarded environment has to name it, and with the embedded store it has to lie on another disk than `DATA_DIR`. Unset: no checkpoints are made, and a store from which events were removed is not noticed after a restart.',
  })
  readonly anchorDirectory?: string;
}
