import type { EmailContent } from '../../emails/layout.ts'

/** An anchor as an e-mail, for a mailbox that those who run the database cannot change. */
export const anchorEmail = (line: string): EmailContent => ({
  kind: 'audit_anchor',
  subject: 'Anchor of the audit',
  title: 'Anchor of the audit',
  paragraphs: [
    line,
    'Keep this e-mail. The line proves that the audit is as it was until now: save such lines as a text file, and run kitlane verify-audit --anchors <file>.',
  ],
})
