import { Stack, Switch } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { t } from '../../language/t.ts'

/** What the business demands of its members. */
export function SignInPolicySwitch() {
  const policy = useRead('/api/v1/sign-in-policy')
  const change = useWrite('patch', '/api/v1/sign-in-policy')
  return (
    <Stack gap="xs" mb="md">
      <Switch
        label={t('Everyone here must have a second factor')}
        description={t('Anyone who has none sets up a passkey or the codes of an app before anything else.')}
        checked={(change.isPending ? change.variables.body : policy.data)?.secondFactorRequired ?? false}
        disabled={policy.data === undefined || change.isPending}
        onChange={(event) => change.mutate({ body: { secondFactorRequired: event.currentTarget.checked } })}
      />
      {(policy.error ?? change.error) && <ErrorAlert error={policy.error ?? change.error} />}
    </Stack>
  )
}
