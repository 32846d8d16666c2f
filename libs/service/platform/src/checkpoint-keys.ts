import { noteSigner, verifierText } from '#engines/transparency-log';
import { isGuarded, KeyDirectory, keySealOf, type PlatformSettings } from '#service/config';
import { SystemClock, SystemRandomness } from '#kernel';
import { SilentLog } from '#telemetry';

import { originOf } from './anchors.js';

/** The public keys of the checkpoints, former ones too, as texts by which others know them (C2SP signed-note). Throws InvalidSettings. */
export const checkpointKeys = async (settings: PlatformSettings): Promise<readonly string[]> => {
  const randomness = new SystemRandomness();
  using keys = await KeyDirectory.open({
    path: settings.keyDirectory,
    clock: new SystemClock(),
    randomness,
    log: new SilentLog(),
    guarded: isGuarded(settings.environment),
    seal: keySealOf(settings, randomness),
  });
  return keys.checkpoint.all().map(({ key }) => verifierText(noteSigner(originOf(settings), key).verifier));
};
