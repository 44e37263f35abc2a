import { Button, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { clientOf } from '../../api/client.ts'
import { useWrite } from '../../api/hooks.ts'
import { changeSession, homeOf } from '../../app/session.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { rich, t } from '../../language/t.ts'
import { passwordProblem } from './password-rule.ts'

/** For links in e-mails. The token follows the #, so it reaches no server log and no other site. */
export function SetPasswordForm() {
  const [token] = useState(() => location.hash.slice(1))
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: async () => (await clientOf().POST('/api/v1/invitations/look-up', { body: { token } })).data ?? null,
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (token === '' || link.error) {
    return (
      <Stack gap="sm">
        {link.error && <ErrorAlert error={link.error} />}
        <Text>
          {rich(
            'This link has expired or is incomplete. Open it from the e-mail again, or <link>ask for a new password</link>. If it is an invitation, ask the person who invited you to send it again.',
            { link: (words) => <PageLink to="/forgotten">{words}</PageLink> },
          )}
        </Text>
      </Stack>
    )
  }
  return link.data ? <AcceptForm token={token} link={link.data} /> : <Loader size="sm" />
}

interface LinkInfo {
  kind: 'invitation' | 'reset'
  email: string
  hasPassword: boolean
  totpEnabled: boolean
  business?: { name: string }
}

function AcceptForm({ token, link }: { token: string; link: LinkInfo }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [code, setCode] = useState('')
  const cache = useQueryClient()
  const navigate = useNavigate()
  const accept = useWrite('post', '/api/v1/invitations/accept')
  // A person with an account who is invited to another business confirms their identity with their password.
  const isKnown = link.kind === 'invitation' && link.hasPassword
  const problem = isKnown ? undefined : passwordProblem(password)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    accept.mutate(
      {
        body: {
          token,
          password,
          ...(name.trim() && { name: name.trim() }),
          ...(code && { code: code.replace(/\s/g, '') }),
        },
      },
      {
        onSuccess: (session) => {
          changeSession(cache, session)
          void navigate({ to: homeOf(session), replace: true })
        },
      },
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text>{sentenceOf(link)}</Text>
        <TextInput label={t('E-mail')} value={link.email} readOnly autoComplete="username" />
        {link.kind === 'invitation' && !isKnown && (
          <TextInput
            label={t('Your name')}
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          label={isKnown ? t('Your password') : t('New password')}
          description={isKnown ? undefined : t('At least 12 characters; a few words are easy to remember')}
          autoComplete={isKnown ? 'current-password' : 'new-password'}
          required
          value={password}
          error={password.length > 0 ? problem : undefined}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {!isKnown && (
          <PasswordInput
            label={t('Repeat the password')}
            autoComplete="new-password"
            required
            value={again}
            error={again.length > 0 && again !== password ? t('The passwords do not match') : undefined}
            onChange={(event) => setAgain(event.currentTarget.value)}
          />
        )}
        {link.totpEnabled && (
          <TextInput
            label={t('Code')}
            description={t('The six digits in your authenticator app, or one of your recovery codes')}
            autoComplete="one-time-code"
            required
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        {accept.error && <ErrorAlert error={accept.error} />}
        <Button
          type="submit"
          loading={accept.isPending}
          disabled={problem !== undefined || (!isKnown && again !== password)}
        >
          {link.kind === 'reset' ? t('Save and sign in') : t('Join and sign in')}
        </Button>
      </Stack>
    </form>
  )
}

function sentenceOf({ kind, business }: LinkInfo): string {
  if (kind === 'reset') return t('Choose a new password.')
  return business
    ? t('You are invited to join {name}.', { name: business.name })
    : t('You are invited to join the operator.')
}
