import { Alert } from '@mantine/core'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { type EmailState, emailLabel } from './email-labels.ts'

export function EmailStatusDot({ email }: { email: EmailState }) {
  const [tone, word] = emailLabel(email)
  return <StatusDot tone={tone}>{word}</StatusDot>
}

export function NoMailServer() {
  return (
    <Alert color="orange" variant="light" title={t('No mail server is configured')} mb="md">
      {t('E-mails are written and kept here, but not sent. Start the service with SMTP_URL to send new e-mails.')}
    </Alert>
  )
}
