import type { Prover } from '#clients/device';
import type { PushSubscriptionParts } from './push-subscription.js';

export interface PushWakeUpsParts extends PushSubscriptionParts {
  readonly permission: () => NotificationPermission;
  readonly ask: () => Promise<NotificationPermission>;
  /** Runs when {@link PushWakeUps.areMissing} has changed. */
  readonly onChange: () => void;
}

/** Lets the service wake this phone when its page is closed. A browser or a service without pushes only means that the open page asks its inbox. */
export class PushWakeUps {
  private renewed = false;
  private missing = false;

  constructor(private readonly parts: PushWakeUpsParts) {}

  /** Whether the person may still be asked for notifications. */
  get mayAsk(): boolean {
    return this.parts.permission() === 'default';
  }

  /** Whether the person allowed notifications and none will come: the browser has no push service, or the service cannot reach it. */
  get areMissing(): boolean {
    return this.missing && this.parts.permission() === 'granted';
  }

  /** Asks the person, by a tap. */
  async allow(prover: Prover): Promise<void> {
    if ((await this.parts.ask()) === 'granted') await this.renew(prover);
  }

  /** Once a visit: tells the service where this browser takes pushes, if the person allowed notifications. Browsers change the address now and then. */
  async renew(prover: Prover): Promise<void> {
    if (this.parts.permission() !== 'granted' || this.renewed) return;
    this.renewed = true;
    const missing = await this.subscribe(prover).then(
      (subscribed) => !subscribed,
      () => true, // The browser has no push service, or none that answers.
    );
    if (missing === this.missing) return;
    this.missing = missing;
    this.parts.onChange();
  }

  /** Answers false where no pushes will come. */
  private async subscribe(prover: Prover): Promise<boolean> {
    // A phone can be set up without it. One that has no connection asks again at the next visit.
    const part = await import('./push-subscription.js').catch(() => undefined);
    return part === undefined || part.subscribeToPushes(this.parts, prover);
  }
}
