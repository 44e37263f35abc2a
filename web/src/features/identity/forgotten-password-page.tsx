import { Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { t } from '../../language/t.ts'
import { EntryLayout } from './entry-layout.tsx'

export function ForgottenPage() {
  const [email, setEmail] = useState('')
  const ask = useWrite('post', '/api/v1/password-resets')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate({ body: { email: email.trim() } })
  }
  return (
    <EntryLayout title={t('New password')}>
      {ask.isSuccess ? (
        <Text>{ask.data.message}.</Text>
      ) : (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <Text>{t('We send you a link to choose a new password.')}</Text>
            <TextInput
              label={t('E-mail')}
              type="email"
              autoComplete="username"
              required
              autoFocus
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            {ask.error && <ErrorAlert error={ask.error} />}
            <Button type="submit" loading={ask.isPending}>
              {t('Send the link')}
            </Button>
          </Stack>
        </form>
      )}
      <PageLink to="/sign-in" size="sm">
        {t('Back to sign in')}
      </PageLink>
    </EntryLayout>
  )
}
