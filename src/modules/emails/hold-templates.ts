import { aboutKit, kitFact, type PersonEmail } from './templates.ts'

const waits =
  (kind: 'sampleHeld' | 'boxHeld') =>
  (kitId: string, until: string): PersonEmail =>
  (t) => ({
    ...aboutKit(kind === 'boxHeld' ? 'box_held' : 'sample_held', `email.${kind}`, [`email.${kind}.text`])(kitId)(t),
    facts: [kitFact(t, kitId), [t('email.sampleHeld.until'), t.date(until)]],
    button:
      kind === 'boxHeld'
        ? { label: t('email.kitDelivered.button'), path: `/k/${kitId}` }
        : {
            label: t('email.sampleHeld.button'),
            with: t('email.sampleHeld.link'),
            without: t('email.sampleHeld.ask'),
          },
  })

/** Asks the person who is registered for what their sample waits for. */
export const sampleHeld = waits('sampleHeld')
/** Asks whom a box was sent to that it is registered. */
export const boxHeld = waits('boxHeld')
