import { EnrolmentRefused, type Reply } from '#clients/software-phone';
import { DomainError, ServiceUnavailable } from '#kernel';

/** A refusal of `/app/v1` to a scripted phone, or of `/login-ui/v1` to a scripted page, passed on with the same code, text and payload, and so the same status. */
export class RefusedPhone extends DomainError {
  readonly code: string;

  constructor({ status, body }: Reply<unknown> & { readonly ok: false }) {
    super(`the service answered ${status}`, body.defaultTranslation, body.payload ?? undefined);
    this.code = body.errorCode ?? 'internal_error';
  }
}

/** The body of the reply. Throws {@link RefusedPhone}. */
export const bodyOf = <Body>(reply: Reply<Body>): Body => {
  if (!reply.ok) throw new RefusedPhone(reply);
  return reply.body;
};

/** Waits for a call of a phone, and turns its errors into those of the interface. */
export const withMappedErrors = async <T>(attempt: Promise<T>): Promise<T> => {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof EnrolmentRefused) throw new RefusedPhone(error.reply);
    if (error instanceof DOMException && error.name === 'AbortError') throw new ServiceUnavailable('stopping');
    if (error instanceof TypeError && error.message === 'fetch failed') throw new ServiceUnavailable('the sandbox cannot reach the service');
    throw error;
  }
};
