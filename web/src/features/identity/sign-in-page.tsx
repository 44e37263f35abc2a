import { Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { signInWithPasskey, takesPasskeys } from '../../api/passkeys.ts'
import { useSearchState } from '../../app/search.ts'
import { changeSession, homeOf, useMaybeSession } from '../../app/session.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Redirect } from '../../frame/redirect.tsx'
import { t } from '../../language/t.ts'
import { EntryLayout } from './entry-layout.tsx'
import { safeNext } from './safe-next.ts'
import { SsoOffer } from './sso/sso-offer.tsx'

export function SignInPage() {
  const session = useMaybeSession()
  const [search] = useSearchState()
  const next = safeNext(search.next)
  if (session.data) return <Redirect to={next ?? homeOf(session.data)} />
  return (
    <EntryLayout title={t('Sign in')}>
      {search.next !== undefined && session.data === null && (
        <Text c="dimmed">{t('Sign in to continue where you were.')}</Text>
      )}
      {search.password === 'changed' && (
        <Text c="dimmed">{t('The password was changed. Sign in with the new one.')}</Text>
      )}
      <SignInForm />
      {takesPasskeys && <PasskeyButton />}
    </EntryLayout>
  )
}

function PasskeyButton() {
  const cache = useQueryClient()
  const signIn = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: (session) => changeSession(cache, session),
  })
  return (
    <Stack gap="sm">
      <Divider label={t('or')} />
      {signIn.error && <ErrorAlert error={signIn.error} />}
      <Button variant="default" fullWidth loading={signIn.isPending} onClick={() => signIn.mutate()}>
        {t('Sign in with a passkey')}
      </Button>
    </Stack>
  )
}

function SignInForm() {
  const cache = useQueryClient()
  const signIn = useWrite('post', '/api/v1/session')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [wantsCode, setWantsCode] = useState(false)
  const [takesCode, setTakesCode] = useState(true)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate(
      { body: { email: email.trim(), password, ...(wantsCode && { code: code.replace(/\s/g, '') }) } },
      {
        onSuccess: (session) => {
          changeSession(cache, session)
        },
        onError: (problem) => {
          if (problem.code !== 'CODE_REQUIRED') return
          setWantsCode(true)
          setTakesCode(problem.extra.hasApp !== false)
        },
      },
    )
  }
  // The first CODE_REQUIRED is not an error: it only asks for the second factor.
  const isFailure = signIn.error !== null && !(signIn.error.code === 'CODE_REQUIRED' && code === '')
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label={t('E-mail')}
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          readOnly={wantsCode}
        />
        <SsoOffer email={email} />
        <PasswordInput
          label={t('Password')}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          readOnly={wantsCode}
        />
        {wantsCode && (
          <TextInput
            label={t('Code')}
            description={
              takesCode
                ? t('The six digits in your authenticator app, or one of your recovery codes')
                : t('Your account has a passkey: use it below, or type one of your recovery codes')
            }
            name="code"
            autoComplete="one-time-code"
            required
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        {isFailure && <ErrorAlert error={signIn.error} />}
        <Button type="submit" loading={signIn.isPending} fullWidth>
          {wantsCode ? t('Confirm') : t('Sign in')}
        </Button>
        <PageLink to="/forgotten" size="sm">
          {t('Forgot the password?')}
        </PageLink>
      </Stack>
    </form>
  )
}
