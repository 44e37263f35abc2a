import { Alert, Group, Paper, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { lacksServer } from './email-labels.ts'
import { EmailStatusDot, NoMailServer } from './email-status.tsx'
import css from './emails.module.css'

/** An e-mail as text. Its HTML says the same, but has styles that this page's policy does not allow. */
export function EmailPage() {
  const { emailID = '' } = useParams({ strict: false })
  const found = useRead('/operator/v1/emails/{emailID}', { params: { path: { emailID } } })
  const email = found.data
  return (
    <>
      <PageHeader
        title={email?.subject ?? t('E-mail')}
        crumbs={[['mail', t('Mail')]]}
        beside={email && <EmailStatusDot email={email} />}
      />
      {found.error && <ErrorAlert error={found.error} retry={() => void found.refetch()} />}
      {email && (
        <Stack maw={720}>
          <Text c="dimmed">
            {t('To {to}', { to: email.to })} ·{' '}
            {email.business && `${t('for {name}', { name: email.business.name })} · `}
            <RelativeDate value={email.sentDate ?? email.createdDate} />
            {email.attempts > 1 && ` · ${t('{attempts} attempts', { attempts: email.attempts })}`}
          </Text>
          {email.mode === 'live' && (email.orderID || email.kitID) && (
            <Group gap="md">
              {email.orderID && (
                <PageLink to={`/operator/orders/${email.orderID}`}>
                  {t('Order {orderID}', { orderID: email.orderID })}
                </PageLink>
              )}
              {email.kitID && (
                <PageLink to={`/operator/kits/${email.kitID}`}>{t('Kit {kitID}', { kitID: email.kitID })}</PageLink>
              )}
            </Group>
          )}
          {lacksServer(email) && <NoMailServer />}
          {email.lastError && (
            <Alert color="red" title={t('The mail server refused it')}>
              {email.lastError}
            </Alert>
          )}
          <Paper withBorder p="md">
            <pre className={css.text}>{email.text}</pre>
          </Paper>
        </Stack>
      )}
    </>
  )
}
