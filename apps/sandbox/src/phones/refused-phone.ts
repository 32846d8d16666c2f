import { EnrolmentRefused, type Reply } from '#device-client';
import { DomainError, ServiceUnavailable } from '#kernel';

/** What `/app/v1` refused a scripted phone, passed on: the same code, text and payload, and so the same status. */
export class RefusedPhone extends DomainError {
  readonly code: string;

  constructor({ status, body }: Reply<unknown> & { readonly ok: false }) {
    super(`the phone was answered ${status}`, body.defaultTranslation, body.payload ?? undefined);
    this.code = body.errorCode ?? 'internal_error';
  }
}

/** The body, or the refusal thrown. */
export const granted = <Body>(reply: Reply<Body>): Body => {
  if (!reply.ok) throw new RefusedPhone(reply);
  return reply.body;
};

/** What goes wrong between a phone and the service, in the words of the interface. */
export const onTheWay = async <T>(attempt: Promise<T>): Promise<T> => {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof EnrolmentRefused) throw new RefusedPhone(error.reply);
    if (error instanceof TypeError && error.message === 'fetch failed') throw new ServiceUnavailable('the phone cannot reach the service');
    throw error;
  }
};
