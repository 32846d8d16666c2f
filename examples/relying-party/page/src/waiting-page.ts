import { watchAppLink } from '#clients/relying-party/browser';

import { part } from './part.js';
import { readStatus, type StatusAnswer } from './status-answer.js';

/** Scenes after which nothing changes. */
const FINAL_SCENES: readonly string[] = ['APPROVED', 'SIGNED', 'CANCELLED', 'EXPIRED', 'ELSEWHERE', 'DONE'];
/** Milliseconds between two calls when the answer was not held or did not come. */
const PAUSE_MS = 2000;
const SOON_SECONDS = 30;

/** Waits for the phone and shows the session's progress. The page holds all scenes already; this shows one of them. */
export class WaitingPage {
  private readonly statusUrl: string;
  private scene: string;
  private status: string;
  /** Epoch seconds; 0 when nothing expires. */
  private expiresAt: number;
  /** How far the server's clock is ahead, in milliseconds. */
  private ahead: number;

  constructor(
    private readonly root: HTMLElement,
    /** Called with the first scene and with each one after it. */
    private readonly reached: (scene: string) => void,
  ) {
    const { statusUrl, sceneShown, status, expiresAt, now } = root.dataset;
    this.statusUrl = statusUrl ?? '';
    this.scene = sceneShown ?? 'PENDING';
    this.status = status ?? 'PENDING';
    this.expiresAt = Number(expiresAt ?? 0);
    this.ahead = Number(now) - Date.now();
  }

  async run(): Promise<void> {
    this.watchLink();
    setInterval(() => this.showTimeLeft(), 500);
    this.showTimeLeft();
    this.reached(this.scene);
    while (!FINAL_SCENES.includes(this.scene)) {
      const asked = performance.now();
      const answer = await this.ask();
      part(this.root, '[data-offline]').hidden = answer !== undefined;
      if (answer) this.show(answer);
      const unchanged = performance.now() - asked < PAUSE_MS && !FINAL_SCENES.includes(this.scene);
      if (unchanged) await pauseOrOnline(PAUSE_MS);
    }
  }

  /** Says so if this device has no app. */
  private watchLink(): void {
    const link = this.root.querySelector('[data-open-app]');
    if (!link) return;
    const notice = part(this.root, '[data-no-app]');
    watchAppLink(link, () => (notice.textContent = notice.dataset['noApp'] ?? ''));
  }

  /** Asks for the status. The server holds the answer until it changes, except after a lost connection. Undefined without an answer. */
  private async ask(): Promise<StatusAnswer | undefined> {
    const since = this.status === 'PENDING' || this.status === 'SCANNED' ? `&since=${this.status}` : '';
    // During a held answer the page would keep saying that the connection is gone.
    const held = part(this.root, '[data-offline]').hidden ? '' : '&held=no';
    try {
      const response = await fetch(`${this.statusUrl}${since}${held}`, { cache: 'no-store' });
      return response.ok ? readStatus(await response.json()) : undefined;
    } catch {
      return undefined;
    }
  }

  private show({ scene, status, expiresAt, now }: StatusAnswer): void {
    this.status = status ?? this.status;
    this.expiresAt = expiresAt ?? 0;
    if (now !== undefined) this.ahead = now - Date.now();
    if (scene === this.scene) return;
    this.scene = scene;
    const focusWasInside = this.root.contains(document.activeElement);
    for (const section of this.root.querySelectorAll<HTMLElement>('[data-scene]')) section.hidden = section.dataset['scene'] !== scene;
    part(this.root, '[data-running]').hidden = this.expiresAt === 0;
    const heading = this.root.querySelector<HTMLElement>(`[data-scene="${scene}"] h1`);
    part(this.root, '[data-announcer]').textContent = heading?.textContent ?? '';
    if (focusWasInside) heading?.focus();
    this.reached(scene);
  }

  private showTimeLeft(): void {
    if (this.expiresAt === 0) return;
    const seconds = Math.max(0, Math.ceil(this.expiresAt - (Date.now() + this.ahead) / 1000));
    part(this.root, '[data-clock]').textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    part(this.root, '[data-countdown]').classList.toggle('soon', seconds <= SOON_SECONDS);
  }
}

/** Ends early when the browser is online again. */
const pauseOrOnline = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener('online', end);
  });
