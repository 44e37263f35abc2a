import type { Tone } from '../../components/status-dot.tsx'

export type EmailStatus = 'queued' | 'sent' | 'kept' | 'failed'

export const emailStates: Record<EmailStatus, [Tone, string]> = {
  queued: ['info', 'Queued'],
  sent: ['good', 'Sent'],
  kept: ['idle', 'Kept, not sent'],
  failed: ['bad', 'Failed'],
}
