import { ForwardingTarget, type ForwardedEntry, TargetUnavailable } from '#domain/administration';
import type { GuardedPost } from '#domain/webhook';

/** One message. */
export interface TargetMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface PostingTargetParts {
  readonly name: string;
  readonly url: string;
  readonly post: Pick<GuardedPost, 'send'>;
  readonly messageOf: (entries: readonly ForwardedEntry[]) => Promise<TargetMessage> | TargetMessage;
}

/** A target that takes entries by HTTP: a status 2xx says that it has them. */
export class PostingTarget extends ForwardingTarget {
  readonly name: string;

  constructor(private readonly parts: PostingTargetParts) {
    super();
    this.name = parts.name;
  }

  override async send(entries: readonly ForwardedEntry[], signal: AbortSignal): Promise<void> {
    const { url, post, messageOf } = this.parts;
    const outcome = await post.send({ url, ...(await messageOf(entries)), signal });
    if ('error' in outcome) throw new TargetUnavailable(outcome.error);
    if (outcome.status < 200 || outcome.status > 299) throw new TargetUnavailable(`status ${outcome.status}`);
  }
}
