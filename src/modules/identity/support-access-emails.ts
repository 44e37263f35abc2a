import type { EmailContent } from '../emails/layout.ts'
import type { SupportAccessRow } from './support-access-queries.ts'

const inWords = (minutes: number): string => {
  const hours = minutes / 60
  if (!Number.isInteger(hours)) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  return hours === 1 ? '1 hour' : `${hours} hours`
}

/** To an administrator of the business: somebody of the operator asks to enter. */
export const supportAccessRequested = (
  { businessId, userName, userEmail, reason, minutes }: SupportAccessRow,
  businessName: string,
): EmailContent => ({
  kind: 'support_access_requested',
  subject: `The operator asks for access to ${businessName}`,
  title: 'The operator asks for access',
  paragraphs: [
    `Somebody of the company that runs Kitlane asks to work in the account of ${businessName}. Nobody enters before you or another administrator approves.`,
    'If nobody answers within 24 hours, the request ends. You can end an approved access at any time.',
  ],
  facts: [
    ['Who', userName ?? userEmail ?? 'An administrator of the operator'],
    ['Reason', reason],
    ['For', `${inWords(minutes)} from your approval on`],
  ],
  button: {
    label: 'Approve or refuse',
    path: `/app/b/${businessId}/live/settings/support`,
    without: 'Sign in and open Settings, then Support access, to answer.',
  },
})

/** To who asked. */
export const supportAccessApproved = (
  { businessId, minutes }: SupportAccessRow,
  businessName: string,
): EmailContent => ({
  kind: 'support_access_approved',
  subject: `${businessName} approved your access`,
  title: 'Your access was approved',
  paragraphs: [
    `${businessName} approved your access. It began with the approval and ends after ${inWords(minutes)}, or when you or the business end it.`,
  ],
  button: { label: 'Open the business', path: `/app/b/${businessId}/live` },
})
