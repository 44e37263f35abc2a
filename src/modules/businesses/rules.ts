import type { Grant } from '../../domain/effects.ts'
import type { AnySettingsChange } from './schema.ts'

/** What a change of settings makes that goes on acting by itself. What it switches off makes nothing. */
export function grantsOf(change: Partial<AnySettingsChange>): Grant[] {
  const { publishing, publishAcknowledged, insufficientCredits, purchasingEnabled, retestPanels, contactEmail } = change
  const made = {
    publishing: publishing === 'auto' || publishAcknowledged === true,
    charges: insufficientCredits === 'charge' || purchasingEnabled === true,
    retests: (retestPanels ?? []).length > 0,
    contact: contactEmail !== undefined,
  }
  return Object.entries(made).flatMap(([grant, isMade]) => (isMade ? [grant as keyof typeof made] : []))
}
