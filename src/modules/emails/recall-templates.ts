import type { EmailContent } from './layout.ts'
import { aboutKit, kitFact, type PersonEmail } from './templates.ts'

/** Something in a kit, or with which its sample was tested, was recalled. `newKitId`: of the kit that is sent in its place. */
export const kitRecalled =
  (about: 'box' | 'sample' | 'held' | 'result' | 'used', kitId: string, newKitId: string | undefined): PersonEmail =>
  (t) => ({
    ...aboutKit(`recalled_${about}`, `email.recalled.${about}`, [
      `email.recalled.${about}.text`,
      ...(newKitId === undefined ? [] : (['email.recalled.new'] as const)),
    ])(kitId)(t),
    facts: [kitFact(t, kitId), ...(newKitId === undefined ? [] : [[t('email.kitReplaced.new'), newKitId] as const])],
  })

/** To the business. It names nobody, and nothing that was measured. `isTold`: the recall writes to the people. */
export const kitsRecalled = (
  kits: number,
  { businessId, reason, isTold }: { businessId: string; reason: string; isTold: boolean },
): EmailContent => ({
  kind: 'kits_recalled',
  subject: kits === 1 ? 'A kit of yours was recalled' : `${kits} of your kits were recalled`,
  title: kits === 1 ? 'A kit of yours was recalled' : `${kits} of your kits were recalled`,
  paragraphs: [
    isTold
      ? 'We write to each person whose e-mail address we may use. Please tell the others at once: the list says to whom nobody wrote.'
      : 'We write to nobody. Please tell each person at once.',
  ],
  facts: [
    ['Kits', String(kits)],
    ['Reason', reason],
  ],
  button: { label: 'Open the recalled kits', path: `/app/b/${businessId}/live/recalled-kits` },
})
