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
