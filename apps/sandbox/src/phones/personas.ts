import type { Phone, Reply, SessionOutcome } from '#clients/software-phone';

export const PERSONAS = ['ok', 'decline', 'leave', 'wrong-pin', 'slow', 'minor', 'no-birthdate'] as const;
export type PersonaName = (typeof PERSONAS)[number];

export const isPersona = (name: string): name is PersonaName => PERSONAS.some((persona) => persona === name);

export const PIN = '246801';
const WRONG_PIN = '135790';

interface Persona {
  /** YYYY-MM-DD, by the service's year; absent: not known. */
  readonly dateOfBirth?: (year: number) => string;
  /** The person's action on the session that the phone shows. `think` waits for the phone's delay. */
  readonly act: (phone: Phone, think: () => Promise<void>) => Promise<Reply<SessionOutcome>>;
}

const confirm: Persona['act'] = (phone) => phone.confirm(PIN);
const grownUp = (): string => '1985-05-12';

/** Fifteen years old from the first to the last day of the year. */
const fifteen = (year: number): string => `${year - 15}-01-01`;

const guessUntilLocked: Persona['act'] = async (phone) => {
  for (;;) {
    const reply = await phone.confirm(WRONG_PIN);
    if (reply.ok || reply.body.errorCode !== 'wrong_pin') return reply;
    // The last wrong try has cancelled the session (specification/app.md#pin-attempts-and-locks).
    if (reply.body.payload?.['attemptsLeft'] === 0) return { ...reply, ok: true, body: { status: 'CANCELLED' } };
  }
};

/** The scripts (specification/sandbox.md#phones). */
export const personas: Readonly<Record<PersonaName, Persona>> = {
  ok: { dateOfBirth: grownUp, act: confirm },
  decline: { dateOfBirth: grownUp, act: (phone) => phone.decline('DECLINED') },
  leave: { dateOfBirth: grownUp, act: (phone) => phone.decline('LEFT') },
  'wrong-pin': { dateOfBirth: grownUp, act: guessUntilLocked },
  slow: {
    dateOfBirth: grownUp,
    act: async (phone, think) => {
      await think();
      return confirm(phone, think);
    },
  },
  minor: { dateOfBirth: fifteen, act: confirm },
  'no-birthdate': { act: confirm },
};
