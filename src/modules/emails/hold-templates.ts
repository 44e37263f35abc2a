import { aboutKit, kitFact, type PersonEmail } from './templates.ts'

/** Asks the person who is registered for what their sample waits for. */
export const sampleHeld =
  (kitId: string, until: string): PersonEmail =>
  (t) => ({
    ...aboutKit('sample_held', 'email.sampleHeld', ['email.sampleHeld.text'])(kitId)(t),
    facts: [kitFact(t, kitId), [t('email.sampleHeld.until'), t.date(until)]],
    button: {
      label: t('email.sampleHeld.button'),
      with: t('email.sampleHeld.link'),
      without: t('email.sampleHeld.ask'),
    },
  })

/** Asks whom a box was sent to that it is registered. */
export const boxHeld =
  (kitId: string, until: string): PersonEmail =>
  (t) => ({
    ...aboutKit('box_held', 'email.boxHeld', ['email.boxHeld.text'])(kitId)(t),
    facts: [kitFact(t, kitId), [t('email.sampleHeld.until'), t.date(until)]],
    button: { label: t('email.kitDelivered.button'), path: `/k/${kitId}` },
  })
