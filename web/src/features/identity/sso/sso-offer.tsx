import { Alert, Button, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { clientOf } from '../../../api/client.ts'
import { useWrite } from '../../../api/hooks.ts'
import { useSearchState } from '../../../app/search.ts'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { t } from '../../../language/t.ts'
import { keepAttempt } from './attempt.ts'

/** The button to the identity provider, once the address shows which one it is. */
export function SsoOffer({ email }: { email: string }) {
  const [typed] = useDebouncedValue(email.trim(), 300)
  const domain = /@([^\s@]+\.[^\s@.]{2,})$/.exec(typed)?.[1]?.toLowerCase()
  const [search] = useSearchState()
  const start = useWrite('post', '/api/v1/session/sso')
  const offer = useQuery({
    queryKey: ['sso-offer', domain ?? ''],
    enabled: domain !== undefined,
    // The service needs the domain alone, so the name is not sent.
    queryFn: async () => {
      const { data } = await clientOf().POST('/api/v1/session/sso/look-up', { body: { email: `name@${domain}` } })
      return data?.connection ?? null
    },
  })
  const connection = domain === undefined ? undefined : offer.data
  if (!connection) return null
  const go = () =>
    start.mutate(
      { body: { connectionID: connection.id } },
      {
        onSuccess: ({ url, secret }) => {
          keepAttempt({ secret, next: search.next })
          location.assign(url)
        },
      },
    )
  return (
    <Stack gap="sm">
      {connection.enforced && (
        <Alert variant="light">
          {t('People of {domain} sign in with single sign-on. Passwords are refused.', { domain: domain ?? '' })}
        </Alert>
      )}
      <Button variant={connection.enforced ? 'filled' : 'default'} onClick={go} loading={start.isPending} fullWidth>
        {t('Continue with {name}', { name: connection.name })}
      </Button>
      {start.error && <ErrorAlert error={start.error} />}
    </Stack>
  )
}
