import type { EmailContent } from '../emails/layout.ts'

/** `business`: whose dashboard it is; undefined for the operator's own staff. */
export const invitation = (business: string | undefined): EmailContent => ({
  kind: 'invitation',
  subject: business ? `You are invited to ${business} on Kitlane` : 'You are invited to Kitlane',
  title: 'You are invited',
  paragraphs: [
    business ? `${business} has made an account for you.` : 'The operator of Kitlane has made an account for you.',
  ],
  button: {
    label: 'Accept the invitation',
    with: 'The link works once, for 72 hours. If you did not expect it, ignore this e-mail.',
  },
})

export const passwordReset = (): EmailContent => ({
  kind: 'password_reset',
  subject: 'Choose a new password',
  title: 'Choose a new password',
  paragraphs: ['Somebody asked to reset the password of your Kitlane account.'],
  button: {
    label: 'Choose a new password',
    with: 'The link works once, for one hour. If it was not you, ignore this e-mail: your password stays as it is.',
  },
})
