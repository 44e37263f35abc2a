import type { EmailContent } from './layout.ts'
import { aboutKit, kitFact, type PersonEmail } from './templates.ts'

/**
 * Something in a kit, or with which its sample was tested, was recalled. `newKitId`: of the kit that is sent in its place. `isWorse`: than
 * the person was told before.
 */
export const kitRecalled =
  (
    about: 'box' | 'sample' | 'held' | 'result' | 'used',
    kitId: string,
    { newKitId, isWorse }: { newKitId: string | undefined; isWorse: boolean },
  ): PersonEmail =>
  (t) => ({
    ...aboutKit(`recalled_${about}`, isWorse ? 'email.recalled.worse' : `email.recalled.${about}`, [
      ...(isWorse ? (['email.recalled.worse.text'] as const) : []),
      `email.recalled.${about}.text`,
      ...(newKitId === undefined ? [] : (['email.recalled.new'] as const)),
    ])(kitId)(t),
    facts: [kitFact(t, kitId), ...(newKitId === undefined ? [] : [[t('email.kitReplaced.new'), newKitId] as const])],
    ...(about === 'result' && {
      button: {
        label: t('email.reportReady.button'),
        with: t('email.recalled.link'),
        without: t('email.reportReady.noLink'),
      },
    }),
  })

/** A kit, or what its sample was tested with, was found to be right. */
export const recallReleased = (about: 'box' | 'sample' | 'held' | 'result'): ((kitId: string) => PersonEmail) =>
  aboutKit(`released_${about}`, 'email.released', ['email.released.text', `email.released.${about}`])

const titleOf = (kits: number, isWorse: boolean): string => {
  if (isWorse) return `A recall of ${kits === 1 ? 'a kit' : `${kits} kits`} of yours is more serious now`
  return kits === 1 ? 'A kit of yours was recalled' : `${kits} of your kits were recalled`
}

interface RecallOfBusiness {
  businessId: string
  reason: string
  /** The recall writes to the people. */
  isTold: boolean
  /** Than the business was told before. */
  isWorse: boolean
}

/** To the business. It names nobody, and nothing that was measured. */
export const kitsRecalled = (
  kits: number,
  { businessId, reason, isTold, isWorse }: RecallOfBusiness,
): EmailContent => ({
  kind: 'kits_recalled',
  subject: titleOf(kits, isWorse),
  title: titleOf(kits, isWorse),
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
