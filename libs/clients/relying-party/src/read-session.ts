import type { Answer } from './read-answer.js';
import { pushStatusIn, recordIn, textIn, timeIn } from './read-fields.js';
import type { LoginResult } from './session.js';

/** The session that the service has begun. On the hosted page the answer must have a handoff token. Throws `UnexpectedAnswer`. */
export const begunIn = (answer: Answer, hosted: boolean) => ({
  sessionId: textIn(answer, 'sessionId'),
  expiresAt: timeIn(answer, 'expiresAt'),
  pushStatus: pushStatusIn(answer),
  ...((answer.body['qrMode'] === 'DYNAMIC' || answer.body['qrSecret'] !== undefined) && {
    qrMode: 'DYNAMIC' as const,
    qrFrames: { secret: textIn(answer, 'qrSecret'), begunAt: Date.now() },
  }),
  ...(answer.body['verificationCode'] !== undefined && { verificationCode: textIn(answer, 'verificationCode') }),
  ...(hosted && { handoffToken: textIn(answer, 'handoffToken') }),
});

/** Who logged in. Throws `UnexpectedAnswer`. */
export const loginIn = (answer: Answer): LoginResult => {
  const attributes = recordIn(answer, 'attributes', 'string');
  const predicates = recordIn(answer, 'predicates', 'boolean');
  return {
    subjectId: textIn(answer, 'subjectId'),
    ...(answer.body['evidence'] !== undefined && { evidence: textIn(answer, 'evidence') }),
    ...(attributes && { attributes }),
    ...(predicates && { predicates }),
  };
};
