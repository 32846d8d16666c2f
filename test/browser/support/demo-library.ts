import type { Locator, Page } from 'playwright-core';

import type { Addresses } from './addresses.js';
import { readQr } from './qr-reader.js';
import { sessionIn } from './scan-uri.js';

export type HostedState =
  'WAITING' | 'SCANNED' | 'COMPLETING' | 'DECLINED' | 'EXPIRED' | 'CONTINUED_ELSEWHERE' | 'OTHER_BROWSER' | 'INVALID_HANDOFF' | 'NOTHING_TO_DO';
type Scene = 'PENDING' | 'SCANNED' | 'APPROVED' | 'SIGNED' | 'GO_BACK_THROUGH_THE_APP' | 'CANCELLED' | 'EXPIRED' | 'ELSEWHERE';

/** The demo relying party, and the hosted page that it leads to, as a person at a computer uses them. */
export class DemoLibrary {
  constructor(
    readonly page: Page,
    private readonly addresses: Addresses,
  ) {}

  at(testid: string): Locator {
    return this.page.getByTestId(testid);
  }

  /** Goes to the hosted page; answers the link that its QR code carries. */
  async logInOnHostedPage(): Promise<string> {
    await this.at('login-hosted').click();
    await this.hosted('WAITING');
    return this.hostedLink();
  }

  async hostedLink(): Promise<string> {
    return (await this.at('open-app').getAttribute('href')) ?? '';
  }

  /** Goes to the demo's own waiting page; answers the payload of its QR code. */
  async logInHere(): Promise<string> {
    await this.at('login-own').click();
    await this.scene('PENDING');
    return readQr(this.at('qr-code'));
  }

  /** The session whose code the demo's own page shows. */
  async sessionShown(): Promise<string> {
    return sessionIn(await readQr(this.at('qr-code')));
  }

  /** Waits for a state of the hosted page. */
  hosted(state: HostedState): Promise<void> {
    return this.page.locator(`html[data-state="${state}"]`).waitFor();
  }

  /** Waits for a scene of the demo's own waiting page. */
  scene(scene: Scene): Promise<void> {
    return this.page.locator(`[data-scene="${scene}"]:not([hidden])`).waitFor();
  }

  /** Waits until a person is logged in; returns the subjectId. */
  async subjectId(): Promise<string> {
    await this.page.waitForURL(`${this.addresses.demo}/account`);
    return (await this.at('subject-id').textContent()) ?? '';
  }

  async logOut(): Promise<void> {
    await this.at('logout').click();
    await this.page.waitForURL(`${this.addresses.demo}/`);
  }
}
