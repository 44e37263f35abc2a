import type { components } from '@kitlane/client'
import { Stack, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'

type Rule = components['schemas']['NotifiableRule']
type Authority = components['schemas']['HealthAuthority']

/** Which results are told, and to whom. */
export function NotifiableSettings() {
  const { data, error, refetch } = useRead('/operator/v1/notifiable-settings')
  const table = { error, retry: () => void refetch(), rowKey: ({ id }: { id: string }) => id }
  const empty = { title: t('Nothing is entered'), text: t('It is added by the API, below /notifiable-settings.') }
  return (
    <Stack>
      <Text maw={720}>
        {t(
          'A rule is off until somebody has compared it with the law of the state and signs it. An administrator saves it by the API: POST /notifiable-settings/rules with all of the rule, withinHours, signedBy and isActive. Authorities and the sender are saved there, too.',
        )}
      </Text>
      <DataTable {...table} label={t('Rules')} rows={data?.rules} columns={rules} empty={empty} />
      <DataTable {...table} label={t('Authorities')} rows={data?.authorities} columns={authorities} empty={empty} />
    </Stack>
  )
}

const where = {
  header: t('Where'),
  cell: ({ country, states = [] }: Pick<Rule, 'country' | 'states'>) => [country, ...states].join(', '),
}
const standing = {
  header: t('State'),
  cell: ({ isActive }: { isActive?: boolean | undefined }) => (
    <StatusDot tone={isActive ? 'good' : 'idle'}>{isActive ? t('On') : t('Off')}</StatusDot>
  ),
}

const rules: Column<Rule>[] = [
  { header: t('Condition'), cell: ({ condition }) => condition },
  where,
  { header: t('Within hours'), cell: ({ withinHours }) => withinHours ?? t('Not known yet') },
  { header: t('Signed by'), cell: ({ signedBy }) => signedBy ?? t('Not reviewed yet') },
  standing,
]

const authorities: Column<Authority>[] = [
  { header: t('Authority'), cell: ({ name }) => name },
  where,
  {
    header: t('How it is told'),
    cell: ({ transport }) => (transport.kind === 'byHand' ? t('By hand') : transport.kind),
  },
  standing,
]
