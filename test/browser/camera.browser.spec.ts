import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { runDirectory, UUID } from '../support/index.js';
import { useStage } from './support/index.js';

/** The view of the phone's camera: a picture, as a film of one frame. */
const FILM = join(runDirectory(), 'camera.mjpeg');

const stage = useStage({ flags: ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${FILM}`] });

describe('the web phone’s camera', () => {
  it.each(['login-hosted', 'login-own'])('reads the code from the screen in front of it (%s)', async (button) => {
    const phone = await stage.anyPhone();
    await phone.page.context().grantPermissions(['camera']);
    const demo = await stage.demo(await stage.visitor({ viewport: { width: 1280, height: 720 } }));
    await demo.at(button).click();
    await demo.at('qr-code').waitFor();
    await demo.page.screenshot({ path: FILM, type: 'jpeg', quality: 90 });

    await phone.at('scan').click();
    await phone.confirm();
    // The return address belongs to the other screen, so this one offers no way back.
    expect(await phone.at('outcome').textContent()).toBe('Done. Continue on your computer.');
    expect(await phone.at('return').count()).toBe(0);
    expect(await demo.subjectId()).toMatch(UUID);
  });
});
