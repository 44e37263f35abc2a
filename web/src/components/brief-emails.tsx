import { Text } from '@mantine/core'
import { t } from '../language/t.ts'
import { Facts } from './facts.tsx'
import { PageLink } from './page-link.tsx'
import { RelativeDate } from './relative-date.tsx'

interface BriefEmail {
  id: string
  to: string
  subject: string
  status: 'queued' | 'sent' | 'kept' | 'failed'
  createdDate: string
}

const states: Record<BriefEmail['status'], string> = {
  queued: t('waits to be sent'),
  sent: t('sent'),
  kept: t('kept, not sent'),
  failed: t('not sent: refused'),
}

/** The e-mails about an order or to a person, newest first, each with its page. */
export function BriefEmails({ emails }: { emails: readonly BriefEmail[] }) {
  return (
    <Facts title={t('E-mails')}>
      {emails.length === 0 && <Text c="dimmed">{t('None was written.')}</Text>}
      {emails.map(({ id, to, subject, status, createdDate }) => (
        <div key={id}>
          <PageLink to={`/operator/mail/${id}`} size="sm">
            {subject}
          </PageLink>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {to} · {states[status]} · <RelativeDate value={createdDate} />
          </Text>
        </div>
      ))}
    </Facts>
  )
}
