import { Alert } from '@mantine/core'
import { StatusDot } from '../../components/status-dot.tsx'
import { type EmailState, emailLabel } from './email-labels.ts'

export function EmailStatusDot({ email }: { email: EmailState }) {
  const [tone, word] = emailLabel(email)
  return <StatusDot tone={tone}>{word}</StatusDot>
}

export function NoMailServer() {
  return (
    <Alert color="orange" variant="light" title="No mail server is set" mb="md">
      E-mails are written and kept here, and nobody gets them. Start the service with SMTP_URL to send those that come
      from then on.
    </Alert>
  )
}
