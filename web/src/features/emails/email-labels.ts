import type { Tone } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

export type EmailStatus = 'queued' | 'sent' | 'kept' | 'failed'

const words: Record<EmailStatus, [Tone, string]> = {
  queued: ['info', t('Queued')],
  sent: ['good', t('Sent')],
  kept: ['fair', t('Not sent: no mail server')],
  failed: ['bad', t('Failed')],
}

export const emailOptions = Object.entries({ ...words, kept: ['fair', t('Not sent')] }).map(([value, [, label]]) => ({
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
  email.status === 'kept' && !lacksServer(email) ? ['idle', t('Not sent: sandbox')] : words[email.status]
