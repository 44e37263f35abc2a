import { Alert } from '@mantine/core'
import { StatusDot } from '../../components/status-dot.tsx'
import { type EmailState, emailWord } from './email-labels.ts'

export function EmailDot({ email }: { email: EmailState }) {
  const [tone, word] = emailWord(email)
  return <StatusDot tone={tone}>{word}</StatusDot>
}

export function NoServer() {
  return (
    <Alert color="orange" variant="light" title="No mail server is set" mb="md">
      E-mails are written and kept here, and nobody gets them. Start the service with SMTP_URL to send those that come
      from then on.
    </Alert>
  )
}
