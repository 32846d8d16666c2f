import type { PhoneApi, Prover, PushKeys } from '#clients/device';

export interface PushWakeUpsParts {
  readonly api: Pick<PhoneApi, 'pushes' | 'takePushes'>;
  /** Undefined in a browser that takes no pushes. */
  readonly manager: () => Promise<PushManager | undefined>;
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

  /** Answers false where no pushes will come. A service that does not answer at present is asked again at the next visit. */
  private async subscribe(prover: Prover): Promise<boolean> {
    const { api, manager: find } = this.parts;
    const state = await api.pushes(prover);
    if (state.kind !== 'OK') return true;
    const { publicKey, subscribed } = state.body;
    const manager = publicKey === '' ? undefined : await find();
    const keys = manager && keysOf(await subscriptionOf(manager, publicKey, subscribed));
    return keys !== undefined && (await api.takePushes(prover, keys)).kind !== 'REFUSED';
  }
}

/** The subscription under this key of the service. One that the service no longer has, or under another key, is of no use any more. */
const subscriptionOf = async (manager: PushManager, publicKey: string, isKnown: boolean): Promise<PushSubscription> => {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  if (!isKnown) await (await manager.getSubscription())?.unsubscribe();
  try {
    return await manager.subscribe(options);
  } catch (error) {
    const earlier = await manager.getSubscription();
    if (!earlier) throw error;
    await earlier.unsubscribe();
    return manager.subscribe(options);
  }
};

const keysOf = (subscription: PushSubscription): PushKeys | undefined => {
  const { endpoint, keys: { p256dh, auth } = {} } = subscription.toJSON();
  return endpoint !== undefined && p256dh !== undefined && auth !== undefined ? { endpoint, keys: { p256dh, auth } } : undefined;
};
