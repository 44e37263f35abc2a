import type { Tone } from '../../components/status-label.ts'

export type EmailStatus = 'queued' | 'sent' | 'kept' | 'failed'

const words: Record<EmailStatus, [Tone, string]> = {
  queued: ['info', 'Queued'],
  sent: ['good', 'Sent'],
  kept: ['fair', 'Not sent: no mail server'],
  failed: ['bad', 'Failed'],
}

export const emailOptions = Object.entries({ ...words, kept: ['fair', 'Not sent'] }).map(([value, [, label]]) => ({
  value,
  label: label ?? value,
}))

export interface EmailState {
  status: EmailStatus
  mode?: 'live' | 'sandbox'
}

/** True if someone waits for an e-mail that no mail server will send. */
export const lacksServer = ({ status, mode }: EmailState) => status === 'kept' && mode !== 'sandbox'

export const emailLabel = (email: EmailState): [Tone, string] =>
  email.status === 'kept' && !lacksServer(email) ? ['idle', 'Not sent: sandbox'] : words[email.status]
