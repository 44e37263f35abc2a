import { Button, Text } from '@mantine/core'
import { useWrite } from '../../../api/hooks.ts'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { t } from '../../../language/t.ts'
import { keepAttempt } from './attempt.ts'
import type { AnySide } from './connection-draft.ts'
import { presetOf } from './presets.ts'

/** Sends the browser to the provider and back to a page that says what a sign-in would do. */
export function TryIt({ connection: { id, issuer } }: { connection: AnySide }) {
  const start = useWrite('post', '/api/v1/session/sso/trial')
  const go = () =>
    start.mutate(
      { body: { connectionID: id } },
      {
        onSuccess: ({ url, secret }) => {
          keepAttempt({ secret, trial: { issuer, back: location.pathname.replace(/^\/app/, '') } })
          location.assign(url)
        },
      },
    )
  return (
    <>
      <Button size="compact-sm" variant="default" w="fit-content" onClick={go} loading={start.isPending}>
        {t('Try it')}
      </Button>
      {start.error && <ErrorAlert error={start.error} />}
      {start.error && <Text size="sm">{presetOf(issuer)?.remedies[String(start.error.extra.reason)]}</Text>}
    </>
  )
}
