import type { PhoneApi, Prover, SessionPreview } from '#clients/device';
import type { Reply } from '#web-page/browser';
import type { Opened } from './outcome.js';
import { isBusy, isOpen, type PhoneState } from './phone-state.js';

export interface LinkDialogueParts {
  readonly phone: {
    readonly prover: Prover | undefined;
    readonly current: PhoneState;
    /** Scans. Declines the request that is open. */
    open(opened: Opened): Promise<void>;
    home(): void;
  };
  readonly api: Pick<PhoneApi, 'preview'>;
  readonly show: (state: PhoneState) => void;
  readonly refused: (reply: Exclude<Reply<SessionPreview>, { kind: 'OK' }>, opened: Opened) => void | Promise<void>;
}

/**
 * The dialogue about a request that came by a link: who asks, and one tap before anything is scanned. A link may come from any page, also while
 * another request is open: without the tap, the sender of the link learns nothing and the open request stays open.
 */
export class LinkDialogue {
  private round = 0;

  constructor(private readonly parts: LinkDialogueParts) {}

  /**
   * Takes a request. A newer link replaces an older one. A link that arrives before the service has answered an act of the person is dropped. A
   * request from the camera is opened without a question, since the person has pointed the camera at it.
   */
  async arrive(opened: Opened): Promise<void> {
    const { phone, api, show, refused } = this.parts;
    const { prover } = phone;
    if (prover === undefined || isBusy(phone.current)) return;
    const round = (this.round += 1);
    if (opened.agreed || opened.arrival === 'CAMERA' || opened.arrival === 'INBOX') return phone.open(opened);
    if (!isAsked(phone.current)) show({ kind: 'LOOKING' });
    const reply = await api.preview(prover, opened.link);
    const state = phone.current;
    if (round !== this.round || !(state.kind === 'LOOKING' || isAsked(state))) return;
    if (reply.kind !== 'OK') return state.kind === 'LOOKING' ? refused(reply, opened) : undefined;
    const interrupted = interruptedBy(state);
    show({ kind: 'PREVIEW', preview: reply.body, opened: agreed(opened, reply.body), ...(interrupted && { interrupted }) });
  }

  /** The person goes on with the link. */
  async proceed(): Promise<void> {
    const state = this.parts.phone.current;
    if (state.kind === 'PREVIEW') await this.arrive(state.opened);
  }

  /** The person puts the link off. The service is not told. */
  putOff(): void {
    const state = this.parts.phone.current;
    if (state.kind !== 'PREVIEW') return;
    this.round += 1;
    if (state.interrupted) this.parts.show(state.interrupted);
    else this.parts.phone.home();
  }
}

/** The person has a decision to make. A link must not replace this screen before its preview is there. */
const isAsked = (state: PhoneState): boolean => isOpen(state) || state.kind === 'PREVIEW';

const interruptedBy = (state: PhoneState) => (isOpen(state) ? state : state.kind === 'PREVIEW' ? state.interrupted : undefined);

/** The request as it is opened once the person goes on. */
const agreed = ({ link, arrival }: Opened, { admission }: SessionPreview): Opened => ({
  link: { ...link, ...(admission !== undefined && { admission }) },
  arrival,
  agreed: true,
});
