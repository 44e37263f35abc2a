import { Button, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { signOut } from '../../app/session.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { t } from '../../language/t.ts'
import { passwordProblem } from './password-rule.ts'

export function PasswordForm() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useWrite('post', '/api/v1/session/password')
  const problem = next.length > 0 ? passwordProblem(next) : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(
      { body: { current, next } },
      {
        // The change ends every session, including this one.
        onSuccess: () => void signOut({ password: 'changed' }),
      },
    )
  }
  return (
    <Sheet>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Title order={2}>{t('Password')}</Title>
          <Text c="dimmed">{t('If you change it, you are signed out everywhere.')}</Text>
          <PasswordInput
            label={t('Current password')}
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('New password')}
            description={t('At least 12 characters; a few words are easy to remember')}
            autoComplete="new-password"
            required
            value={next}
            error={problem}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
          {change.error && <ErrorAlert error={change.error} />}
          <Button
            type="submit"
            w="fit-content"
            loading={change.isPending}
            disabled={next === '' || problem !== undefined}
          >
            {t('Change the password')}
          </Button>
        </Stack>
      </form>
    </Sheet>
  )
}
